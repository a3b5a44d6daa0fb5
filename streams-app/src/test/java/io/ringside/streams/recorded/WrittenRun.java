package io.ringside.streams.recorded;

import io.ringside.streams.judge.Judge;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// A run of a few ranks in one pod, written line by line as a container runtime would have kept it.
/// The shapes of the lines are those of NCCL 2.28.9.
public final class WrittenRun {
  private static final Instant BEGIN = Instant.parse("2026-11-20T10:00:00Z");

  private final String pod;
  private final String file;
  private final String commId;
  private final int ranks;
  private final List<Written> lines = new ArrayList<>();
  private long firstSecond;
  private int firstPid;

  private record Written(double seconds, String text) {}

  private WrittenRun(String file, String pod, String commId, int ranks) {
    this.file = file;
    this.pod = pod;
    this.commId = commId;
    this.ranks = ranks;
  }

  /// A run of these ranks, each with its communicator up and its edges to the next over a
  /// transport.
  ///
  /// @param attempt names the file, the communicator and the hour in which it runs
  /// @param transport in NCCL's words, `P2P/CUMEM` or `NET/Socket/0`
  public static WrittenRun of(int attempt, int ranks, String transport) {
    var run =
        new WrittenRun(
            "%d/llama-node-0-0.log".formatted(attempt),
            "llama-node-0-0",
            "0x%016x".formatted(0xabc0L + attempt),
            ranks);
    run.firstSecond = 3_600L * attempt;
    run.firstPid = 100 * attempt;
    for (int rank = 0; rank < ranks; rank++) {
      run.nccl(0.1, rank, "NCCL version 2.28.9+cuda13.0");
      run.nccl(
          0.2, rank, "Using network " + (transport.contains("Libfabric") ? "Libfabric" : "Socket"));
      run.nccl(0.3, rank, run.init(rank, "START"));
      run.nccl(
          0.4,
          rank,
          "Channel 00/0 : %d[%d] -> %d[%d] via %s"
              .formatted(rank, rank, (rank + 1) % ranks, (rank + 1) % ranks, transport));
      run.nccl(0.5, rank, run.init(rank, "COMPLETE"));
    }
    return run;
  }

  /// A run of four ranks whose steps take so long each, by DeepSpeed's timers: a third forward, two
  /// thirds backward, 10 ms step.
  public static WrittenRun trained(int attempt, String transport, double millis, int steps) {
    var run = of(attempt, 4, transport);
    for (int step = 1; step <= steps; step++) {
      run.timers(step * millis / 1000, (millis - 10) / 3, 2 * (millis - 10) / 3);
    }
    return run;
  }

  private String init(int rank, String phase) {
    return "ncclCommInitRankConfig comm %s rank %d nranks %d cudaDev %d nvmlDev %d busId %x000 commId %s - Init %s"
        .formatted(comm(rank), rank, ranks, rank, rank, 0x1b + rank, commId, phase);
  }

  private static String comm(int rank) {
    return "0x55d0%04x".formatted(rank);
  }

  /// A line of a rank's NCCL.
  public WrittenRun nccl(double seconds, int rank, String message) {
    return line(
        seconds,
        "%s:%d:%d [%d] NCCL INFO %s"
            .formatted(pod, firstPid + rank, firstPid + rank, rank, message));
  }

  /// A collective call of a rank.
  public WrittenRun allReduce(double seconds, int rank, long count) {
    return nccl(
        seconds,
        rank,
        "AllReduce: opCount 0 sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count %d datatype 7 op 0 root 0 comm %s [nranks=%d] stream 0x5580"
            .formatted(count, comm(rank), ranks));
  }

  /// Any line, so many seconds after the run began.
  public WrittenRun line(double seconds, String text) {
    lines.add(new Written(seconds, text));
    return this;
  }

  /// DeepSpeed's timers of one step, which ends then.
  public WrittenRun timers(double seconds, double forward, double backward) {
    return line(
        seconds,
        String.format(
            Locale.ROOT,
            "[Rank 0] time (ms) | fwd: %.2f | bwd: %.2f | bwd_inner: %.2f | bwd_allreduce: 1.10 | step: 10.00",
            forward,
            backward,
            backward - 1.1));
  }

  /// The same with a later run behind it in the same file, as when the launcher starts anew.
  public WrittenRun goesOnWith(WrittenRun later) {
    later.lines.forEach(
        line ->
            lines.add(new Written(line.seconds() + later.firstSecond - firstSecond, line.text())));
    return this;
  }

  /// The lines in the order of their times, each with its stamp.
  List<String> text() {
    return lines.stream()
        .sorted(Comparator.comparingDouble(Written::seconds))
        .map(
            line ->
                BEGIN
                        .plusSeconds(firstSecond)
                        .plusNanos(Math.round(line.seconds() * 1e9))
                        .toString()
                        .replaceFirst("(:\\d\\d)Z$", "$1.000000Z")
                    + " stdout F "
                    + line.text())
        .toList();
  }

  /// What is judged of these runs of one job at the end.
  public static Judge.Verdict judged(WrittenRun... runs) {
    return recorded(runs).judged();
  }

  /// These runs of one job as recorded files.
  public static Recorded recorded(WrittenRun... runs) {
    Map<String, List<String>> files = new TreeMap<>();
    for (var run : runs) {
      files.computeIfAbsent(run.file, _ -> new ArrayList<>()).addAll(run.text());
    }
    return Recorded.of(files);
  }
}
