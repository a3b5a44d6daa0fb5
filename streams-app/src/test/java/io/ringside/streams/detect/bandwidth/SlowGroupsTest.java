package io.ringside.streams.detect.bandwidth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.witness.WitnessFile;
import io.ringside.streams.witness.WitnessLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlowGroupsTest {
  private static final long MICROS = 1_795_414_600_000_000L;
  private static final long MIB = 1 << 20;
  private static final String WORLD = "0x2a05a66d3f85a1";

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);

  @Test
  void aGroupThatFellIsNamedWithWhatItReached() {
    var finding =
        one(
            of(
                world(
                    300,
                    (_, second) -> second < 200 ? 45 : 11,
                    (_, second) -> second < 200 ? 90 : 20)));
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.state()).isEqualTo(Finding.State.ACTIVE);
    assertThat(finding.ranks()).containsExactly(0, 1, 2, 3);
    assertThat(finding.summary())
        .matches("All\\w+ among ranks 0-3 fell from [49]\\d\\.\\d to [12]\\d\\.\\d GB/s");
    assertThat(finding.cost().slowdown()).isBetween(3.5, 5.5);
    assertThat(finding.since()).isBetween(at(190), at(206));
  }

  @ParameterizedTest
  @CsvSource({"15, none", "45, INFO", "360, WARNING"})
  void whatCameBackCountsByItsLength(int seconds, String severity) {
    Speed fell = (_, second) -> second >= 200 && second < 200 + seconds ? 11 : 45;
    var findings = of(world(700, fell, fell));
    assertThat(findings).hasSize(severity.equals("none") ? 0 : 1);
    assertThat(findings)
        .allSatisfy(it -> assertThat(it.severity().name()).isEqualTo(severity))
        .allSatisfy(it -> assertThat(it.state()).isEqualTo(Finding.State.CLEARED));
  }

  /// What the program does beside one kind of call slows that kind alone.
  @Test
  void oneKindOfCallAloneIsNoLink() {
    assertThat(of(world(300, (_, second) -> second < 200 ? 45 : 11, (_, _) -> 90))).isEmpty();
  }

  /// Processes that share a GPU, calls among other traffic.
  @Test
  void whatAlwaysVariesFellAtNoTime() {
    Speed varies = (_, second) -> second / 20 % 3 == 0 ? 45 : 9;
    assertThat(of(world(600, varies, varies))).isEmpty();
  }

  @Test
  void aSlowStartIsNone() {
    Speed starts = (_, second) -> second < 60 ? 10 : 45;
    assertThat(of(world(300, starts, starts))).isEmpty();
  }

  /// The others' calls hold the wait; the rank that came last reaches what it always did.
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void aRankThatIsWaitedForIsNoLink(int late) {
    Speed waits = (rank, second) -> second < 200 || rank == late ? 45 : 1;
    assertThat(of(world(300, waits, waits))).isEmpty();
  }

  @Test
  void timesOfTheCpuAreNone() {
    Speed fell = (_, second) -> second < 200 ? 45 : 11;
    var files = world(300, fell, fell);
    files.replaceAll((_, text) -> text.replace("kernel_gpu", "kernel_cpu"));
    assertThat(of(files)).isEmpty();
  }

  @Test
  void smallCallsAreNone() {
    var files = new TreeMap<String, String>();
    for (int rank = 0; rank < 4; rank++) {
      files.put(
          "r" + rank,
          text(WORLD, rank, 4, 1, "AllReduce", MIB, 300, (_, second) -> second < 200 ? 45 : 11));
    }
    assertThat(of(files)).isEmpty();
  }

  /// One of four rails over four machines, each rail a group.
  @Test
  void aRailBehindTheOthersIsNamed() {
    var finding = one(of(rails(4, rail -> rail == 2 ? 12 : 45)));
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.ranks()).containsExactly(2, 6, 10, 14);
    assertThat(finding.summary())
        .matches(
            "AllReduce among ranks 2, 6, 10, 14 reaches 1\\d\\.\\d GB/s, among others 4\\d\\.\\d");
    assertThat(finding.expected()).contains("as 3 groups");
  }

  /// Each group within a machine, two of them over a third one as well.
  @Test
  void theMachineThatAllSlowGroupsShareIsNamed() {
    var finding = one(of(spanning()));
    assertThat(finding.summary()).contains("and another group");
    assertThat(finding.cause()).contains("reach over rack1-09");
  }

  @Test
  void groupsThatAreUnlikeByDesignAreNone() {
    assertThat(of(rails(4, rail -> rail < 2 ? 12 : 45))).isEmpty();
    assertThat(of(rails(4, rail -> 20 + 10 * rail))).isEmpty();
    assertThat(of(rails(3, rail -> rail == 0 ? 12 : 45))).isEmpty();
  }

  /// On one machine some pairs have a bridge and others have none.
  @Test
  void pairsOfOneMachineAreANote() {
    var files = new TreeMap<String, String>();
    for (int rank = 0; rank < 8; rank++) {
      int pair = rank / 2;
      files.put("w" + rank, text(WORLD, rank, 8, 1, "AllReduce", MIB, 120, (_, _) -> 9));
      files.put(
          "p" + rank,
          text(
                  "0x1111111111111" + pair,
                  rank % 2,
                  2,
                  1,
                  "AllReduce",
                  64 * MIB,
                  120,
                  (_, _) -> pair == 0 ? 9 : 45)
              .replace("\"pid\":" + rank % 2 + "}", "\"pid\":" + rank + "}"));
    }
    assertThat(one(of(files)).severity()).isEqualTo(Severity.INFO);
    assertThat(one(of(files)).ranks()).containsExactly(0, 1);
  }

  /// GB/s of a rank at a second.
  private interface Speed {
    double at(int rank, int second);
  }

  private interface Rail {
    double reaches(int rail);
  }

  /// Four ranks that call two kinds, four times a second each.
  private Map<String, String> world(int seconds, Speed reduce, Speed gather) {
    var files = new TreeMap<String, String>();
    for (int rank = 0; rank < 4; rank++) {
      files.put("a" + rank, text(WORLD, rank, 4, 2, "AllReduce", 32 * MIB, seconds, reduce));
      files.put("b" + rank, text(WORLD, rank, 4, 2, "AllGather", 64 * MIB, seconds, gather));
    }
    return files;
  }

  private Map<String, String> rails(int rails, Rail rail) {
    var files = new TreeMap<String, String>();
    var log = new ArrayList<String>();
    for (int rank = 0; rank < 4 * rails; rank++) {
      int own = rank % rails;
      int place = rank / rails;
      log.add(init(place, own, rank, 4 * rails, "0x2a05a66d3f85a1b7"));
      log.add(init(place, own, place, 4, "0x111111111111%d%d00".formatted(own, own)));
      files.put(
          "r" + rank,
          text(
              "0x111111111111%d%d".formatted(own, own),
              place,
              4,
              4,
              "AllReduce",
              64 * MIB,
              120,
              (_, _) -> rail.reaches(own)));
    }
    files.put("log", String.join("\n", log));
    return files;
  }

  /// Eight pairs, each of two machines; of the slow two pairs one half is on one machine.
  private Map<String, String> spanning() {
    var files = new TreeMap<String, String>();
    var log = new ArrayList<String>();
    for (int rank = 0; rank < 16; rank++) {
      int pair = rank / 2;
      int host = rank < 4 && rank % 2 == 1 ? 9 : 10 + rank;
      log.add(init(host, pair, rank, 16, "0x2a05a66d3f85a1b7"));
      log.add(init(host, pair, rank % 2, 2, "0x111111111111%d%d00".formatted(pair, pair)));
      files.put(
          "r" + rank,
          text(
              "0x111111111111%d%d".formatted(pair, pair),
              rank % 2,
              2,
              2,
              "AllReduce",
              64 * MIB,
              120,
              (_, _) -> pair < 2 ? 12 : 45));
    }
    files.put("log", String.join("\n", log));
    return files;
  }

  private static String init(int host, int gpu, int rank, int nranks, String id) {
    var line =
        "rack1-%02d:%d:%d [%d] NCCL INFO ncclCommInitRank comm 0x%x rank %d nranks %d cudaDev %d nvmlDev %d busId %x000 commId %s - Init "
            .formatted(
                host,
                100 + gpu,
                200 + gpu,
                gpu,
                0x5500 + nranks,
                rank,
                nranks,
                gpu,
                gpu,
                1 + gpu,
                id);
    return line + "START\n" + line + "COMPLETE";
  }

  private String text(
      String comm,
      int rank,
      int nranks,
      int nnodes,
      String op,
      long bytes,
      int seconds,
      Speed speed) {
    var text = new StringBuilder();
    for (int call = 0; call < 4 * seconds; call++) {
      double gbps = speed.at(rank, call / 4) * (1 + 0.05 * random.nextGaussian());
      text.append(
          """
          {"header":{"id":"%s","comm_name":"unknown","rank":%d,"n_ranks":%d,"nnodes":%d},"metadata":{"dump_timestamp_us":%d,"hostname":"h","pid":%d},\
          "coll_perf":{"coll":"%s","coll_sn":%d,"coll_msg_size_bytes":%d,"coll_exec_time_us":%d,"coll_timing_source":"kernel_gpu","coll_busbw_gbs":%.6f}}
          """
              .formatted(
                  comm,
                  rank,
                  nranks,
                  nnodes,
                  MICROS + call * 250_000L,
                  rank,
                  op,
                  call,
                  bytes,
                  Math.round(bytes / gbps / 1000),
                  gbps));
    }
    return text.toString();
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(MICROS / 1_000_000 + second);
  }

  private static Finding one(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.getFirst();
  }

  private static List<Finding> of(Map<String, String> files) {
    var lines = new ArrayList<>(List.of(files.getOrDefault("log", "").split("\n")));
    while (lines.size() % Recorded.LINES_A_CHUNK != 0) {
      lines.add(""); // a witness's lines fill chunks of their own
    }
    files.forEach(
        (name, text) -> {
          if (!name.equals("log")) {
            lines.add(WitnessLine.of(WitnessFile.INSPECTOR, text.getBytes(UTF_8)).orElseThrow());
          }
        });
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(it -> it.kind() == FindingKind.BANDWIDTH_BELOW_EXPECTED)
        .toList();
  }
}
