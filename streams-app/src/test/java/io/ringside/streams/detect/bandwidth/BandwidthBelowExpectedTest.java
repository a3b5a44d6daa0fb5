package io.ringside.streams.detect.bandwidth;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Lines;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandwidthBelowExpectedTest {
  private static final String PLATFORM =
      "%s:100:100 [0] NCCL INFO NET/OFI Running on %s platform, Setting NCCL_TOPO_FILE environment variable to /opt/aws-ofi-nccl/share/%s.xml";

  @ParameterizedTest
  @CsvSource({
    // NVLink of an H200: 450 GB/s, of which a healthy ring reaches 70 %
    "all_reduce_perf, 1, NVIDIA H200, 354, false",
    "all_reduce_perf, 1, NVIDIA H200, 250, true",
    "alltoall_perf, 1, NVIDIA H200, 305, false",
    "alltoall_perf, 1, NVIDIA H200, 100, true",
    // cards without NVLink, models nobody knows, operations without an expectation
    "all_reduce_perf, 1, NVIDIA H100 PCIe, 30, false",
    "all_reduce_perf, 1, NVIDIA X1, 30, false",
    "hypercube_perf, 1, NVIDIA H200, 30, false",
    // between hosts of an unknown type
    "all_reduce_perf, 2, NVIDIA H200, 30, false",
  })
  void judgesByTheModelWhereTheMachineIsNotKnown(
      String program, int hosts, String gpu, double busbw, boolean slow) {
    assertThat(judged(table(program, hosts, 8, gpu, row(1L << 30, busbw, 0))))
        .hasSize(slow ? 1 : 0)
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING));
  }

  @ParameterizedTest
  @CsvSource({
    // p5.48xlarge: 3200 Gbit/s are 400 GB/s between machines
    "p5.48xlarge, 8, 300, false",
    "p5.48xlarge, 8, 60, true",
    // two of eight GPUs have a quarter of the network cards
    "p5.48xlarge, 2, 80, false",
    "p4d.24xlarge, 8, 40, false",
    "p4d.24xlarge, 8, 6, true",
  })
  void judgesByTheMachinesNetworkBetweenHosts(
      String type, int gpusAHost, double busbw, boolean slow) {
    var lines =
        table("all_reduce_perf", 2, gpusAHost, "NVIDIA H100 80GB HBM3", row(1L << 30, busbw, 0));
    lines.add(0, PLATFORM.formatted("bench-node-0-0", type, type));

    assertThat(judged(lines)).hasSize(slow ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    // eight ports of 100 Gbit/s are 100 GB/s, of which half must come
    "8, 8, IB, /GDRDMA, 12, true, NVIDIA H100 80GB HBM3",
    "8, 8, IB, /GDRDMA, 60, false, NVIDIA H100 80GB HBM3",
    // two GPUs use two ports; ports of RoCE are of any speed; host memory is in the way
    "8, 2, IB, /GDRDMA, 12, false, NVIDIA H100 80GB HBM3",
    "8, 8, RoCE, /GDRDMA, 12, false, NVIDIA H100 80GB HBM3",
    "8, 8, IB, '', 12, false, NVIDIA H100 80GB HBM3",
    "2, 8, IB, /GDRDMA, 12, false, NVIDIA H100 80GB HBM3",
    // what the hosts' PCIe carries is less than their ports do
    "8, 8, IB, /GDRDMA, 12, false, NVIDIA L40S",
  })
  void judgesByThePortsWhereTheMachineIsNotKnown(
      int ports, int gpusAHost, String link, String gdr, double busbw, boolean slow, String gpu) {
    var lines = new ArrayList<String>();
    var using = new StringBuilder("NET/IB : Using");
    for (int port = 0; port < ports; port++) {
      using.append(" [%d]mlx5_%d:1/%s".formatted(port, port, link));
    }
    int ranks = 2 * gpusAHost;
    for (int rank = 0; rank < ranks; rank++) {
      var head =
          "bench-node-0-%d:%d:%d [%d] NCCL INFO "
              .formatted(rank / gpusAHost, 7124 + rank, 7224 + rank, rank % gpusAHost);
      var comm =
          "ncclCommInitRank comm 0x55d0%04x rank %d nranks %d cudaDev %d nvmlDev %d busId %x000 commId 0xabc1 - Init "
              .formatted(rank, rank, ranks, rank % gpusAHost, rank % gpusAHost, rank % gpusAHost);
      lines.add(head + using + " [RO]; OOB eth0:10.0.0.%d<0>".formatted(rank / gpusAHost));
      lines.add(head + comm + "START");
      lines.add(
          head
              + "Channel 00/0 : %d[%d] -> %d[%d] [send] via NET/IB/0%s"
                  .formatted(
                      rank, rank % gpusAHost, (rank + gpusAHost) % ranks, rank % gpusAHost, gdr));
      lines.add(head + comm + "COMPLETE");
    }
    lines.addAll(table("all_reduce_perf", 2, gpusAHost, gpu, row(1L << 30, busbw, 0)));

    assertThat(judged(lines)).hasSize(slow ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "7.5, 7.6, 4.9, 0.9, false", // one size alone
    "7.5, 7.6, 2.7, 0.9, true",
    "7.5, 7.6, 5.1, 4.2, false", // as where host memory's caches end
    "0.9, 2.1, 7.5, 7.6, false",
    "7.5, 7.6, 0.9, 7.6, false",
  })
  void largeSizesFallOnNoHealthyLink(
      double first, double second, double third, double fourth, boolean falls) {
    var findings =
        judged(
            table(
                "sendrecv_perf",
                2,
                1,
                "NVIDIA X1",
                row(1L << 28, first, 0),
                row(1L << 30, second, 0),
                row(1L << 32, third, 0),
                row(1L << 34, fourth, 0)));

    assertThat(findings)
        .hasSize(falls ? 1 : 0)
        .allSatisfy(
            finding ->
                assertThat(finding.summary())
                    .isEqualTo("sendrecv_perf falls from 7.6 GB/s at 1 GiB to 0.9 GB/s at 16 GiB"));
  }

  @Test
  void judgesTheBestOfTheLargeSizesOnly() {
    assertThat(
            judged(
                table(
                    "all_reduce_perf",
                    1,
                    8,
                    "NVIDIA H200",
                    row(8, 0.01, 0),
                    row(1 << 20, 35, 0),
                    row(1 << 27, 200, 0),
                    row(1 << 30, 354, 0))))
        .isEmpty();
    assertThat(judged(table("all_reduce_perf", 1, 8, "NVIDIA H200", row(1 << 20, 35, 0))))
        .isEmpty();
  }

  @Test
  void waitsForTheLargestSizesOfATableThatGrows() {
    var lines =
        table("all_reduce_perf", 1, 8, "NVIDIA H200", row(1 << 26, 100, 0)).toArray(String[]::new);

    assertThat(live(lines)).isEmpty();
    assertThat(live(Arrays.copyOf(lines, lines.length + 1), "# Avg bus bandwidth    : 300.0"))
        .hasSize(1);
  }

  private static List<Finding> live(String[] lines, String... last) {
    System.arraycopy(last, 0, lines, lines.length - last.length, last.length);
    var replay = new Replay().addAll(List.of(Lines.of(0, false, lines)));
    return new Judge(Expectations.builtIn())
        .judge(replay.jobs().values().iterator().next(), Lines.AT).findings().stream()
            .filter(finding -> finding.kind() == FindingKind.BANDWIDTH_BELOW_EXPECTED)
            .toList();
  }

  @Test
  void findsWrongResultsCritical() {
    var found =
        judged(
            table(
                "all_reduce_perf",
                1,
                8,
                "NVIDIA H200",
                row(1L << 29, 354, 0),
                row(1L << 30, 354, 12)));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().severity()).isEqualTo(Severity.CRITICAL);
    assertThat(found.getFirst().observed()).isEqualTo("#wrong 12");
    assertThat(found.getFirst().evidence().getFirst().text()).contains("1073741824");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // the bounds of what is printed at once
        "  1073741824  268435456  float  sum  -1|  4000.0  268.44  469.77  12  4000.0  268.44  469.77  0",
        "  1073741824  268435456  float  sum  -1  4000.0  268.44  469.77  12|  4000.0  268.44  469.77  0",
        "  1073741824  268435456  float  sum  -1  4000.0  268.44  469.77  12  4000.0  268.44  469.77  0|",
        // a buffer's end: within a word, a time, a bandwidth, the count itself
        "  1073741824  268435456  float  s|um  -1  4000.0  268.44  469.77  12  4000.0  268.44  469.77  0",
        "  1073741824  268435456  float  sum  -1  40|00.0  268.44  469.77  12  4000.0  268.44  469.77  0",
        "  1073741824  268435456  float  sum  -1  4000.0  268.4|4  469.77  12  4000.0  268.44  469.77  0",
        "  1073741824  268435456  float  sum  -1  4000.0  268.44  469.77  1|2  4000.0  268.44  469.77  0",
        // twice
        "  1073741824  268435456  float  sum  -1|  4000.0  268.44  469.77  12|  4000.0  268.44  469.77  0",
        "  1073741824  268435456  float  sum  -1|  4000.0  268.44  469.77  1|2  4000.0  268.44  469.77  0",
      })
  void putsARowTogetherIntoWhichNcclPrinted(String row) {
    assertThat(judged(torn(row, "bench-node-0-0")))
        .singleElement()
        .satisfies(found -> assertThat(found.observed()).isEqualTo("#wrong 12"));
  }

  /// A launcher that passes on what it reads ends the line there.
  @Test
  void putsARowTogetherOfWhichEachPartHasItsLine() {
    var row =
        "  1073741824  268435456  float  sum  -1  40|00.0  268.44  469.77  12  4000.0  268.44  469.77  0";

    assertThat(judged(torn(row.replace("|", "\n|"), "bench-node-0-0")))
        .singleElement()
        .satisfies(found -> assertThat(found.observed()).isEqualTo("#wrong 12"));
  }

  /// Its last digits may be the host's, or the other way round; or a part is missing.
  @ParameterizedTest
  @CsvSource({
    "'  1073741824  268435456  float  sum  -1  40|00.0  268.44  469.77  12  4000.0  268.44  469.77  0', 4bench",
    "'  1073741824  268435456  float  sum  -1|  4000.0  268.44  469.77  0  4000.0  268.44  469.77  0', 4bench",
    "'  1073741824  268435456  float  sum|  268.44  469.77  12  4000.0  268.44  469.77  0', bench-node-0-0",
    "'  1073741824  268435456  float  sum  -1|  268.44  469.77  12  4000.0  268.44  469.77  0', bench-node-0-0",
  })
  void believesNoRowOfWhichAPartMayBeMissing(String row, String host) {
    var verdict = Recorded.of(Map.of("bench-node-0-0.log", torn(row, host))).judged();

    assertThat(verdict.findings()).noneMatch(found -> found.severity() == Severity.CRITICAL);
    assertThat(verdict.runs().getLast().notJudged())
        .anySatisfy(
            each ->
                assertThat(each.because())
                    .isEqualTo(
                        "other lines were printed into a row of nccl-tests: whether its results are right could not be read"));
  }

  /// @param row with a bar where NCCL prints a line
  private static List<String> torn(String row, String host) {
    var lines = table("all_reduce_perf", 1, 8, "NVIDIA H200", row(1L << 29, 354, 0));
    var call = host + ":7124:7200 [0] NCCL INFO Channel 03/0 : 0[0] -> 1[1] via P2P/IPC\n";
    lines.addAll(List.of(row.replace("|", call).split("\n", -1)));
    lines.add("# Avg bus bandwidth    : 300.0");
    return lines;
  }

  @ParameterizedTest
  @CsvSource({
    "2e-07, 2e-07, false", // what rounding leaves
    "0e+00, 0e+00, false",
    "2e-07, 1e+00, true",
    "3e+04, 2e-07, true",
  })
  void tellsNoCountWhereTheTableHasErrors(String apart, String inPlace, boolean wrong) {
    var row =
        "  1073741824     268435456     float     sum    4000.0   268.44   469.77  %s    4000.0   268.44   469.77  %s"
            .formatted(apart, inPlace);

    assertThat(judged(table("all_reduce_perf", 1, 8, "NVIDIA H200", row)))
        .hasSize(wrong ? 1 : 0)
        .allSatisfy(
            found -> {
              assertThat(found.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(found.summary())
                  .isEqualTo(
                      "all_reduce_perf computed wrong results: errors up to %s at 1 GiB"
                          .formatted(inPlace.startsWith("1") ? "1e+00" : "3e+04"));
              assertThat(found.observed()).contains("how many elements are wrong is not said");
            });
  }

  @Test
  void keepsTablesOfOneFileApart() {
    var lines = table("all_reduce_perf", 1, 8, "NVIDIA H200", row(1L << 30, 354, 0));
    lines.addAll(table("all_gather_perf", 1, 8, "NVIDIA H200", row(1L << 30, 26, 0)));

    var found = judged(lines);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().summary()).startsWith("all_gather_perf reached 26 GB/s at 1 GiB");
  }

  private static List<String> table(
      String program, int hosts, int gpus, String gpu, String... rows) {
    var lines = new ArrayList<String>();
    lines.add("# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809");
    lines.add("# Collective test starting: " + program);
    lines.add("# Using devices");
    for (int rank = 0; rank < hosts * gpus; rank++) {
      lines.add(
          "#  Rank %2d Group  0 Pid   %d on bench-node-0-%d device %2d [0000:%02x:00] %s"
              .formatted(rank, 7124 + rank, rank / gpus, rank % gpus, rank % gpus, gpu));
    }
    lines.addAll(List.of(rows));
    return lines;
  }

  private static String row(long bytes, double busbw, long wrong) {
    return "%12d     268435456     float     sum      -1   4550.46   %.2f   %.2f   %5d   4546.02   %.2f   %.2f       0"
        .formatted(bytes, busbw / 1.5, busbw, wrong, busbw / 1.5, busbw);
  }

  private static List<Finding> judged(List<String> lines) {
    return Recorded.of(Map.of("bench-node-0-0.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.BANDWIDTH_BELOW_EXPECTED)
        .toList();
  }
}
