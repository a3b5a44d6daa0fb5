package io.ringside.streams.job;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Hosts of four GPUs whose NCCL is 2.12.12: no line names a communicator.
final class UnnamedRun {
  static final int GPUS = 4;

  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

  private static final double STEP = 0.2;
  private static final double LATE = 0.1;

  private final List<Line> lines = new ArrayList<>();
  private final int firstPid;
  private double now;

  private record Line(int host, double seconds, String text) {}

  /// @param attempt tells the processes of one start from those of the next
  /// @param seconds when it begins
  UnnamedRun(int attempt, double seconds) {
    firstPid = 100 * attempt;
    now = seconds;
  }

  /// A communicator whose first rank is this process's comes up on one host after another.
  ///
  /// @param order tells its pointers from those of others
  /// @param first the first process, of four on each host
  /// @param rank of the first process
  UnnamedRun up(int order, int first, int processes, int rank, int nranks) {
    for (int i = 0; i < processes; i++) {
      int process = first + i;
      if (rank + i == 0) {
        lines.add(new Line(process / GPUS, now, "NCCL version 2.12.12+cuda12.2"));
      }
      say(process, now, "Connected all rings");
      say(
          process,
          now + 0.001 * i,
          "comm %s rank %d nranks %d cudaDev %d busId %x000 - Init COMPLETE"
              .formatted(comm(order, process), rank + i, nranks, process % GPUS, gpu(process)));
    }
    now += 0.5;
    return this;
  }

  /// Rounds of a communicator, for one of whose processes all others wait.
  ///
  /// @param late -1 for none
  UnnamedRun rounds(int order, int first, int processes, int nranks, int late, int rounds) {
    var random = new Random(7);
    for (int round = 0; round < rounds; round++) {
      double last = now;
      for (int process = first; process < first + processes; process++) {
        double at = now + STEP + 0.002 * random.nextDouble() + (process == late ? LATE : 0);
        last = Math.max(last, at);
        say(
            process,
            at,
            "AllReduce: opCount %x sendbuff 0x7f recvbuff 0x7f count 1024 datatype 7 op 0 root 0 comm %s [nranks=%d] stream 0x55"
                .formatted(round, comm(order, process), nranks));
      }
      now = last;
    }
    return this;
  }

  /// An edge of the communicator that is coming up.
  UnnamedRun edge(int process, int from, int to, int toGpu, String transport) {
    return say(
        process,
        now,
        "Channel 00 : %d[%x000] -> %d[%x000] via %s"
            .formatted(from, gpu(process), to, gpu(toGpu), transport));
  }

  UnnamedRun pause(double seconds) {
    now += seconds;
    return this;
  }

  double now() {
    return now;
  }

  private UnnamedRun say(int process, double seconds, String message) {
    int pid = firstPid + process;
    lines.add(
        new Line(
            process / GPUS,
            seconds,
            "gpu-%d:%d:%d [%d] NCCL INFO %s"
                .formatted(process / GPUS, pid, pid, process % GPUS, message)));
    return this;
  }

  private static int gpu(int process) {
    return 0x1b + process % GPUS;
  }

  private static String comm(int order, int process) {
    return "0x55d0%x%03x".formatted(order, process);
  }

  /// One file a host.
  static Map<String, List<String>> files(UnnamedRun... runs) {
    var files = new TreeMap<String, List<String>>();
    for (var line : sorted(runs)) {
      files
          .computeIfAbsent("starcoder-node-0-%d.log".formatted(line.host()), _ -> new ArrayList<>())
          .add(stamped(line));
    }
    return files;
  }

  /// All hosts in one file.
  static Map<String, List<String>> oneFile(UnnamedRun... runs) {
    return Map.of("starcoder.log", sorted(runs).stream().map(UnnamedRun::stamped).toList());
  }

  /// The same without times.
  static Map<String, List<String>> untimed(Map<String, List<String>> files) {
    var bare = new TreeMap<String, List<String>>();
    files.forEach(
        (name, lines) ->
            bare.put(
                name,
                lines.stream().map(line -> line.substring(line.indexOf(" F ") + 3)).toList()));
    return bare;
  }

  private static List<Line> sorted(UnnamedRun... runs) {
    var all = new ArrayList<Line>();
    for (var run : runs) {
      all.addAll(run.lines);
    }
    all.sort(Comparator.comparingDouble(Line::seconds));
    return all;
  }

  private static String stamped(Line line) {
    return STAMP.format(BEGIN.plusNanos(Math.round(line.seconds() * 1e9)))
        + " stdout F "
        + line.text();
  }
}
