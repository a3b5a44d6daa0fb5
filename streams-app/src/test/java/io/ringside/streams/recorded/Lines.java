package io.ringside.streams.recorded;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Chunks of lines for tests: one file a rank, one pod a rank, eight ranks a node.
public final class Lines {
  /// When all of them were written.
  public static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");

  private Lines() {}

  /// The lines of a rank as one chunk.
  ///
  /// @param end whether the source ends with them
  public static LogChunk of(int rank, boolean end, String... lines) {
    var offsets = new int[lines.length];
    var nanos = new long[lines.length];
    int offset = 0;
    for (int i = 0; i < lines.length; i++) {
      offsets[i] = offset;
      offset += lines[i].length() + 1;
      nanos[i] = io.ringside.schemas.event.Nanos.of(AT) + i * 1_000_000L;
    }
    var source =
        new LogSource(
            "east", "node-" + rank / 8, "training", "job-" + rank, "", "", "job", rank + ".log");
    return new LogChunk(
        source,
        0,
        0,
        0,
        offset,
        AT,
        true,
        end,
        Text.of(String.join("\n", lines)),
        offsets,
        0,
        nanos,
        new int[0]);
  }

  /// One line of a rank, written and read at this moment.
  public static LogChunk later(int rank, long sequence, long offset, Instant at, String line) {
    var first = of(rank, false, line);
    return new LogChunk(
        first.source(),
        0,
        sequence,
        offset,
        offset + line.length() + 1,
        at,
        true,
        false,
        first.text(),
        new int[] {0},
        io.ringside.schemas.event.Nanos.of(at),
        new long[] {0},
        new int[0]);
  }

  /// What an agent says of a rank's file that is gone, after so many bytes.
  public static LogChunk ended(int rank, long sequence, long offset, Instant at) {
    return new LogChunk(
        of(rank, true).source(),
        0,
        sequence,
        offset,
        offset,
        at,
        true,
        true,
        Text.of(""),
        new int[0],
        0,
        new long[0],
        new int[0]);
  }

  /// The lines with which rank `rank` of `nranks` begins.
  public static List<String> start(int rank, int nranks) {
    var lines = new ArrayList<String>();
    for (var phase : List.of("START", "COMPLETE")) {
      lines.add(
          "host:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x55 rank %d nranks %d cudaDev 0 nvmlDev %d busId %x000 commId 0xabc - Init %s"
              .formatted(100, 200, rank, nranks, rank % 8, 1 + rank % 8, phase));
    }
    return lines;
  }

  /// A sample of the only GPU of `node-0`, at work, that rank 0 holds.
  public static GpuSample sample(Instant at) {
    return new GpuSample(
        "east",
        "node-0",
        at,
        List.of(
            new GpuReading(
                0,
                "0000:01:00.0",
                "",
                "H100",
                85.0,
                1.0,
                1.0,
                300.0,
                700.0,
                50.0,
                1980.0,
                1980.0,
                0L,
                0L,
                null,
                null)));
  }
}
