package io.ringside.benchmarks.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/// Lines of three jobs on 16 hosts with 8 ranks each, as a fleet writes them all day: 15 % edges,
/// 45 % other NCCL lines, 40 % lines of the training itself. The lines are those of two recorded
/// jobs, each rank going through them over and over with its own pid, pointers, addresses and ids;
/// ranks of a host take turns of 2 to 30 lines. The same seed gives the same lines.
final class MixedTurns implements Turns {
  private static final int GPUS = 8;
  private static final Pattern HEAD = Pattern.compile("^llama-3-8b-node-0-0:(\\d+):(\\d+) \\[0] ");
  private static final List<String> P2P =
      List.of("P2P/CUMEM", "P2P/CUMEM", "P2P/CUMEM/read", "P2P/IPC/read", "SHM/direct/direct");
  private static final double[] SHARES = {.15, .45, .40};

  private final List<String> jobs;
  private final int[] nodes;
  private final SplittableRandom random = new SplittableRandom(20_261_121);
  private final List<String> nccl = new ArrayList<>();
  private final List<String> training = new ArrayList<>();
  private final List<Rank> ranks = new ArrayList<>();
  private final long[] count = new long[3];

  /// @param recordings the folder that holds the recorded jobs
  MixedTurns(Path recordings) throws IOException {
    this(recordings, List.of("llama-3-8b", "llama-3-70b", "qwen-2-5-32b"), new int[] {4, 8, 4});
  }

  /// The same with other jobs.
  ///
  /// @param nodes of each job
  MixedTurns(Path recordings, List<String> jobs, int[] nodes) throws IOException {
    this.jobs = jobs;
    this.nodes = nodes;
    for (var name : List.of("seed-g6e-efa-fallback", "seed-p4d-four-pods-efa")) {
      read(recordings.resolve(name).resolve("llama-3-8b-node-0-0.log.gz"));
    }
    int host = 0;
    for (int job = 0; job < jobs.size(); job++) {
      var commId = "0x%x".formatted(random.nextLong() >>> 4);
      for (int node = 0; node < nodes[job]; node++, host++) {
        for (int device = 0; device < GPUS; device++) {
          ranks.add(new Rank(job, node, host, device, commId));
        }
      }
    }
  }

  private final class Rank {
    final int job;
    final int node;
    final int host;
    final int device;
    final int rank;
    final int nranks;
    final int pid = 100 + random.nextInt(9_900);
    final int tid = pid + 200 + random.nextInt(400);
    final String comm = pointer();
    final String split = pointer();
    final String commId;
    int step = 1 + random.nextInt(900);
    int nextNccl = random.nextInt(nccl.size());
    int nextTraining = random.nextInt(training.size());

    Rank(int job, int node, int host, int device, String commId) {
      this.job = job;
      this.node = node;
      this.host = host;
      this.device = device;
      this.commId = commId;
      rank = node * GPUS + device;
      nranks = nodes[job] * GPUS;
    }

    String pod() {
      return "%s-node-%d-%d".formatted(jobs.get(job), job, node);
    }

    String head(int thread) {
      return pod() + ":" + pid + ":" + thread + " [" + device + "] ";
    }
  }

  private String pointer() {
    return "0x%x".formatted(0x556d_0000_0000L + (random.nextInt() & 0x7fff_ffffL) * 16);
  }

