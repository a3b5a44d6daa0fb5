package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.shipper.source.log.recorded.ReadProgress;
import io.ringside.standalone.input.InputFile;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/// Recordings of GPUs read side by side. Those of a node are handed on in order, nodes in turns: no job is known yet, and
/// until then nodes keep their samples for themselves. Used once.
final class SampleTurns {
  private final List<InputFile> files;
  private final Workers workers;
  private final Map<String, SamplesAhead> nodes = new LinkedHashMap<>();

  SampleTurns(List<InputFile> files, Labels labels, Workers workers) {
    this.files = files;
    this.workers = workers;
    for (var file : files) {
      nodes
          .computeIfAbsent(file.node(), _ -> new SamplesAhead())
          .add(new GpuRecording(file, labels));
    }
  }

  /// Hands on all samples. A file that cannot be read to its end is named.
  ///
  /// @throws InterruptedException when the user does not want to wait
  void read(Consumer<GpuSample> sink, ReadFiles read, ReadProgress progress)
      throws InterruptedException {
    try {
      var turns = new ArrayDeque<>(nodes.values());
      while (!turns.isEmpty()) {
        turns.stream().limit(workers.threads() + 1L).forEach(node -> node.begin(workers));
        var node = turns.removeFirst();
        if (node.takeNext(sink)) {
          turns.addLast(node);
        }
      }
      for (var file : files) {
        var node = Objects.requireNonNull(nodes.get(file.node()));
        read.file(file, () -> node.count(file));
        progress.read(file.bytes());
      }
    } finally {
      nodes.values().forEach(SamplesAhead::close);
    }
  }
}
