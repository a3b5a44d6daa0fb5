package io.ringside.streams.detect.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffloadMissingTest {
  @Test
  void isANoteWhereSharpWasTriedInVain() {
    var log = new HandMadeLog();
    log.rank(0, 2, 1, "IBext", "NCCL INFO NCCL_COLLNET_ENABLE set by environment to 1.");
    log.say(
        0,
        1,
        "transport.cc:253 NCCL WARN Cannot initialize CollNet, using point-to-point network instead");
    log.up(0, 2, 1);

    assertThat(log.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.OFFLOAD_MISSING);
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
            });
  }

  @Test
  void isANoteWhereNoPluginBringsCollNet() {
    assertThat(offloads(collNet(2, "IB", "NCCL_COLLNET_ENABLE set by environment to 1.")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(0, 1, 2, 3);
              assertThat(finding.cause()).contains("plugin");
            });
  }

  @Test
  void saysNothingWhereCollNetMayBeUsedOrCannotHelp() {
    var asked = "NCCL_COLLNET_ENABLE set by environment to 1.";
    assertThat(offloads(collNet(4, "IB", asked))).as("one host").isEmpty();
    assertThat(offloads(collNet(2, "IBext_v8", asked))).as("a plugin").isEmpty();
    assertThat(offloads(collNet(2, "IB", "NCCL_COLLNET_ENABLE set by environment to 0.")))
        .as("forbidden")
        .isEmpty();
    assertThat(
            offloads(
                collNet(2, "IB", asked, "NCCL_COLLNET_NODE_THRESHOLD set by environment to 3.")))
        .as("too few hosts")
        .isEmpty();
  }

  /// Four ranks that print these variables.
  private static HandMadeLog collNet(int localRanks, String network, String... variables) {
    var told = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      for (var variable : variables) {
        told.say(rank, localRanks, "NCCL INFO " + variable);
      }
      told.rank(rank, 4, localRanks, network).up(rank, 4, localRanks);
    }
    return told;
  }

  @Test
  void tellsOfRanksThatLackNvlsAmongOthersThatHaveIt() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      log.rank(rank, 4, 4, "Socket");
      log.say(
          rank,
          4,
          "NCCL INFO NVLS multicast support is %savailable on dev %d"
              .formatted(rank == 3 ? "not " : "", rank));
      log.up(rank, 4, 4);
    }

    assertThat(offloads(log))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NCCL_ALGO set by environment to NVLS,Ring | true",
        "NCCL_ALGO set by environment to ^NVLS | false",
        "NCCL_ALGO set by environment to Ring | false",
        "NCCL_NVLS_ENABLE set by environment to 1. | true"
      })
  void isANoteWhereItWasAskedForInVain(String asked, boolean told) {
    var said = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      said.rank(
              rank,
              2,
              2,
              "Socket",
              "NCCL INFO " + asked,
              "NCCL INFO NVLS multicast support is not available on dev 0")
          .up(rank, 2, 2);
    }

    assertThat(offloads(said)).hasSize(told ? 1 : 0);
  }

  @Test
  void saysNothingOfMachinesWithoutIt() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 2, "Socket", "NCCL INFO NVLS multicast support is not available on dev 0")
          .up(rank, 2, 2);
    }

    assertThat(offloads(log)).isEmpty();
  }

  @Test
  void isAWarningWhereTheLastRunHadNvls() {
    var offloads = offloads(nightly("0xaaa", 16), nightly("0xbbb", 0));

    assertThat(offloads)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.run()).isEqualTo("0xbbb");
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(0, 1);
              assertThat(finding.expected()).contains("0xaaa");
            });
  }

  @Test
  void saysNothingWhereNoRunHadIt() {
    assertThat(offloads(nightly("0xaaa", 0), nightly("0xbbb", 0))).isEmpty();
  }

  @Test
  void saysNothingWhereSomebodyForbidsIt() {
    var forbidden = nightly("0xbbb", 0);
    forbidden.addFirst("node-0:300:300 [0] NCCL INFO NCCL_NVLS_ENABLE set by environment to 0.");

    assertThat(offloads(nightly("0xaaa", 16), forbidden)).isEmpty();
  }

  @Test
  void isAWarningWhereTheLastRunHadSharp() {
    var offloads = offloads(sharp("0xaaa", true), sharp("0xbbb", false));

    assertThat(offloads)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.run()).isEqualTo("0xbbb");
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.summary()).contains("SHARP (CollNet) is no longer used");
              assertThat(finding.cause()).isEqualTo("NCCL_COLLNET_ENABLE=1 is no longer set");
            });
    assertThat(offloads(sharp("0xaaa", false), sharp("0xbbb", true))).isEmpty();
    assertThat(offloads(sharp("0xaaa", true), sharp("0xbbb", true))).isEmpty();
    // a log without edges does not show what it has
    assertThat(offloads(sharp("0xaaa", true), nightly("0xbbb", 0))).isEmpty();
  }

  private static List<String> sharp(String comm, boolean used) {
    var lines = new ArrayList<>(nightly(comm, 0));
    for (int rank = 0; rank < 2; rank++) {
      int pid = (comm.equals("0xaaa") ? 200 : 300) + rank;
      var header = "node-0:%d:%d [%d] NCCL INFO ".formatted(pid, pid, rank);
      if (used) {
        lines.addFirst(header + "NCCL_COLLNET_ENABLE set by environment to 1.");
        lines.add(header + "CollNet 00/0 : %d [send] via COLLNET/SHARP/0/GDRDMA".formatted(rank));
      }
      lines.add(
          header
              + "Channel 00/0 : %d[%d] -> %d[%d] via P2P/CUMEM"
                  .formatted(rank, rank, 1 - rank, 1 - rank));
    }
    return lines;
  }

  /// Two ranks of one host, in the process ids of that night.
  private static List<String> nightly(String comm, int nvlsChannels) {
    int pid = comm.equals("0xaaa") ? 200 : 300;
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      var header = "node-0:%d:%d [%d] NCCL INFO ".formatted(pid + rank, pid + rank, rank);
      var init =
          "ncclCommInitRankConfig comm 0x55 rank %d nranks 2 cudaDev %d nvmlDev %d busId %d000 commId %s - Init "
              .formatted(rank, rank, rank, rank + 1, comm);
      lines.add(header + init + "START");
      lines.add(
          header
              + "comm 0x55 rank %d nRanks 2 nNodes 1 localRanks 2 localRank %d MNNVL 0"
                  .formatted(rank, rank));
      lines.add(
          header
              + "8 coll channels, 8 collnet channels, %d nvls channels, 8 p2p channels, 8 p2p channels per peer"
                  .formatted(nvlsChannels));
      lines.add(header + init + "COMPLETE");
    }
    return lines;
  }

  private static List<Finding> offloads(List<String> yesterday, List<String> today) {
    var lines = new ArrayList<>(yesterday);
    lines.addAll(today);
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.OFFLOAD_MISSING)
        .toList();
  }

  private static List<Finding> offloads(HandMadeLog log) {
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.OFFLOAD_MISSING)
        .toList();
  }
}
