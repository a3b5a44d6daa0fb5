package io.ringside.streams.detect.nics;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HcaShortfallTest {
  private final List<String> log = new ArrayList<>();

  @Test
  void namesTheHostThatLacksAnHca() {
    host("a", 0, 8);
    host("b", 1, 7);
    host("c", 2, 8);

    assertThat(told())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.summary()).startsWith("host b has 7 of the 8 HCAs");
              assertThat(finding.observed()).isEqualTo("no mlx5_7:1/IB");
              assertThat(finding.ranks()).containsExactly(1);
            });
  }

  @Test
  void twoHostsThatDifferAreANote() {
    host("a", 0, 8);
    host("b", 1, 7);

    assertThat(told()).singleElement().extracting(Finding::severity).isEqualTo(Severity.INFO);
  }

  @Test
  void hostsThatAllHaveTheSameLackNothing() {
    host("a", 0, 8);
    host("b", 1, 8);

    assertThat(told()).isEmpty();
  }

  @Test
  void whatAVariableChoosesIsNotMissing() {
    host("a", 0, 8);
    host("b", 1, 7);
    host("c", 2, 8);
    log.add(1, "b:100:100 [0] NCCL INFO NCCL_IB_HCA set by environment to mlx5_0,mlx5_1");

    assertThat(told()).isEmpty();
  }

  private void host(String name, int rank, int hcas) {
    var head = name + ":100:100 [0] NCCL INFO ";
    log.add(
        head
            + "NET/IB : Using "
            + IntStream.range(0, hcas)
                .mapToObj("[%1$d]mlx5_%1$d:1/IB"::formatted)
                .collect(Collectors.joining(" "))
            + " [RO]; OOB eth0:10.0.0.1<0>");
    log.add(
        head
            + "ncclCommInitRankConfig comm 0x55%d rank %d nranks 3 cudaDev 0 nvmlDev 0 busId 1000 commId 0x1234abcd - Init COMPLETE"
                .formatted(rank, rank));
  }

  private List<Finding> told() {
    return Recorded.of(Map.of("job.log", log)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NIC_SHORTFALL)
        .toList();
  }
}