  private void read(Path log) throws IOException {
    try (var in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(log)), StandardCharsets.UTF_8))) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isBlank() || (line.contains(" via ") && line.contains("Channel"))) {
          continue;
        }
        (line.contains(" NCCL ") ? nccl : training).add(line);
      }
    }
  }

  /// Of the kind that is most behind its share.
  @Override
  public Turn next() {
    long all = count[0] + count[1] + count[2];
    int kind = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < 3; i++) {
      double behind = (SHARES[i] * all - count[i]) / SHARES[i] - random.nextDouble() * 400;
      if (behind > most) {
        most = behind;
        kind = i;
      }
    }
    var rank = ranks.get(random.nextInt(ranks.size()));
    var lines = new ArrayList<String>();
    int many = 2 + random.nextInt(kind == 0 ? 23 : kind == 1 ? 29 : 19);
    switch (kind) {
      case 0 -> edges(rank, many, lines);
      case 1 -> {
        for (int i = 0; i < many; i++) {
          lines.add(nccl(rank));
        }
      }
      default -> training(rank, many, lines);
    }
    count[kind] += lines.size();
    return new Turn(rank.host, jobs.get(rank.job), rank.pod(), lines);
  }

  /// What every rank prints once as it starts: all its statements, and edges up to this many lines.
  Stream<Turn> start(int linesOfARank) {
    return ranks.stream()
        .map(
            rank -> {
              var lines = new ArrayList<String>();
              rank.nextNccl = 0;
              for (int i = 0; i < nccl.size(); i++) {
                lines.add(nccl(rank));
              }
              while (lines.size() < linesOfARank) {
                edges(rank, 32, lines);
              }
              return new Turn(rank.host, jobs.get(rank.job), rank.pod(), lines);
            });
  }

  private void edges(Rank rank, int many, List<String> lines) {
    int from = rank.rank;
    int to;
    var direction = "";
    String via;
    if (random.nextBoolean()) {
      int next = List.of(1, 7, 2).get(random.nextInt(3));
      to = rank.rank / GPUS * GPUS + (rank.device + next) % GPUS;
      via = P2P.get(random.nextInt(P2P.size()));
    } else {
      int peer = Math.floorMod(rank.rank + (random.nextBoolean() ? GPUS : -GPUS), rank.nranks);
      int nic = random.nextInt(4);
      via =
          rank.job == 2
              ? "NET/Socket/0"
              : random.nextDouble() < .9 ? "NET/Libfabric/" + nic + "/GDRDMA" : "NET/IB/" + nic;
      boolean send = random.nextBoolean();
      direction = send ? " [send]" : " [receive]";
      from = send ? rank.rank : peer;
      to = send ? peer : rank.rank;
    }
    var head = rank.head(rank.tid + 1 + random.nextInt(60));
    int connection = random.nextInt(2);
    for (int i = 0; i < many; i++) {
      lines.add(
          head
              + "NCCL INFO Channel %02d/%d : %d[%d] -> %d[%d]%s via %s"
                  .formatted(i % 32, connection, from, from % GPUS, to, to % GPUS, direction, via));
    }
  }

  private String nccl(Rank rank) {
    var line = nccl.get(rank.nextNccl);
    rank.nextNccl = (rank.nextNccl + 1) % nccl.size();
    var head = HEAD.matcher(line);
    if (head.find()) {
      boolean main = head.group(1).equals(head.group(2));
      line = rank.head(main ? rank.pid : rank.tid) + line.substring(head.end());
    } else {
      line = line.replaceAll("llama-3-8b-node-0-0:\\d+:\\d+ \\[0] ", rank.head(rank.tid));
    }
    var address = "10.0.%d.%d".formatted(rank.job + 4, 20 + rank.node);
    return line.replace("0x562b2c1973d0", rank.comm)
        .replace("0x556d504b7460", rank.comm)
        .replace("0x562b2ca93860", rank.split)
        .replace("0x556d50e02a40", rank.split)
        .replace("0xbc42413ad5ab3a45", rank.commId)
        .replace("0xb079519ed44b724", rank.commId)
        .replace(
            "rank 0 nranks 4 cudaDev 0 nvmlDev 0",
            "rank %d nranks %d cudaDev %d nvmlDev %d"
                .formatted(rank.rank, rank.nranks, rank.device, rank.device))
        .replace("rank 0 nranks 4", "rank %d nranks %d".formatted(rank.rank, rank.nranks))
        .replace(
            "rank 0 nRanks 4 nNodes 4 localRanks 1 localRank 0",
            "rank %d nRanks %d nNodes %d localRanks 8 localRank %d"
                .formatted(rank.rank, rank.nranks, nodes[rank.job], rank.device))
        .replaceAll("busId (101d0|36000)", "busId %x".formatted(0x101d0 + rank.device * 0x1010))
        .replace("10.0.4.51", address)
        .replace("10.0.5.112", address)
        .replaceAll("CPU core \\d+", "CPU core " + random.nextInt(96))
        .replaceAll(
            "total \\d+\\.\\d+", String.format(Locale.ROOT, "total %.2f", random.nextDouble(70)));
  }

  private void training(Rank rank, int many, List<String> lines) {
    boolean steps = random.nextDouble() < .35;
    while (lines.size() < many) {
      if (!steps) {
        lines.add(training.get(rank.nextTraining));
        rank.nextTraining = (rank.nextTraining + 1) % training.size();
        continue;
      }
      rank.step = rank.step % 1722 + 1;
      double second = 28 + random.nextDouble(12);
      int tenths = rank.step * 10 / 1722;
      lines.add(
          String.format(
              Locale.ROOT,
              "%3d%%|%-10s| %d/1722 [%s<%s, %.2fs/it]",
              rank.step * 100 / 1722,
              "█".repeat(tenths),
              rank.step,
              clock(rank.step * second),
              clock((1722 - rank.step) * second),
              second));
      if (lines.size() < many && random.nextBoolean()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "{'loss': %.4f, 'grad_norm': %.14f, 'learning_rate': %.15g, 'epoch': %.2f}",
                2.5 - rank.step / 1000.0,
                random.nextDouble(3),
                2e-5 * (1 - rank.step / 1722.0),
                rank.step / 574.0));
      }
    }
  }

  private static String clock(double seconds) {
    int whole = (int) seconds;
    return whole >= 3600
        ? "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60)
        : "%02d:%02d".formatted(whole / 60, whole % 60);
  }

  @Override
  public void close() {}
}
