package io.ringside.streams.detect.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowPortsTest {
  private final List<String> log = new ArrayList<>();

  @Test
  void namesThePortThatCameUpSlowerThanOnAllOtherHosts() {
    host("a", 0, 400_000, 400_000);
    host("b", 1, 400_000, 100_000);
    host("c", 2, 400_000, 400_000);

    assertThat(told())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.summary())
                  .isEqualTo(
                      "mlx5_1 of host b is up at 100 Gb/s, and at 400 Gb/s on the other 2 hosts");
              assertThat(finding.ranks()).containsExactly(1);
              assertThat(finding.evidence())
                  .singleElement()
                  .satisfies(line -> assertThat(line.text()).contains("mlx5_1", "speed=100000"));
            });
  }

  @Test
  void theFirstPortHasItsProofToo() {
    host("a", 0, 200_000, 400_000);
    host("b", 1, 400_000, 400_000);
    host("c", 2, 400_000, 400_000);

    assertThat(told())
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.evidence().getFirst().text()).contains("speed=200000"));
  }

  @Test
  void twoHostsThatDifferAreANote() {
    host("a", 0, 400_000, 400_000);
    host("b", 1, 400_000, 100_000);

    assertThat(told()).singleElement().extracting(Finding::severity).isEqualTo(Severity.INFO);
  }

  @Test
  void aSlowerPortThatAllHostsHaveIsMeantSo() {
    host("a", 0, 400_000, 100_000);
    host("b", 1, 400_000, 100_000);
    host("c", 2, 400_000, 100_000);

    assertThat(told()).isEmpty();
  }

  @Test
  void aHostOnWhichAllAreSlowerIsAnotherMachine() {
    host("a", 0, 400_000, 400_000);
    host("b", 1, 200_000, 200_000);
    host("c", 2, 400_000, 400_000);

    assertThat(told()).isEmpty();
  }

  @Test
  void portsThatDifferFromHostToHostAreComparedWithNone() {
    host("a", 0, 400_000, 400_000);
    host("b", 1, 400_000, 100_000);
    host("c", 2, 400_000, 200_000);

    assertThat(told()).isEmpty();
  }

  private void host(String name, int rank, long... mbps) {
    var head = name + ":100:100 [0] NCCL INFO ";
    for (int i = 0; i < mbps.length; i++) {
      log.add(
          head
              + "NET/IB: [%1$d] mlx5_%1$d:uverbs%1$d:1/IB provider=Mlx5 speed=%2$d context=0x7f pciPath=/sys/x ar=1"
                  .formatted(i, mbps[i]));
    }
    log.add(
        head
            + "ncclCommInitRankConfig comm 0x55%d rank %d nranks 3 cudaDev 0 nvmlDev 0 busId 1000 commId 0x1234abcd - Init COMPLETE"
                .formatted(rank, rank));
  }

  private List<Finding> told() {
    return Recorded.of(Map.of("job.log", log)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LINK_DEGRADED)
        .toList();
  }
}
