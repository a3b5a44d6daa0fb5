package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.config.JobPattern;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.source.log.recorded.ReadProgress;
import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.shipper.source.log.recorded.Recording;
import io.ringside.shipper.source.topology.TopologyMatrix;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.InputSummary;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sends recorded files to the topics as the agent of each node would: topologies, GPU samples, then
/// all logs side by side. Used once.
final class InputShipping {
  private final Inputs inputs;
  private final Labels labels;
  private final KafkaPublisher publisher;
  private final ReadProgress progress;
  private final List<InputSummary.File> shipped = new ArrayList<>();

  InputShipping(Inputs inputs, Labels labels, KafkaPublisher publisher, ReadProgress progress) {
    this.inputs = inputs;
    this.labels = labels;
    this.publisher = publisher;
    this.progress = progress;
  }

  /// Returns when the broker has everything.
  ///
  /// @throws IOException names the file that cannot be read
  InputSummary ship() throws IOException {
    for (InputFile file : inputs.of(InputFile.Kind.TOPOLOGY)) {
      topology(file);
    }
    for (InputFile file : inputs.of(InputFile.Kind.GPU_SAMPLES)) {
      samples(file);
    }
    long lines = logs(inputs.of(InputFile.Kind.LOG));
    publisher.flush();
    var skipped =
        inputs.skipped().stream()
            .map(file -> new InputSummary.Skipped(file.path(), file.reason()))
            .toList();
    return new InputSummary(shipped, lines, null, skipped);
  }

  private void topology(InputFile file) throws IOException {
    var matrix = TopologyMatrix.parse(RecordedText.of(file.path()));
    if (matrix.isPresent()) {
      var bare = matrix.get().ofNode(labels.cluster(), file.node(), Instant.EPOCH);
      publisher.send(named(bare));
      done(file, bare.gpus().size());
    }
    progress.read(file.bytes());
  }

  /// The matrix knows GPUs by index only; a recording of the same node knows their bus ids.
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

  private void samples(InputFile file) throws IOException {
    done(file, recording(file).forEach(publisher::send));
    progress.read(file.bytes());
  }

  private GpuRecording recording(InputFile file) {
    return new GpuRecording(file, labels);
  }

  private long logs(List<InputFile> files) throws IOException {
    List<RecordedLog> logs = new ArrayList<>();
    Map<String, Long> lines = new HashMap<>();
    for (InputFile file : files) {
      logs.add(new RecordedLog(file.path(), identity(file.node()).sourceOf(file.path())));
    }
    Recording.ship(
        logs,
        chunk -> {
          publisher.send(chunk);
          lines.merge(chunk.source().id(), (long) chunk.lines(), Long::sum);
        },
        progress);
    for (int i = 0; i < files.size(); i++) {
      var source = logs.get(i).source();
      var file = files.get(i);
      shipped.add(
          new InputSummary.File(
              file.path().toString(),
              file.kind().label(),
              lines.getOrDefault(source.id(), 0L),
              file.bytes(),
              source.node(),
              source.pod(),
              source.job()));
    }
    return lines.values().stream().mapToLong(Long::longValue).sum();
  }

  private Identity identity(String node) {
    return new Identity(labels.cluster(), node, "", labels.job(), JobPattern.DEFAULTS);
  }

  private void done(InputFile file, long lines) {
    shipped.add(
        new InputSummary.File(
            file.path().toString(), file.kind().label(), lines, file.bytes(), file.node(), "", ""));
  }
}
