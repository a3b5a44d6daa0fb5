package io.ringside.streams.topology;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A pod's log on its way: lines as the container runtime stamps them, in chunks as an agent cuts
/// them.
final class WrittenLog {
  private static final int MOST_LINES = 300;

  private final LogSource source;
  private final List<Line> lines = new ArrayList<>();
  private long sequence;
  private long offset;
  private long newest;

  WrittenLog(String node, String job) {
    source = new LogSource("c", node, "ns", "pod-" + node, "uid", "c", job, node + ".log");
  }

  /// Of a pod that is not called like its node.
  WrittenLog(String node, String pod, String job) {
    source = new LogSource("c", node, "ns", pod, "uid-" + pod, "c", job, pod + ".log");
  }

  WrittenLog(LogSource source) {
    this.source = source;
  }

  private record Line(long atNanos, String text) {}

  void add(long atNanos, String text) {
    lines.add(new Line(atNanos, text));
  }

  /// What was added since, in the order of its times.
  ///
  /// @param end whether nothing more will come
  List<LogChunk> cut(boolean end) {
    return cut(end, MOST_LINES);
  }

  /// The same, with so many lines in a chunk at most.
  List<LogChunk> cut(boolean end, int mostLines) {
    var chunks = new ArrayList<LogChunk>();
    lines.sort(Comparator.comparingLong(Line::atNanos));
    for (int from = 0; from < lines.size(); from += mostLines) {
      chunks.add(chunk(lines.subList(from, Math.min(lines.size(), from + mostLines)), false));
    }
    lines.clear();
    if (end) {
      chunks.add(chunk(List.of(), true));
    }
    return chunks;
  }

  private LogChunk chunk(List<Line> part, boolean end) {
    var text = new StringBuilder();
    var offsets = new int[part.size()];
    var nanos = new long[part.size()];
    long base = part.isEmpty() ? 0 : part.getFirst().atNanos();
    for (int i = 0; i < offsets.length; i++) {
      text.append(text.isEmpty() ? "" : "\n");
      offsets[i] = text.length();
      nanos[i] = part.get(i).atNanos() - base;
      text.append(part.get(i).text());
      newest = part.get(i).atNanos();
    }
    long next = offset + text.toString().getBytes(StandardCharsets.UTF_8).length + 1;
    var chunk =
        new LogChunk(
            source,
            1,
            sequence++,
            offset,
            next,
            Instant.ofEpochSecond(0, newest),
            true,
            end,
            Text.of(text.toString()),
            offsets,
            base,
            nanos,
            new int[0]);
    offset = next;
    return chunk;
  }
}
