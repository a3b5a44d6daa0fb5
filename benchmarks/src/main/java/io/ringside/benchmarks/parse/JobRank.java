package io.ringside.benchmarks.parse;

import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A rank of a made-up job, which says what the recorded one said: with its own host, pids, rank,
/// pointers and addresses.
final class JobRank {
  private static final int LOCAL = 8;
  private static final Pattern HEAD = Pattern.compile("llama-3-8b-node-0-0:(\\d+):(\\d+) \\[0\\] ");
  private static final Pattern POINTER = Pattern.compile("0x[0-9a-f]{9,}");
  private static final Pattern RING = Pattern.compile("(Channel \\d+/\\d+) : 0 1 2 3$");

  private final RandomGenerator random;
  private final String host;
  private final String address;
  private final int pid;
  private final int tid;
  private final int device;
  private final int rank;
  private final int ranks;
  private final boolean overTcp;
  private final long salt;

  JobRank(RandomGenerator random, String job, int number, int nodes, int node, int device) {
    this.random = random;
    this.host = "%s-node-%d-%d".formatted(job, number, node);
    this.address = "10.0.%d.%d".formatted(number + 4, 20 + node);
    this.pid = random.nextInt(100, 10_000);
    this.tid = pid + random.nextInt(200, 601);
    this.device = device;
    this.rank = node * LOCAL + device;
    this.ranks = nodes * LOCAL;
    this.overTcp = job.startsWith("qwen");
    this.salt = random.nextLong(1L << 32) << 4;
  }

  /// A recorded NCCL line as this rank prints it.
  String nccl(String recorded) {
    var line =
        HEAD.matcher(recorded).replaceFirst(m -> head(m.group(1).equals(m.group(2)) ? pid : tid));
    line = POINTER.matcher(line).replaceAll(this::pointer);
    line =
        line.replace(
                "rank 0 nranks 4 cudaDev 0 nvmlDev 0",
                "rank %d nranks %d cudaDev %d nvmlDev %d".formatted(rank, ranks, device, device))
            .replace("rank 0 nranks 4", "rank %d nranks %d".formatted(rank, ranks))
            .replace(
                "rank 0 nRanks 4 nNodes 4 localRanks 1 localRank 0",
                "rank %d nRanks %d nNodes %d localRanks %d localRank %d"
                    .formatted(rank, ranks, ranks / LOCAL, LOCAL, device))
            .replaceFirst("10\\.0\\.[45]\\.\\d+", address)
            .replaceFirst("CPU core \\d+", "CPU core " + random.nextInt(96));
    return RING.matcher(line).replaceFirst(m -> m.group(1) + " :" + ring());
  }

  private String pointer(MatchResult recorded) {
    return "0x"
        + Long.toHexString(Long.parseUnsignedLong(recorded.group().substring(2), 16) ^ salt);
  }

  private String ring() {
    var ring = new StringBuilder();
    for (var at = 0; at < ranks; at++) {
      ring.append(' ').append(ranks <= 4 * LOCAL ? at : at / LOCAL * LOCAL + (at + 3) % LOCAL);
    }
    return ring.toString();
  }

  private String head(int thread) {
    return "%s:%d:%d [%d] ".formatted(host, pid, thread, device);
  }

  /// What the edges of one run have in common: the header, the two ranks and the transport.
  Edges edges() {
    var within = random.nextBoolean();
    var other =
        within
            ? rank / LOCAL * LOCAL + (device + random.nextInt(1, LOCAL)) % LOCAL
            : (rank + LOCAL) % ranks;
    var sends = random.nextBoolean();
    var via =
        within
            ? switch (random.nextInt(5)) {
              case 0, 1 -> "P2P/CUMEM";
              case 2 -> "P2P/CUMEM/read";
              case 3 -> "P2P/IPC/read";
              default -> "SHM/direct/direct";
            }
            : overTcp
                ? "NET/Socket/0"
                : random.nextInt(10) == 0
                    ? "NET/IB/" + random.nextInt(4)
                    : "NET/Libfabric/" + random.nextInt(4) + "/GDRDMA";
    var from = within || sends ? rank : other;
    var to = within || sends ? other : rank;
    return new Edges(
        head(tid + random.nextInt(1, 61)),
        "%d[%d] -> %d[%d]%s via %s"
            .formatted(
                from,
                from % LOCAL,
                to,
                to % LOCAL,
                within ? "" : sends ? " [send]" : " [receive]",
                via));
  }

  /// A run of edges.
  record Edges(String head, String edge) {

    String line(int channel, int connection) {
      return "%sNCCL INFO Channel %02d/%d : %s".formatted(head, channel % 32, connection, edge);
    }
  }

  /// A recorded line of the training as this rank prints it.
  String training(String recorded) {
    if (recorded.startsWith("MA ")) {
      return String.format(
          Locale.ROOT,
          "MA %.2f GB         Max_MA %.2f GB         CA %.2f GB         Max_CA %d GB ",
          random.nextDouble(15),
          random.nextDouble(15, 16),
          random.nextDouble(15, 16),
          random.nextInt(15, 35));
    }
    if (recorded.startsWith("CPU Virtual")) {
      return String.format(
          Locale.ROOT,
          "CPU Virtual Memory:  used = %.2f GB, percent = %.1f%%",
          random.nextDouble(200),
          random.nextDouble(20));
    }
    return recorded.startsWith("[rank0]")
        ? "[rank%d]%s".formatted(rank, recorded.substring(7))
        : recorded;
  }
}
