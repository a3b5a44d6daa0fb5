package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.standalone.input.InputFile;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/// Reads GPU recordings in parallel. The samples of one node are handed on in order, nodes take
/// turns: no job is known yet, and until then each node keeps its own samples. Can be used once.
final class SampleTurns {
  private final Map<InputFile, SamplesAhead> files = new LinkedHashMap<>();
  private final Map<String, Deque<SamplesAhead>> nodes = new LinkedHashMap<>();
  private final Workers workers;

  SampleTurns(List<InputFile> files, Labels labels, Workers workers) {
    this.workers = workers;
    for (var file : files) {
      var samples = new SamplesAhead(new GpuRecording(file, labels));
      this.files.put(file, samples);
      nodes.computeIfAbsent(file.node(), _ -> new ArrayDeque<>()).add(samples);
    }
  }

  /// Hands on all samples. A file that cannot be read to its end is listed in `read`.
  ///
  /// @throws InterruptedException if the user stops the analysis
  void read(Consumer<GpuSample> sink, ReadFiles read, LongConsumer progress)
      throws InterruptedException {
    try {
      var turns = new ArrayDeque<>(nodes.values());
      while (!turns.isEmpty()) {
        next(turns).limit(workers.threads() + 1L).forEach(samples -> samples.begin(workers));
        var node = turns.removeFirst();
        if (!node.getFirst().takeNext(sink)) {
          node.removeFirst();
        }
        if (!node.isEmpty()) {
          turns.addLast(node);
        }
      }
      files.forEach(
          (file, samples) -> {
            read.file(file, samples::count);
            progress.accept(file.bytes());
          });
    } finally {
      files.values().forEach(SamplesAhead::close);
    }
  }

  /// The current file of each node, followed by all further files.
  private static Stream<SamplesAhead> next(Collection<Deque<SamplesAhead>> turns) {
    return Stream.concat(
        turns.stream().map(Deque::getFirst), turns.stream().flatMap(node -> node.stream().skip(1)));
  }
}
