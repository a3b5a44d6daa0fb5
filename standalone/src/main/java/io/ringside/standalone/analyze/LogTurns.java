package io.ringside.standalone.analyze;

import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.standalone.input.InputFile;
import io.ringside.streams.fact.LogFacts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Reads logs in parallel and hands on their facts in the order in which a
/// {@link io.ringside.shipper.source.log.recorded.Recording} ships its chunks: all announcements,
/// then one chunk of each log in turn. Threads read ahead by an amount that depends only on the
/// number of logs, so that memory is bounded. Can be used once.
final class LogTurns {
  /// Limit of logs kept open. With more logs each is opened again when its turn comes.
  private static final int KEPT_OPEN = 500;

  /// Limits of chunks read ahead: of one log, and of all logs together.
  private static final int MOST_AHEAD = 8;

  private static final int MOST_AHEAD_OF_ALL = 512;

  private final List<ReadAhead> logs = new ArrayList<>();
  private final Workers workers;

  LogTurns(List<InputFile> files, Labels labels, Workers workers) {
    this.workers = workers;
    int ahead = Math.clamp(MOST_AHEAD_OF_ALL / Math.max(1, files.size()), 1, MOST_AHEAD);
    for (InputFile file : files) {
      logs.add(new ReadAhead(file, log(file, labels), ahead, files.size() <= KEPT_OPEN));
    }
  }

  /// A file as the log that its node's agent would read.
  static RecordedLog log(InputFile file, Labels labels) {
    return new RecordedLog(
        file.parts().stream().map(InputFile.Part::path).toList(),
        labels.identity(file).sourceOf(file.path(), file.name()));
  }

  /// Hands on the facts of all logs. A log that cannot be read to its end is listed in `read`, and
  /// ends where the error occurs.
  ///
  /// @throws InterruptedException if the user stops the analysis
  void read(Consumer<LogFacts> sink, ReadFiles read, LongConsumer progress)
      throws InterruptedException {
    try {
      var turns = new ArrayDeque<ReadAhead>();
      for (ReadAhead log : logs) {
        if (log.announce(sink)) {
          turns.add(log);
        }
      }
      while (!turns.isEmpty()) {
        turns.stream().limit(workers.threads() + 1L).forEach(log -> log.begin(workers));
        var log = turns.removeFirst();
        if (log.takeNext(sink, progress)) {
          turns.addLast(log);
        }
      }
      logs.forEach(log -> log.tell(read));
    } finally {
      logs.forEach(ReadAhead::close);
    }
  }
}
