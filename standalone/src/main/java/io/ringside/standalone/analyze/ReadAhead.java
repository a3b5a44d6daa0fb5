package io.ringside.standalone.analyze;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.Workspace;
import io.ringside.shipper.source.log.line.LineCounts;
import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.shipper.source.log.recorded.RecordedReader;
import io.ringside.standalone.input.InputFile;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.SourceState;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Turns one log into facts, some chunks ahead of the reader. Either a worker or the reader uses
/// it, never both at once.
final class ReadAhead {
  private static final NodeJoin JOIN = new NodeJoin();
  private static final LineCounts COUNTS = new LineCounts();

  /// One workspace per thread.
  private static final ThreadLocal<Workspace> WORK =
      ThreadLocal.withInitial(() -> new Workspace(COUNTS));

  private final InputFile file;
  private final RecordedLog log;
  private final RecordedReader reader;
  private final int ahead;
  private final SourceState state = new SourceState();
  private final PartLines lines = new PartLines();
  private final Deque<LogFacts> ready = new ArrayDeque<>();
  private @Nullable Future<Read> reading;
  private @Nullable IOException failure;
  private boolean over;

  /// @param more whether the log has more
  private record Read(List<LogFacts> facts, long bytes, boolean more) {}

  /// @param ahead number of chunks to read at once
  ReadAhead(InputFile file, RecordedLog log, int ahead, boolean keepOpen) {
    this.file = file;
    this.log = log;
    this.reader = new RecordedReader(log, ChunkLimits.DEFAULT, COUNTS, keepOpen);
    this.ahead = ahead;
  }

  /// Hands on the announcement of the log. Returns false if the log cannot be read.
  boolean announce(Consumer<LogFacts> sink) {
    try {
      JOIN.read(reader.announcement(WORK.get()), state).ifPresent(sink);
      return true;
    } catch (IOException e) {
      failure = e;
      return false;
    }
  }

  /// Begins to read more, unless a read is running or its result is still waiting.
  void begin(Workers workers) {
    if (reading == null && !over) {
      reading = workers.begin(this::read);
    }
  }

  private Read read() {
    var facts = new ArrayList<LogFacts>();
    long[] bytes = {0};
    boolean more;
    try {
      more = reader.next(WORK.get(), ahead, chunk -> take(chunk, facts), read -> bytes[0] += read);
      reader.damage().ifPresent(damage -> failure = damage);
    } catch (IOException e) {
      failure = e;
      more = false;
      end(facts);
    }
    return new Read(facts, bytes[0], more);
  }

  private void take(LogChunk chunk, List<LogFacts> facts) {
    lines.count(chunk, reader.partStarts());
    JOIN.read(chunk, state).ifPresent(facts::add);
  }

  private void end(List<LogFacts> facts) {
    try {
      take(reader.closing(WORK.get()), facts);
    } catch (IOException e) {
      // it is closed as far as possible, and the reason for the end is already known
    }
  }

  /// Hands on the facts of the next chunk. Returns false if it was the last. Call {@link #begin}
  /// before.
  boolean takeNext(Consumer<LogFacts> sink, LongConsumer progress) throws InterruptedException {
    if (ready.isEmpty() && reading != null) {
      var read = Workers.result(reading);
      reading = null;
      over = !read.more();
      ready.addAll(read.facts());
      progress.accept(read.bytes());
    }
    var next = ready.poll();
    if (next != null) {
      sink.accept(next);
    }
    return !(over && ready.isEmpty());
  }

  /// Records what was read.
  void tell(ReadFiles read) {
    var parts = file.parts();
    for (int i = 0; i < parts.size(); i++) {
      read.log(parts.get(i), log.source(), lines.of(i));
    }
    if (failure != null) {
      read.failed(file.name(), failure);
    }
  }

  void close() {
    try {
      reader.close();
    } catch (IOException e) {
      // it was only read
    }
  }
}
