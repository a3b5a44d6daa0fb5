package io.ringside.streams.detect.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EfaFallbackTest {
  private static final String[] OVER_TCP = {
    "NCCL INFO NET/Plugin: Loaded net plugin Libfabric (v11)",
    "NCCL INFO NET/OFI Initializing aws-ofi-nccl 1.17.3",
    "NCCL INFO NET/OFI No eligible providers were found",
    "NCCL INFO NET/OFI Selected provider is tcp, fabric is 10.0.0.0/20 (found 1 nics)",
  };

  @Test
  void seesTcpBehindLibfabric() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Libfabric", OVER_TCP).up(rank, 2, 1);
      log.edge(rank, 2, 1, "NET/Libfabric/0");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(finding.observed()).isEqualTo("Libfabric over tcp");
              assertThat(finding.ranks()).containsExactly(0, 1);
            });
    assertThat(log.run().checklist())
        .filteredOn(
            row ->
                List.of("network plugin", "network in use", "transport between nodes")
                    .contains(row.name()))
        .hasSize(3)
        .allSatisfy(row -> assertThat(row.status()).isEqualTo(Check.Status.FAIL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"efa", "cxi", "verbs;ofi_rxm", "psm3"})
  void knowsProvidersThatReachTheCard(String provider) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(
              rank,
              2,
              1,
              "AWS Libfabric",
              "NCCL INFO NET/OFI Selected Provider is %s (found 2 nics)".formatted(provider))
          .up(rank, 2, 1)
          .edge(rank, 2, 1, "NET/AWS Libfabric/0");
    }

    assertThat(fallbacks(log)).isEmpty();
  }

  /// NCCL does not print libfabric's variables; a shell that traces does.
  @Test
  void knowsWhatTheShellExported() {
    var log = new HandMadeLog();
    log.line("+ export FI_PROVIDER=efa NCCL_DEBUG=INFO");
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Socket").up(rank, 2, 1).edge(rank, 2, 1, "NET/Socket/0");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .extracting(Finding::severity, Finding::expected)
        .containsExactly(Severity.CRITICAL, "EFA (asked for by environment)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FI_PROVIDER=efa",
        "export FI_PROVIDER=efa",
        "declare -x FI_PROVIDER=\"efa\"",
        "export NCCL_NET=\"AWS Libfabric\"",
        "+ export 'NCCL_NET=AWS Libfabric' NCCL_DEBUG=INFO",
        "+ mpirun -np 2 --hostfile hosts -x NCCL_DEBUG=INFO -x FI_PROVIDER=efa ./all_reduce_perf -b 8",
        "mpirun -np 2 -x NCCL_NET='AWS Libfabric' ./all_reduce_perf -b 8",
        "+ /opt/amazon/openmpi/bin/mpirun -n 2 -x FI_PROVIDER=efa python train.py",
        "mpiexec -n 2 -genv FI_PROVIDER efa python train.py",
      })
  void knowsWhatWasDeclared(String declared) {
    assertThat(fallbacks(over(declared)))
        .singleElement()
        .extracting(Finding::severity, Finding::expected)
        .containsExactly(Severity.CRITICAL, "EFA (asked for by environment)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FI_PROVIDER=efa is what the manual says",
        "export PATH=/opt/amazon/efa/bin:$PATH",
        "mpirun -np 2 -x NCCL_DEBUG=INFO ./all_reduce_perf --note FI_PROVIDER=efa",
        "mpirun has exited due to process rank 0",
        "set FI_PROVIDER=efa",
      })
  void takesOtherWordsForNoDeclaration(String line) {
    assertThat(fallbacks(over(line))).isEmpty();
  }

  @Test
  void forgetsWhatWasUnsetAndWhatAnotherCommandWasGiven() {
    assertThat(fallbacks(over("+ export FI_PROVIDER=efa", "+ unset FI_PROVIDER"))).isEmpty();
    assertThat(
            fallbacks(
                over(
                    "+ mpirun -n 2 -x FI_PROVIDER=efa ./warm_up",
                    "+ mpirun -n 2 -x NCCL_DEBUG=INFO ./all_reduce_perf")))
        .isEmpty();
  }

  private static HandMadeLog over(String... lines) {
    var log = new HandMadeLog();
    for (var line : lines) {
      log.line(line);
    }
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Socket").up(rank, 2, 1).edge(rank, 2, 1, "NET/Socket/0");
    }
    return log;
  }

  @Test
  void isANoteWhereAnOldPluginSaysThatItFailed() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(
              rank,
              2,
              2,
              "Socket",
              "NCCL INFO NET/OFI Using aws-ofi-nccl 1.6.0-aws",
              "NCCL INFO NET/OFI aws-ofi-nccl initialization failed")
          .up(rank, 2, 2)
          .edge(rank, 2, 2, "P2P/CUMEM");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.summary()).contains("failed to initialise");
            });
  }

  @Test
  void takesAnotherProviderThatWasExportedForAChoice() {
    var log = new HandMadeLog();
    log.line("+ export FI_PROVIDER=tcp");
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Socket").up(rank, 2, 1).edge(rank, 2, 1, "NET/Socket/0");
    }

    assertThat(fallbacks(log)).isEmpty();
  }

  @Test
  void isANoteWhereEfaWasAskedForAndNoEdgeShowsWhatSocketsCarry() {
    var log = new HandMadeLog();
    log.line("+ export FI_PROVIDER='efa'");
    log.say(0, 1, "NCCL INFO Using network Socket");

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.summary()).startsWith("EFA was asked for and NCCL chose sockets");
            });
  }

  @Test
  void isANoteWhereAPluginFailedThatNobodyNeeds() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      failed(log, rank, 2);
      log.rank(rank, 2, 2, "Socket").up(rank, 2, 2).edge(rank, 2, 2, "P2P/CUMEM");
    }

    assertThat(log.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.EFA_FALLBACK);
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.summary()).contains("does not need it");
            });
    assertThat(log.run().checklist())
        .filteredOn(row -> row.name().equals("network plugin"))
        .singleElement()
        .satisfies(row -> assertThat(row.detail()).isEqualTo("loaded, but failed to initialise"));
  }

  @Test
  void seesAFallbackInALogThatEndsBeforeTheRanksAreUp() {
    var log = new HandMadeLog();
    failed(log, 0, 8);
    log.say(0, 8, "NCCL INFO Using network Socket");
    log.say(
        0,
        8,
        "NCCL INFO comm 0x55 rank 0 nranks 32 cudaDev 0 nvmlDev 0 busId 1000 commId 0xabc - Init START");

    assertThat(log.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.EFA_FALLBACK);
              assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            });
  }

  @Test
  void namesTheHostWithoutPluginAmongOthersWithEfa() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 6; rank++) {
      log.rank(rank, 6, 2, rank / 2 == 2 ? "Socket" : "Libfabric");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(4, 5));
  }

  @Test
  void notesTheProviderTcpWhereNoTrafficShowsYet() {
    var log = new HandMadeLog();
    log.line("NET/OFI Initializing aws-ofi-nccl 1.7.4-aws")
        .line("NET/OFI Selected Provider is tcp (found 2 nics)")
        .line("Using network AWS Libfabric");

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.summary()).startsWith("libfabric found nothing but TCP");
            });
  }

  @Test
  void notesAPluginThatWasAskedForAndIsNotThere() {
    var log = new HandMadeLog();
    log.rank(
        0,
        1,
        1,
        "Socket",
        "NCCL INFO NCCL_NET_PLUGIN set by environment to librccl-net-ofi.so.",
        "NCCL INFO NET/Plugin : dlerror=librccl-net-ofi.so: cannot open shared object file: No such"
            + " file or directory No plugin found (librccl-net-ofi.so), using internal"
            + " implementation");

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.summary()).contains("asked for was not found");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"IB", "AWS Libfabric"})
  void saysNothingOfAPluginThatIsFoundUnderAnotherName(String network) {
    var log = new HandMadeLog();
    log.rank(
        0,
        1,
        1,
        network,
        "NCCL INFO NCCL_NET_PLUGIN set by environment to ofi.",
        "NCCL INFO NET/Plugin: Could not find: ofi libnccl-net-ofi.so.",
        "NCCL INFO NET/OFI Selected Provider is efa (found 4 nics)");

    assertThat(fallbacks(log)).isEmpty();
  }

  @Test
  void findsTheFallbackInAPasteWithoutHeaders() {
    var log = new HandMadeLog();
    log.line("NET/OFI Selected provider is tcp, fabric is 10.0.0.0/20 (found 1 nics)")
        .line("Using network Libfabric")
        .line("comm 0x3e rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0")
        .line("Channel 00/0 : 15[7] -> 0[0] [receive] via NET/Libfabric/0");

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.CRITICAL));
  }

  private static void failed(HandMadeLog log, int rank, int localRanks) {
    log.say(rank, localRanks, "NCCL INFO NET/Plugin: Loaded net plugin Libfabric (v10)");
    log.say(
        rank,
        localRanks,
        "nccl_net_ofi_create_plugin:257 NCCL WARN NET/OFI aws-ofi-nccl initialization failed");
  }

  private static List<Finding> fallbacks(HandMadeLog log) {
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.EFA_FALLBACK)
        .toList();
  }
}
