package io.ringside.lab.lives;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A container's log, and how far the agent of its machine has read it. Lines have the times that
/// the container runtime gives them, by the machine's clock.
final class LogFile {
  private static final int MOST_LINES = 300;

  /// What came while the end of the file was last seen no longer ago than that was read as it was
  /// written.
  private static final Duration LIVE = Duration.ofSeconds(10);

  private final LogSource source;
  private final List<Line> unread = new ArrayList<>();
  private long epoch = 1;
  private long sequence;
  private long offset;
  private boolean announced;
  private boolean there = true;
  private boolean closed;
  private boolean repeat;
  private @Nullable LogChunk last;
  private Instant endSeenAt = Instant.MIN;

  LogFile(String node, String namespace, String pod, String job) {
    source = new LogSource("c", node, namespace, pod, "uid-" + pod, "c", job, pod + ".log");
  }

  /// @param written when it stands in the file, whatever the machine's clock shows
  /// @param at by the machine's clock
  private record Line(Instant written, Instant at, String text) {}

  void write(Instant written, Instant at, String text) {
    if (there) {
      unread.add(new Line(written, at, text));
    }
  }

  /// The runtime begins a new file under the same path; the agent has read the old one to its end.
  void rotate() {
    epoch++;
    sequence = 0;
    offset = 0;
  }

  /// The runtime begins a new file under the same path, and the old one is gone with all that no
  /// agent has read of it.
  ///
  /// @param time that it is
  void rotateAway(Instant time) {
    unread.removeIf(line -> !line.written().isAfter(time));
    rotate();
  }

  /// What was written here was gone before the agent read it.
  void lose(int bytes) {
    sequence++;
    offset += bytes;
  }

  /// The agent begins anew, where it knows that the broker has what it sent: of the last chunk it
  /// does not. Of a file that was deleted meanwhile it says that it is over, and no more.
  void reopen() {
    endSeenAt = Instant.MIN;
    repeat = last != null && there;
    if (!there && !closed) {
      unread.clear();
      rotate();
    }
  }

  /// Whether it was gone before an agent came.
  boolean unseen() {
    return closed && !announced;
  }

  /// What no agent has seen by then no agent ever sees.
  void delete() {
    there = false;
    closed |= !announced;
  }

  /// What the agent reads now.
  ///
  /// @param time that it is
  /// @param now by the machine's clock
  List<LogChunk> read(Instant time, Instant now) {
    var chunks = new ArrayList<LogChunk>();
    if (closed) {
      return chunks;
    }
    boolean live = !endSeenAt.equals(Instant.MIN) && !time.minus(LIVE).isAfter(endSeenAt);
    if (repeat && last != null) {
      chunks.add(last);
    }
    repeat = false;
    if (!announced) {
      announced = true;
      chunks.add(chunk(List.of(), now, false, false));
    }
    var due =
        new ArrayList<>(unread.stream().filter(line -> !line.written().isAfter(time)).toList());
    unread.removeAll(due);
    for (int from = 0; from < due.size(); from += MOST_LINES) {
      chunks.add(
          chunk(due.subList(from, Math.min(due.size(), from + MOST_LINES)), now, live, false));
    }
    endSeenAt = time;
    if (!there) {
      closed = true;
      chunks.add(chunk(List.of(), now, false, true));
    }
    return chunks;
  }

  private LogChunk chunk(List<Line> lines, Instant now, boolean live, boolean end) {
    var text = new StringBuilder();
    var offsets = new int[lines.size()];
    var nanos = new long[lines.size()];
    long base = lines.isEmpty() ? 0 : Nanos.of(lines.getFirst().at());
    for (int i = 0; i < offsets.length; i++) {
      text.append(text.isEmpty() ? "" : "\n");
      offsets[i] = text.length();
      nanos[i] = Nanos.of(lines.get(i).at()) - base;
      text.append(lines.get(i).text());
    }
    long next =
        lines.isEmpty()
            ? offset
            : offset + text.toString().getBytes(StandardCharsets.UTF_8).length + 1;
    var chunk =
        new LogChunk(
            source,
            epoch,
            sequence++,
            offset,
            next,
            now,
            live,
            end,
            Text.of(text.toString()),
            offsets,
            base,
            nanos,
            new int[0]);
    offset = next;
    last = chunk;
    return chunk;
  }
}
