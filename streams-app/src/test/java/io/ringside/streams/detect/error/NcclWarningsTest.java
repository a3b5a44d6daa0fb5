package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which of NCCL's WARN lines count, and how much.
class NcclWarningsTest {
  private final HandMadeLog log = new HandMadeLog();

  @Test
  void aProxyThatCannotCloseIsBeingDestroyed() {
    up();
    log.say(
        0,
        2,
        "proxy.cc:1497 NCCL WARN [Service thread] Could not receive type from localRank 0, res=3, closed=0");
    log.say(
        0,
        2,
        "proxy.cc:1521 NCCL WARN [Proxy Service 0] Failed to execute operation Close from rank 0, retcode 3");

    assertThat(errors()).isEmpty();
    assertThat(check("no NCCL WARN or ERROR").status()).isEqualTo(Check.Status.PASS);
  }

  @Test
  void whereNoLineIsOfNcclNothingIsKnownOfItsWarnings() {
    for (int step = 1; step <= 20; step++) {
      log.line(
          "iter %d: loss 2.%02d00, time 1%02d.00ms, mfu 30.10%%".formatted(step, 90 - step, step));
    }
    assertThat(check("no NCCL WARN or ERROR").status()).isEqualTo(Check.Status.UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "worker-0:152:510 [0] include/socket.h:360 WARN Call to connect failed : Connection timed out | 1",
        "worker-0:152:510 [0] transport/net_ib.cu:120 WARN NET/IB : Got completion with error 12 | 1",
        "worker-0:152:510 [0] init.cu:12 WARN Cuda failure 'out of memory' | 1",
        "worker-0:152:510 [0] INFO bootstrap.cu:28 -> 2 [Net] | 0",
        "worker-0:152:510 [0] include/socket.py:360 WARN no such file | 0",
      })
  void namedNoNcclBefore23(String line, int expected) {
    log.line(line);

    assertThat(errors()).hasSize(expected);
  }

  @Test
  void aCardThatTheContainerMayNotUseHarmsNobody() {
    up();
    log.say(0, 2, "transport/net_ib.cc:148 NCCL WARN NET/IB : Unable to open device mlx5_bond_0");
    assertThat(errors()).isEmpty();

    log.say(0, 2, "transport/net_ib.cc:155 NCCL WARN NET/IB : Unable to query device mlx5_bond_0");
    assertThat(errors()).hasSize(1);
  }

  /// Bootstrap that cannot have its port says the same, and comes no farther.
  @Test
  void aPortOfRasThatAnotherJobHasHarmsNobodyWhoComesUp() {
    var bind = "ras/client_support.cc:159 NCCL WARN Call to bind failed: Address already in use";
    log.rank(0, 2, 2, "Socket").rank(1, 2, 2, "Socket").say(0, 2, bind);
    assertThat(errors()).hasSize(1);

    log.up(0, 2, 2).up(1, 2, 2);
    assertThat(errors()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ofi_init:1134 NCCL WARN NET/OFI Only EFA provider is supported",
        "/nccl-shim-net/src/guest_config_checker.cc:101 NCCL WARN NCCL/NET (shim) mismatch recommended: NCCL_TESTS_VERSION=2.13.6 (expected unset)",
        "get_pci_path:311 NCCL WARN NET/OFI pciPath: Could not find real path: /sys/class/pci_bus/0000:00/../../0000:00:1e.0"
      })
  void whatPluginsLookForAndDoNotNeedHarmsNobody(String warning) {
    up();
    log.say(0, 2, warning);

    assertThat(errors()).isEmpty();
  }

  @Test
  void anotherSubnetManagerHarmsNobody() {
    up();
    for (var event : List.of("client reregistration", "SM change", "LID change")) {
      log.say(
          0, 2, "transport/net_ib.cc:107 NCCL WARN NET/IB : mlx5_0:1 Got async event : " + event);
    }
    assertThat(errors()).isEmpty();

    log.say(
        0, 2, "transport/net_ib.cc:107 NCCL WARN NET/IB : mlx5_0:1 Got async event : port error");
    assertThat(errors()).hasSize(1);
  }

  @Test
  void whatElseSuchAProcessSaysCounts() {
    up();
    log.say(0, 2, "misc/ibvwrap.cc:95 NCCL WARN NET/IB : Got completion from peer with error 12");
    log.say(
        0,
        2,
        "proxy.cc:1521 NCCL WARN [Proxy Service 0] Failed to execute operation Close from rank 0, retcode 3");

    assertThat(errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.WARNING);
              assertThat(error.summary()).contains("Got completion from peer with error 12");
            });
  }

  @Test
  void isCriticalWhereTheProcessEndedOfIt() {
    up();
    log.say(1, 2, "include/alloc.h:228 NCCL WARN Cuda failure 2 'out of memory'");
    log.line("[rank1]: Traceback (most recent call last):");
    log.line(
        "[rank1]: torch.distributed.DistBackendError: NCCL error in: a.cpp:230, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.27.5");

    assertThat(errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(error.summary()).startsWith("NCCL failed: Cuda failure 2");
            });
  }

  /// PyTorch's watchdog speaks, not an exception of the program.
  @Test
  void isCriticalWhereTheWatchdogTookTheProcessDown() {
    up();
    log.say(
        1,
        2,
        "transport/net_ib.cc:2178 NCCL WARN NET/IB: Got completion from peer 10.1.1.58<35216> with status=12");
    log.line(
        "[rank1]:[E1030 20:10:58.142578125 ProcessGroupNCCL.cpp:2068] [PG ID 0 PG GUID 0(default_pg) Rank 1] Process group watchdog thread terminated with exception: NCCL error: remote process exited or there was a network error, NCCL version 2.27.5");

    assertThat(errors()).singleElement().extracting(Finding::severity).isEqualTo(Severity.CRITICAL);
  }

  @Test
  void isAWarningWhereAnotherRankEnded() {
    up();
    log.say(1, 2, "include/alloc.h:228 NCCL WARN Cuda failure 2 'out of memory'");
    log.line("[rank0]: Traceback (most recent call last):");
    log.line(
        "[rank0]: torch.distributed.DistBackendError: NCCL error in: a.cpp:230, remote process exited or there was a network error, NCCL version 2.27.5");

    assertThat(errors()).singleElement().extracting(Finding::severity).isEqualTo(Severity.WARNING);
  }

  @Test
  void warningsAloneSayNothingOfTheStart() {
    log.say(0, 2, "misc/ibvwrap.cc:95 NCCL WARN NET/IB : Got completion from peer with error 12");

    assertThat(check("ranks initialised").status()).isEqualTo(Check.Status.UNKNOWN);
  }

  private void up() {
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 2, "Socket").up(rank, 2, 2);
    }
  }

  private Check check(String name) {
    return log.run().checklist().stream()
        .filter(check -> check.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<Finding> errors() {
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .toList();
  }
}
