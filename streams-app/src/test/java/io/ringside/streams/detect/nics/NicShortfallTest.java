package io.ringside.streams.detect.nics;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NicShortfallTest {
  private static final String PLATFORM =
      "%s:11752:11839 [%d] NCCL INFO NET/OFI Running on p4d.24xlarge platform, Setting NCCL_TOPO_FILE environment variable to /opt/x.xml";
  private static final String FOUND =
      "%s:11749:11843 [%d] NCCL INFO NET/OFI Selected provider is efa, fabric is efa (found %d nics)";

  @Test
  void countsTheDevicesThatAPodIsKnownToHaveAndNotTheLinesThatAreLeft() {
    assertThat(told(PLATFORM.formatted("n", 6), FOUND.formatted("n", 3, 1)))
        .singleElement()
        .satisfies(
            shortfall -> {
              assertThat(shortfall.severity()).isEqualTo(Severity.WARNING);
              assertThat(shortfall.observed()).isEqualTo("1 NIC found by the network plugin");
            });
  }

  @Test
  void isANoteWhereThePodMayHaveAPartOfTheMachineOnly() {
    assertThat(told(PLATFORM.formatted("n", 0), FOUND.formatted("n", 1, 1)))
        .allMatch(shortfall -> shortfall.severity() == Severity.INFO);
  }

  @Test
  void knowsNothingOfAMachineThatAnotherHostNames() {
    assertThat(told(PLATFORM.formatted("m", 6), FOUND.formatted("n", 3, 1))).isEmpty();
  }

  @Test
  void whatLibfabricCountsOverTcpAreNoNics() {
    var overTcp =
        "%s:11749:11843 [%d] NCCL INFO NET/OFI Selected provider is tcp, fabric is 10.0.0.0/16 (found %d nics)";

    assertThat(told(PLATFORM.formatted("n", 6), overTcp.formatted("n", 3, 1))).isEmpty();
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("job.log", List.of(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NIC_SHORTFALL)
        .toList();
  }
}
