package io.ringside.benchmarks.service;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Cuts the lines of one file into chunks as the agent does: 300 lines or 64 KiB, each with the
/// container runtime's time.
final class Chunker {
  private static final int MOST_LINES = 300;
  private static final int MOST_BYTES = 64 << 10;

  private final LogSource source;
  private final List<String> lines = new ArrayList<>();
  private final List<Long> nanos = new ArrayList<>();
  private int bytes;
  private long sequence;
  private long offset;

  Chunker(int node, String job, String pod) {
    source =
        new LogSource(
            "bench",
            "node-" + node,
            "training",
            pod,
            "uid-" + pod,
            "trainer",
            job,
            "/var/log/pods/training_%s_uid-%s/trainer/0.log".formatted(pod, pod));
  }

  /// Takes a line, and gives the chunk before it once that is full.
  Optional<LogChunk> add(String line, long atNanos) {
    int size = line.getBytes(StandardCharsets.UTF_8).length + 1;
    @Nullable LogChunk full =
        lines.size() == MOST_LINES || bytes + size > MOST_BYTES ? take() : null;
    lines.add(line);
    nanos.add(atNanos);
    bytes += size;
    return Optional.ofNullable(full);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /// What was gathered.
  LogChunk take() {
    var offsets = new int[lines.size()];
    var times = new long[lines.size()];
    long base = nanos.isEmpty() ? 0 : nanos.getFirst();
    int at = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = at;
      times[i] = nanos.get(i) - base;
      at += lines.get(i).getBytes(StandardCharsets.UTF_8).length + 1;
    }
    var chunk =
        new LogChunk(
            source,
            1,
            sequence++,
            offset,
            offset + at,
            Instant.ofEpochSecond(0, nanos.isEmpty() ? base : nanos.getLast()),
            true,
            false,
            Text.of(String.join("\n", lines)),
            offsets,
            base,
            times,
            new int[0]);
    offset += at;
    bytes = 0;
    lines.clear();
    nanos.clear();
    return chunk;
  }
}
