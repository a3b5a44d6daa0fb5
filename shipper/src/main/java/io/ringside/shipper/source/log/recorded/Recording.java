package io.ringside.shipper.source.log.recorded;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.Workspace;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Ships complete log files as fast as they are taken, always in the same order: first an empty
/// chunk for each file, so that every source is known before any line is judged; then one chunk of
/// each file in turn until all are at their end. The last chunk of a file has `end`.
///
/// Memory does not depend on the size of files or lines: 64 KiB of a line are kept, the rest is
/// dropped and the line is marked as cut.
public final class Recording {
  /// Limit of files kept open. With more files each is opened again for each chunk.
  private static final int KEPT_OPEN = 500;

  private Recording() {}

  /// Ships everything; returns after the sink has taken the last chunk. The epoch of each file is
  /// 0, `live` is false.
  ///
  /// @param sink may block until there is room for a chunk
  /// @param progress receives the number of further bytes read from disk; compressed bytes if the
  ///     file is compressed
  /// @throws IOException with the name of the file that cannot be read
  public static void ship(List<RecordedLog> logs, Consumer<LogChunk> sink, LongConsumer progress)
      throws IOException {
    ship(logs, ChunkLimits.DEFAULT, sink, progress, new LineCounts());
  }

  /// The same with other limits, and with counters.
  public static void ship(
      List<RecordedLog> logs,
      ChunkLimits limits,
      Consumer<LogChunk> sink,
      LongConsumer progress,
      LineCounts counts)
      throws IOException {
    var work = new Workspace(limits, counts);
    var opened = new ArrayList<RecordedReader>();
    try {
      for (RecordedLog log : logs) {
        opened.add(new RecordedReader(log, limits, counts, logs.size() <= KEPT_OPEN));
        sink.accept(opened.getLast().announcement(work));
      }
      var turns = new ArrayDeque<>(opened);
      while (!turns.isEmpty()) {
        RecordedReader log = turns.removeFirst();
        if (log.next(work, 1, sink, progress)) {
          turns.addLast(log);
        } else if (log.damage().isPresent()) {
          var damage = log.damage().get();
          throw new IOException("cannot read " + log.file() + ": " + damage.getMessage(), damage);
        }
      }
    } finally {
      for (RecordedReader log : opened) {
        log.close();
      }
    }
  }
}
