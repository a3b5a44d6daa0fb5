package io.ringside.standalone.analyze;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.shipper.source.topology.TopologyMatrix;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Reads recorded files about nodes as the records that an agent would send: topologies, then GPU
/// samples.
record NodeFiles(Inputs inputs, Labels labels, LongConsumer progress) {

  /// Passes on all records in order. A file that cannot be read completely is listed in `read`,
  /// with the part that was read.
  void send(Consumer<AgentEvent> sink, ReadFiles read) {
    topologies(sink, read);
    for (InputFile file : inputs.of(InputFile.Kind.GPU_SAMPLES)) {
      read.file(file, () -> recording(file).forEach(sink::accept));
      progress.accept(file.bytes());
    }
  }

  /// Passes on only the topologies.
  void topologies(Consumer<AgentEvent> sink, ReadFiles read) {
    for (InputFile file : inputs.of(InputFile.Kind.TOPOLOGY)) {
      read.file(file, () -> topology(file, sink));
      progress.accept(file.bytes());
    }
  }

  /// Passes on the files of witnesses beside the logs, as chunks of the jobs that they concern.
  void witnesses(Consumer<LogChunk> sink, ReadFiles read) {
    var jobs = new WitnessJobs(inputs, labels);
    for (InputFile file : inputs.of(InputFile.Kind.WITNESS)) {
      read.file(file, () -> witness(file, jobs, sink));
      progress.accept(file.bytes());
    }
    jobs.withoutLogs().forEach(job -> sink.accept(WitnessRecording.closing(job)));
  }

  private static long witness(InputFile file, WitnessJobs jobs, Consumer<LogChunk> sink)
      throws IOException {
    if (!new WitnessRecording(file, jobs).forEach(sink)) {
      throw new IOException("it is too large to read");
    }
    return 1;
  }

  private long topology(InputFile file, Consumer<AgentEvent> sink) throws IOException {
    var matrix = TopologyMatrix.parse(RecordedText.of(file.path()));
    if (matrix.isEmpty()) {
      return 0;
    }
    var bare = matrix.get().ofNode(labels.cluster(), file.node(), Instant.EPOCH);
    sink.accept(named(bare));
    return bare.gpus().size();
  }

  /// Adds bus ids from a recording of the same node, since the matrix has only GPU indexes.
  private NodeTopology named(NodeTopology bare) throws IOException {
    Map<Integer, GpuReading> byIndex = new HashMap<>();
    for (InputFile file : inputs.of(InputFile.Kind.GPU_SAMPLES)) {
      if (file.node().equals(bare.node())) {
        recording(file)
            .first()
            .ifPresent(sample -> sample.gpus().forEach(gpu -> byIndex.put(gpu.index(), gpu)));
      }
    }
    var gpus = bare.gpus().stream().map(gpu -> named(gpu, byIndex.get(gpu.index()))).toList();
    return new NodeTopology(
        bare.cluster(),
        bare.node(),
        bare.at(),
        bare.instanceType(),
        bare.driver(),
        gpus,
        bare.links());
  }

  private static NodeTopology.Gpu named(NodeTopology.Gpu gpu, @Nullable GpuReading reading) {
    return reading == null
        ? gpu
        : new NodeTopology.Gpu(gpu.index(), reading.busId(), reading.uuid(), reading.name());
  }

  private GpuRecording recording(InputFile file) {
    return new GpuRecording(file, labels);
  }
}
