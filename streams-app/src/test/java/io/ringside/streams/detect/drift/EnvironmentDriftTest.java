package io.ringside.streams.detect.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentDriftTest {
  private static final int RANKS = 6;
  private static final int A_HOST = 2;

  @Test
  void comparesTheRanksThatPrintAVariable() {
    var drift = drift(rank -> variable("NCCL_NET_GDR_LEVEL", rank == 3 ? "PHB" : "SYS"));

    assertThat(drift)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(3);
              assertThat(finding.observed()).isEqualTo("PHB, SYS");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"NCCL_GRAPH_DUMP_FILE", "NCCL_TOPO_DUMP_FILE", "NCCL_DEBUG_FILE"})
  void aFileForEachRankIsByDesign(String name) {
    assertThat(drift(rank -> variable(name, "/scratch/%d.xml".formatted(rank)))).isEmpty();
  }

  @Test
  void silenceOfWholeHostsTellsOfWhatEveryRankReads() {
    var drift = drift(rank -> rank / A_HOST == 2 ? variable("NCCL_PROTO", "Simple") : List.of());

    assertThat(drift)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(4, 5);
              assertThat(finding.summary()).contains("Simple on ranks 4, 5").contains("not set on");
            });
  }

  @Test
  void silenceTellsNothingWhereOneRankOfAHostPrintsOrOfWhatFewRead() {
    assertThat(drift(rank -> rank == 0 ? variable("NCCL_PROTO", "Simple") : List.of())).isEmpty();
    assertThat(drift(rank -> rank / A_HOST == 2 ? variable("NCCL_IB_TC", "106") : List.of()))
        .isEmpty();
  }

  /// Where a version prints it on one rank of a host, that is the first one.
  @ParameterizedTest
  @ValueSource(strings = {"NCCL_PROTO", "NCCL_CTA_POLICY", "NCCL_MAX_CTAS", "NCCL_WORK_FIFO_BYTES"})
  void silenceOfTheFirstRankOfAHostTellsOfWhatEveryRankReads(String name) {
    assertThat(drift(rank -> rank == 3 ? variable(name, "1") : List.of()))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(3));
  }

  @Test
  void silenceOfHostsWithoutAPluginTellsNothingOfWhatItSets() {
    var adding = List.of("NCCL INFO NET/OFI Adding NCCL_BUFFSIZE=8388608 to environment");

    assertThat(drift(rank -> rank / A_HOST == 2 ? List.of() : adding)).isEmpty();
  }

  @Test
  void hostsMayDifferInWhatNamesTheirInterfaces() {
    assertThat(drift(rank -> variable("NCCL_SOCKET_IFNAME", "eth" + rank / A_HOST))).isEmpty();
    assertThat(drift(rank -> variable("NCCL_IB_GID_INDEX", "" + rank / A_HOST)))
        .extracting(Finding::severity)
        .containsOnly(Severity.INFO);
  }

  /// Their logs may be fragments that show no variable at all.
  @Test
  void whoUsesATransportDoesNotForbidIt() {
    for (var forbidding :
        List.of(
            List.of("NCCL_P2P_DISABLE", "1", "SHM/direct/direct", "P2P/CUMEM"),
            List.of("NCCL_P2P_LEVEL", "LOC", "SHM/direct/direct", "P2P/CUMEM"),
            List.of("NCCL_SHM_DISABLE", "1", "NET/IB/0", "SHM/direct/direct"))) {
      assertThat(edges(forbidding.get(0), forbidding.get(1), forbidding.get(2), forbidding.get(3)))
          .as(forbidding.toString())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.ranks()).containsExactly(2, 3);
                assertThat(finding.summary())
                    .contains(forbidding.get(1) + " on ranks 2, 3")
                    .contains("not " + forbidding.get(1) + " on ranks 0, 1");
              });
    }
  }

  @Test
  void whoShowsNoEdgeMayForbidItAsWell() {
    assertThat(edges("NCCL_P2P_DISABLE", "1", "SHM/direct/direct", "")).isEmpty();
    assertThat(edges("NCCL_P2P_DISABLE", "1", "SHM/direct/direct", "SHM/direct/direct")).isEmpty();
    assertThat(edges("NCCL_P2P_DISABLE", "0", "P2P/CUMEM", "P2P/CUMEM")).isEmpty();
    assertThat(edges("NCCL_P2P_LEVEL", "NVL", "P2P/CUMEM", "P2P/CUMEM")).isEmpty();
  }

  /// The job may fail before it has an edge.
  @Test
  void whoTakesInfiniBandDoesNotForbidIt() {
    assertThat(network("IB", "1"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(2, 3);
              assertThat(finding.summary()).contains("not 1 on ranks 0, 1");
            });
    assertThat(network("Socket", "1")).isEmpty();
    assertThat(network("IBext_v8", "1")).isEmpty();
    assertThat(network("IB", "0")).isEmpty();
  }

  /// Two hosts of two ranks, of which the second one prints whether it may use InfiniBand.
  private static List<Finding> network(String ofFirst, String disabled) {
    var told = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      if (rank < 2) {
        told.rank(rank, 4, 2, ofFirst);
      } else {
        told.rank(
            rank, 4, 2, "Socket", variable("NCCL_IB_DISABLE", disabled).toArray(String[]::new));
      }
      told.up(rank, 4, 2);
    }
    return told.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.ENV_DRIFT)
        .toList();
  }

  /// They print the subsystem that is on by default as variables are.
  @Test
  void silenceTellsOfWhatIsReadToConnectOverInfiniBand() {
    var first = "NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>";

    assertThat(overIb(first, "NET/IB/0/GDRDMA", true))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.summary())
                  .contains("14 on ranks 2, 3")
                  .contains("not set on ranks 0, 1");
            });
    assertThat(overIb("NCCL INFO cudaDriverVersion 13000", "NET/IB/0/GDRDMA", true)).isEmpty();
    assertThat(overIb(first, "NET/IB/0/GDRDMA", false)).isEmpty();
    assertThat(overIb(first, "P2P/CUMEM", true)).isEmpty();
  }

  @Test
  void silenceTellsOfWhatIsReadToConnectGpusOfAHost() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      var extra =
          rank < 2
              ? "NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>"
              : "NCCL INFO NCCL_P2P_READ_ENABLE set by environment to 1.";
      log.rank(rank, 4, 2, "IB", extra).up(rank, 4, 2);
    }
    for (int rank = 0; rank < 4; rank++) {
      log.edge(rank, 4, 2, rank < 2 ? "P2P/CUMEM" : "P2P/CUMEM/read");
      log.say(rank, 2, "NCCL INFO Connected all rings, use ring PXN 0 GDR 1");
    }

    assertThat(log.findings())
        .filteredOn(finding -> finding.kind() == FindingKind.ENV_DRIFT)
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(2, 3));
  }

  /// Two hosts of two ranks, of which the second one prints how long a packet may take.
  private static List<Finding> overIb(String ofFirst, String transport, boolean connected) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      var extra = rank < 2 ? ofFirst : "NCCL INFO NCCL_IB_TIMEOUT set by environment to 14.";
      log.rank(rank, 4, 2, "IB", extra).up(rank, 4, 2);
    }
    for (int rank = 0; rank < 4; rank++) {
      log.edge(rank, 4, 2, rank < 2 ? transport : "NET/IB/0/GDRDMA");
      if (connected) {
        log.say(rank, 2, "NCCL INFO Connected all rings, use ring PXN 0 GDR 1");
      }
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.ENV_DRIFT)
        .toList();
  }

  /// Two hosts of two ranks, of which the second one prints a variable.
  private static List<Finding> edges(String name, String value, String second, String ofFirst) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      log.rank(
          rank,
          4,
          2,
          "IB",
          rank < 2 ? new String[0] : variable(name, value).toArray(String[]::new));
    }
    for (int rank = 0; rank < 4; rank++) {
      var transport = rank % 2 == 1 ? "NET/IB/0/GDRDMA" : rank < 2 ? ofFirst : second;
      if (!transport.isEmpty()) {
        log.edge(rank, 4, 2, transport);
      }
      if (rank % 2 == 1) {
        var back = rank < 2 ? ofFirst : second;
        if (!back.isEmpty()) {
          log.say(
              rank,
              2,
              "NCCL INFO Channel 01/0 : %d[0] -> %d[0] [send] via %s"
                  .formatted(rank, rank - 1, back));
        }
      }
      log.up(rank, 4, 2);
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.ENV_DRIFT)
        .toList();
  }

  private static List<String> variable(String name, String value) {
    return List.of("NCCL INFO " + name + " set by environment to " + value);
  }

  /// A job whose ranks print these beside a variable that all have.
  private static List<Finding> drift(IntFunction<List<String>> messages) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < RANKS; rank++) {
      log.say(rank, A_HOST, "NCCL INFO NCCL_DEBUG set by environment to INFO");
      log.rank(rank, RANKS, A_HOST, "IB", messages.apply(rank).toArray(String[]::new));
    }
    for (int rank = 0; rank < RANKS; rank++) {
      log.up(rank, RANKS, A_HOST);
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.ENV_DRIFT)
        .toList();
  }
}
