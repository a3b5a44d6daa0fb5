package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Turns a pod's lines into the chunks that its node's agent would send.
final class PodLog {
  private static final int MAX_LINES = 400;
  private static final int BLOCK = 4096;
  private static final int CONTAINER_PREFIX = 40;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("'['yyyy-MM-dd HH:mm:ss.SSSSSS'] '").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("'['yyyy-MM-dd HH:mm:ss'] '").withZone(ZoneOffset.UTC);

  private final LogSource source;
  private final Output output;
  private final NcclVersion version;
  private final NodeClock clock;
  private final long chunkNanos;
  private final List<Written> pending = new ArrayList<>();
  private long sequence;
  private long offset;

  /// When the last chunk was sent: chunks of one file keep their order.
  private long lastSent = Long.MIN_VALUE;

  private long lostFrom = Long.MAX_VALUE;
  private long lostTo = Long.MAX_VALUE;
  private List<Long> strays = List.of();

  /// By how much the time of a stray line is ahead: five minutes.
  private static final long AHEAD = 300_000_000_000L;

  /// A line as it reached the file, by true time.
  record Written(long nanos, String text) {}

  /// @param chunkNanos how long the agent gathers lines
  PodLog(LogSource source, Output output, NcclVersion version, NodeClock clock, long chunkNanos) {
    this.source = source;
    this.output = output;
    this.version = version;
    this.clock = clock;
    this.chunkNanos = chunkNanos;
  }

  /// Lets lines that are written within a time, Unix epoch, be gone before the agent reads them.
  void lose(long fromNanos, long toNanos) {
    lostFrom = fromNanos;
    lostTo = toNanos;
  }

  /// Lets lines that are written at these moments, Unix epoch, carry a time that is minutes ahead.
  void stray(List<Long> atNanos) {
    strays = List.copyOf(atNanos);
  }

  /// Sends lines as they stand in the file, in the order of their times.
  void sendAsIs(long began, List<Written> lines, boolean end, Consumer<Sent> to) {
    if (lastSent == Long.MIN_VALUE) {
      send(began, List.of(), false, to, began);
    }
    gather(lines, to);
    if (end) {
      long last = lines.isEmpty() ? began : lines.getLast().nanos();
      send(last, List.of(), true, to, last + chunkNanos);
    }
  }

  /// Sends all lines of one run.
  ///
  /// @param began when the agent found the file
  void send(long began, List<Line> lines, boolean end, Consumer<Sent> to) {
    if (lastSent == Long.MIN_VALUE) {
      send(began, List.of(), false, to, began);
    }
    lines.sort(Comparator.comparingDouble(Line::at));
    var written = append(lines, to);
    if (end) {
      long last = written.isEmpty() ? began : written.getLast().nanos();
      send(last, List.of(), true, to, last + chunkNanos);
    }
  }

  /// Sends more lines, which come in the order of their times.
  ///
  /// @return what was written
  List<Written> append(List<Line> lines, Consumer<Sent> to) {
    var written = output == Output.BLOCKS ? blocks(lines) : written(lines);
    gather(written, to);
    return written;
  }

  private void gather(List<Written> written, Consumer<Sent> to) {
    long first = Long.MIN_VALUE;
    for (var line : written) {
      if (!pending.isEmpty()
          && (pending.size() >= MAX_LINES || line.nanos() - first > chunkNanos)) {
        flush(to, false);
      }
      if (pending.isEmpty()) {
        first = line.nanos();
      }
      pending.add(line);
    }
    if (!pending.isEmpty()) {
      flush(to, false);
    }
  }

  private void flush(Consumer<Sent> to, boolean end) {
    long last = pending.getLast().nanos();
    send(last, pending, end, to, Math.max(last, pending.getFirst().nanos() + chunkNanos));
    pending.clear();
  }

  private void send(long at, List<Written> lines, boolean end, Consumer<Sent> to, long sentAt) {
    boolean timed = output == Output.CONTAINER || output == Output.BLOCKS;
    var offsets = new int[lines.size()];
    var nanos = new long[timed ? lines.size() : 0];
    long base = clock.shown(lines.isEmpty() ? at : lines.getFirst().nanos());
    var text = new StringBuilder(lines.size() * 200);
    int position = 0;
    for (int i = 0; i < offsets.length; i++) {
      var line = lines.get(i);
      offsets[i] = position;
      position += line.text().length() + 1 + (timed ? CONTAINER_PREFIX : 0);
      if (timed) {
        nanos[i] = clock.shown(line.nanos()) - base + (strays.contains(line.nanos()) ? AHEAD : 0);
      }
      text.append(i == 0 ? "" : "\n").append(line.text());
    }
    if (!lines.isEmpty() && at >= lostFrom && at < lostTo) {
      offset += position;
      return;
    }
    lastSent = Math.max(lastSent + 1, sentAt);
    to.accept(
        new Sent(
            lastSent,
            new LogChunk(
                source,
                0,
                sequence++,
                offset,
                offset + position,
                Nanos.instant(clock.shown(lastSent)),
                true,
                end,
                Text.of(text.toString()),
                offsets,
                base,
                nanos,
                new int[0])));
    offset += position;
  }

  /// The lines as they stand in the file.
  List<Written> written(List<Line> lines) {
    var written = new ArrayList<Written>(lines.size());
    for (var line : lines) {
      long at = clock.nanos(line.at());
      if (line.kind() == Line.Kind.NCCL_WARN) {
        written.add(new Written(at, ""));
      }
      written.add(new Written(at, stamped(line, at)));
    }
    return written;
  }

  private String stamped(Line line, long at) {
    return switch (line.kind()) {
      case OTHER -> line.text();
      case NCCL_WARN -> (version.stamps() ? SECONDS.format(shown(at)) : "") + line.text();
      case NCCL ->
          switch (output) {
            case NCCL_MICROS -> MICROS.format(shown(at)) + line.text();
            case NCCL_SECONDS -> SECONDS.format(shown(at)) + line.text();
            case CONTAINER, BLOCKS, READ -> line.text();
          };
    };
  }

  private Instant shown(long at) {
    return Nanos.instant(clock.shown(at));
  }

  /// C stdio of each process hands its text over in blocks, cut anywhere; what follows in the pipe
  /// is glued to the cut. What a process had not handed over when it was killed is lost.
  private List<Written> blocks(List<Line> lines) {
    Map<Integer, StringBuilder> buffers = new HashMap<>();
    var pipe = new StringBuilder();
    var written = new ArrayList<Written>();
    for (var line : lines) {
      long at = clock.nanos(line.at());
      if (line.kind() == Line.Kind.OTHER) {
        pipe.append(line.text()).append('\n');
      } else {
        var buffer = buffers.computeIfAbsent(line.pid(), _ -> new StringBuilder());
        buffer.append(stamped(line, at)).append('\n');
        if (buffer.length() >= BLOCK) {
          pipe.append(buffer, 0, BLOCK);
          buffer.delete(0, BLOCK);
        }
      }
      int start = 0;
      for (int end = pipe.indexOf("\n"); end >= 0; end = pipe.indexOf("\n", start)) {
        written.add(new Written(at + written.size() % 100, pipe.substring(start, end)));
        start = end + 1;
      }
      pipe.delete(0, start);
    }
    return written;
  }
}
