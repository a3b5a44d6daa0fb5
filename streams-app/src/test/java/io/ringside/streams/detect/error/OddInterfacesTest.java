package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.detect.HandMadeLog;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OddInterfacesTest {
  private static final String UNREACHED =
      "misc/socket.cc:484 NCCL WARN socketStartConnect: Connect to 10.4.7.11<41021> failed : No route to host";

  @Test
  void namesTheInterfaceThatLeadsNowhereAndWhatChoseIt() {
    var log = hosts("eth0", "docker0");
    log.say(2, 2, UNREACHED);

    assertThat(errors(log))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.cause())
                  .contains("rack1-01 uses docker0 by NCCL_SOCKET_IFNAME=docker0", "eth0");
              assertThat(error.evidence().toString()).contains("Using docker0:");
            });
    assertThat(check(log.run(), "interface chosen").status()).isEqualTo(Check.Status.FAIL);
    assertThat(check(log.run(), "interface chosen").detail()).contains("docker0 on ranks 2, 3");
  }

  @Test
  void seesItWhereNobodySaysAWord() {
    assertThat(errors(hosts("eth0", "docker0")))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.ranks()).containsExactly(2, 3);
              assertThat(error.summary()).contains("ranks 2, 3 use docker0 where others use eth0");
            });
    // names of machines' own cards differ by machine
    assertThat(errors(hosts("eth0", "ens5"))).isEmpty();
    assertThat(errors(hosts("eth0", "eth0", "ens5"))).isEmpty();
  }

  @Test
  void takesTheVariableOfFewHostsWhereAPeerIsOutOfReach() {
    var log = hosts("eth0", "eth0", "eth3");
    log.say(0, 2, UNREACHED);

    assertThat(errors(log))
        .singleElement()
        .satisfies(error -> assertThat(error.cause()).contains("NCCL_SOCKET_IFNAME=eth3"));
  }

  @Test
  void saysNothingOfARunThatCameUp() {
    var log = hosts("eth0", "docker0");
    for (int rank = 0; rank < 4; rank++) {
      log.up(rank, 4, 2);
    }

    assertThat(errors(log)).isEmpty();
    assertThat(check(log.run(), "interface chosen").status()).isEqualTo(Check.Status.PASS);
  }

  @Test
  void namesTheVariableOfAPodWithoutAnInterface() {
    var pods = new TreeMap<String, List<String>>();
    for (int rank = 0; rank < 2; rank++) {
      pods.put(
          "w-%d.log".formatted(rank),
          List.of(
              "w-%d:41:41 [0] NCCL INFO Bootstrap : Using eth0:10.4.7.1%d<0>".formatted(rank, rank),
              "w-%d:41:41 [0] NCCL INFO ncclCommInitRank comm 0x55 rank %d nranks 3 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xeee - Init START"
                  .formatted(rank, rank)));
    }
    pods.put(
        "w-2.log",
        List.of(
            "w-2:41:41 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth9",
            "w-2:41:41 [0] misc/socket.cc:502 NCCL WARN Bootstrap : no socket interface found"));
    var judged = Recorded.of(pods).judged();

    assertThat(judged.findings())
        .filteredOn(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .singleElement()
        .satisfies(
            error ->
                assertThat(error.cause()).startsWith("NCCL_SOCKET_IFNAME=eth9 names an interface"));
    var run = judged.runs().getLast();
    assertThat(check(run, "no NCCL WARN or ERROR").status()).isEqualTo(Check.Status.FAIL);
    assertThat(check(run, "interface chosen").detail())
        .isEqualTo("none on w-2, by NCCL_SOCKET_IFNAME=eth9");
  }

  @Test
  void noRowContradictsWhatPyTorchReports() {
    var log = hosts("eth0", "eth0");
    log.line("[rank1]: Traceback (most recent call last):");
    log.line(
        "[rank1]: torch.distributed.DistBackendError: NCCL error in: a.cpp:1, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5");

    assertThat(errors(log)).hasSize(1);
    assertThat(check(log.run(), "no NCCL WARN or ERROR").status()).isEqualTo(Check.Status.FAIL);
  }

  private static HandMadeLog hosts(String... interfaces) {
    var log = new HandMadeLog();
    int nranks = 2 * interfaces.length;
    for (int rank = 0; rank < nranks; rank++) {
      var name = interfaces[rank / 2];
      log.rank(
          rank,
          nranks,
          2,
          "IB",
          "NCCL INFO NCCL_SOCKET_IFNAME set by environment to " + name,
          "NCCL INFO Bootstrap : Using %s:10.4.7.%d<0>".formatted(name, 11 + rank / 2));
    }
    return log;
  }

  private static Check check(RunSummary run, String name) {
    return run.checklist().stream()
        .filter(check -> check.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Finding> errors(HandMadeLog log) {
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .toList();
  }
}
