package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.state.PackedInput;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// One job of 16,384 ranks on 2,048 nodes, two calls a second and rank: what its nodes tell, what
/// is found, and how large records become. With `-Dringside.large.figures=true` prints processor
/// time and memory, with `-Dringside.large.nodes=8192` the job has 65,536 ranks.
class LargeJobTest {
  private static final int NODES = Integer.getInteger("ringside.large.nodes", 2048);
  private static final int RANKS = 8 * NODES;
  private static final int STEPS = 30;
  private static final int STEP_MILLIS = 1_500;
  private static final int CALLS = 3;
  private static final int SAMPLED_SECONDS = 3;
  private static final int LATE_RANK = RANKS / 2 + 3;
  private static final int LATE_FROM = 10;
  private static final long BEGIN = 1_790_000_000_000_000_000L;
  private static final long MILLI = 1_000_000;

  /// The largest record that brokers take by default; Ringside's topics take four times as much.
  private static final int LARGEST = 1 << 20;

  private final Figures figures = new Figures();
  private int largestTold;
  private long told;
  private final Replay replay =
      new Replay(
          new NodeJoin(500),
          input -> {
            int size = PackedInput.of(input).bytes().length;
            largestTold = Math.max(largestTold, size);
            told += size;
          });

  @Test
  void findsTheStragglerOfAJobOfSixteenThousandRanks() {
    var logs = IntStream.range(0, NODES).mapToObj(LargeJobTest::log).toList();
    logs.forEach(log -> take(log.cut(false)));
    figures.say("the start of all ranks, 17 lines each", 1);
    for (int from = 0; from < STEPS; from += 5) {
      for (int node = 0; node < NODES; node++) {
        steps(logs.get(node), node, from, from + 5);
        take(logs.get(node).cut(false));
      }
    }
    figures.say("a second of training", STEPS * STEP_MILLIS / 1e3);
    for (int second = 0; second < SAMPLED_SECONDS; second++) {
      for (int node = 0; node < NODES; node++) {
        take(List.of(sample(node, second)));
      }
    }
    figures.say("a second of GPU samples", SAMPLED_SECONDS);
    var job = replay.jobs().values().iterator().next();
    var judge = new Judge(Expectations.builtIn());
    var now = Instant.ofEpochSecond(0, at(STEPS));
    var verdict = figures.of(() -> judge.judge(job, now));
    figures.say("a judgement", 1);

    assertThat(job.runs()).hasSize(1);
    var run = verdict.runs().getFirst();
    assertThat(run.nranks()).isEqualTo(RANKS);
    assertThat(run.ranksSeen()).isEqualTo(RANKS);
    assertThat(run.waits().rounds()).isGreaterThanOrEqualTo((STEPS - 1) * CALLS);
    assertThat(verdict.findings())
        .filteredOn(finding -> finding.kind() == FindingKind.STRAGGLER)
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(LATE_RANK));
    // every rank fell back to sockets: one finding names all
    assertThat(verdict.findings())
        .extracting(finding -> finding.kind())
        .containsExactlyInAnyOrder(FindingKind.STRAGGLER, FindingKind.EFA_FALLBACK);
    assertThat(largestTold).isLessThan(LARGEST);
    assertThat(told / RANKS).isLessThan(20_000);
    var sizes = new ArrayList<Integer>();
    verdict
        .findings()
        .forEach(
            finding ->
                sizes.add(
                    Topics.FINDINGS
                        .valueSerde()
                        .serializer()
                        .serialize("findings", finding)
                        .length));
    sizes.add(Topics.RUNS.valueSerde().serializer().serialize("runs", run).length);
    assertThat(sizes).allSatisfy(size -> assertThat(size).isLessThan(LARGEST));
  }

  @Test
  void joinsGroupsThatComeUpBeforeTheWorld() {
    int nodes = 1_100;
    var logs =
        IntStream.range(0, nodes)
            .mapToObj(node -> new WrittenLog("node-%04d".formatted(node), "large"))
            .toList();
    for (boolean world : new boolean[] {false, true}) {
      for (int node = 0; node < nodes; node++) {
        for (int rank = 8 * node; rank < 8 * node + 8; rank++) {
          var who = world ? who(rank) : group(rank);
          logs.get(node)
              .add(
                  BEGIN + (world ? 1_000 : 0) * MILLI,
                  head(rank) + "ncclCommInitRankConfig " + who + " - Init START");
          logs.get(node)
              .add(
                  BEGIN + (world ? 1_001 : 1) * MILLI,
                  head(rank) + "ncclCommInitRankConfig " + who + " - Init COMPLETE");
        }
        take(logs.get(node).cut(false));
      }
      figures.say(world ? "world" : "groups", 1);
    }

    var job = replay.jobs().values().iterator().next();
    assertThat(job.runs())
        .singleElement()
        .satisfies(run -> assertThat(run.processes()).hasSize(8 * nodes));
  }

  private void take(List<? extends AgentEvent> records) {
    figures.of(() -> replay.addAll(records));
  }

  /// Processor time of what is of interest, without making the lines.
  private static final class Figures {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private long nanos;

    <T> T of(Supplier<T> work) {
      long began = THREADS.getCurrentThreadCpuTime();
      var made = work.get();
      nanos += THREADS.getCurrentThreadCpuTime() - began;
      return made;
    }

    void say(String what, double times) {
      if (Boolean.getBoolean("ringside.large.figures")) {
        System.gc();
        var memory = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        System.out.printf(
            Locale.ROOT,
            "%s: %.3f CPU-s; then %d MiB live%n",
            what,
            nanos / 1e9 / times,
            memory.getUsed() >> 20);
      }
      nanos = 0;
    }
  }

  private static WrittenLog log(int node) {
    var log = new WrittenLog("node-%04d".formatted(node), "large");
    for (int local = 0; local < 8; local++) {
      int rank = 8 * node + local;
      int next = local < 7 ? rank + 1 : (rank + 1) % RANKS;
      var head = head(rank);
      var lines =
          List.of(
              "NCCL version 2.28.3+cuda12.9",
              "NET/OFI Initializing aws-ofi-nccl 1.16.2",
              "NET/OFI No eligible providers were found",
              "Failed to initialize NET plugin Libfabric",
              "Using network Socket",
              "NCCL_SOCKET_IFNAME set by environment to ^docker0,lo",
              "ncclCommInitRankConfig " + who(rank) + " - Init START",
              "comm 0x5a%x rank %d nRanks %d nNodes %d localRanks 8 localRank %d MNNVL 0"
                  .formatted(rank, rank, RANKS, NODES, local),
              "16 coll channels, 16 collnet channels, 0 nvls channels, 16 p2p channels, 2 p2p channels per peer",
              "ncclCommInitRankConfig " + who(rank) + " - Init COMPLETE",
              "Channel 00/0 : %d[%d] -> %d[%d] %s"
                  .formatted(
                      rank,
                      local,
                      next,
                      local < 7 ? local + 1 : 0,
                      local < 7 ? "via P2P/CUMEM" : "[send] via NET/Socket/0"),
              "Connected all rings, use ring PXN 0 GDR 0",
              "Connected all trees",
              // a group of its node's ranks, as tensor parallelism has it
              "ncclCommInitRankConfig " + group(rank) + " - Init START",
              "comm 0x6b%x rank %d nRanks 8 nNodes 1 localRanks 8 localRank %d MNNVL 0"
                  .formatted(rank, local, local),
              "ncclCommInitRankConfig " + group(rank) + " - Init COMPLETE",
              "Connected all rings, use ring PXN 0 GDR 0");
      for (int i = 0; i < lines.size(); i++) {
        log.add(BEGIN + i * MILLI, head + lines.get(i));
      }
    }
    return log;
  }

  private static String who(int rank) {
    return "comm 0x5a%x rank %d nranks %d cudaDev %d nvmlDev %d busId %s commId 0xc0ffee"
        .formatted(rank, rank, RANKS, rank % 8, rank % 8, "%x0000".formatted(rank % 8 + 1));
  }

  private static String group(int rank) {
    return "comm 0x6b%x rank %d nranks 8 cudaDev %d nvmlDev %d busId %s commId 0xf%x"
        .formatted(rank, rank % 8, rank % 8, rank % 8, "%x0000".formatted(rank % 8 + 1), rank / 8);
  }

  private static void steps(WrittenLog log, int node, int from, int to) {
    for (int local = 0; local < 8; local++) {
      int rank = 8 * node + local;
      for (int step = from; step < to; step++) {
        long late = step >= LATE_FROM && rank == LATE_RANK ? 200 * MILLI : 0;
        long differs = rank * 7_919L % 1_000 * 1_000;
        for (int i = 0; i < CALLS; i++) {
          log.add(
              at(step) + late + differs + i * 100_000L,
              head(rank)
                  + "AllReduce: opCount 0 sendbuff 0x7f00 recvbuff 0x7f10 count %d datatype 9 op 0 root 0 comm 0x5a%x [nranks=%d] stream 0x55"
                      .formatted(1_000 + i, rank, RANKS));
        }
      }
    }
  }

  private static long at(int step) {
    return BEGIN + (4_000L + (long) STEP_MILLIS * step) * MILLI;
  }

  private static String head(int rank) {
    return "h%d:%d:%d [%d] NCCL INFO "
        .formatted(rank / 8, 100 + rank % 8, 100 + rank % 8, rank % 8);
  }

  private static GpuSample sample(int node, int second) {
    var readings =
        IntStream.range(0, 8)
            .mapToObj(
                gpu ->
                    new GpuReading(
                        gpu,
                        "0000:%02x:00.0".formatted(gpu + 1),
                        "GPU-%d-%d".formatted(node, gpu),
                        "NVIDIA H100 80GB HBM3",
                        99.0,
                        61_000.0,
                        81_559.0,
                        600.0 + gpu,
                        700.0,
                        60.0,
                        1_980.0,
                        1_980.0,
                        0L,
                        0L,
                        null,
                        null))
            .toList();
    return new GpuSample(
        "c",
        "node-%04d".formatted(node),
        Instant.ofEpochSecond(0, at(0) + second * 1_000L * MILLI),
        readings);
  }
}
