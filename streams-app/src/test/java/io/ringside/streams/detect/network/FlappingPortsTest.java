package io.ringside.streams.detect.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlappingPortsTest {
  private static final String DOWN = "] mlx5_core 0000:53:00.0 enp83s0f0np0: Link down";
  private static final String UP = "] mlx5_core 0000:53:00.0 enp83s0f0np0: Link up";

  @Test
  void tellsALinkThatFallsAgainAndAgain() {
    assertThat(
            told(
                "[ 4435.115811" + DOWN,
                "[ 4441.768101" + UP,
                "[ 4441.769587] mlx5_core 0000:53:00.0 mlx5_3: Port: 1 Link ACTIVE",
                "[ 4443.968257" + DOWN,
                "[ 4443.974372] mlx5_core 0000:53:00.0 mlx5_3: Port: 1 Link DOWN",
                "[ 4443.999372] mlx5_core 0000:53:00.0 mlx5_3: Port: 1 Link ACTIVE",
                "[ 4450.318539" + UP,
                "[ 4480.974372] mlx5_core 0000:53:00.0 mlx5_3: Port: 1 Link DOWN"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.summary()).contains("enp83s0f0np0").contains("2 times");
              assertThat(finding.evidence()).hasSize(2);
            });
  }

  @Test
  void readsOtherDriversAndOtherStamps() {
    assertThat(
            told(
                "Nov 26 04:11:15 node-7 kernel: bnxt_en 0000:1a:00.0 ens2f0np0: NIC Link is Down",
                "Nov 26 04:11:19 node-7 kernel: bnxt_en 0000:1a:00.0 ens2f0np0: NIC Link is Up, 100000 Mbps",
                "Nov 26 04:12:03 node-7 kernel: bnxt_en 0000:1a:00.0 ens2f0np0: NIC Link is Down"))
        .hasSize(1);
  }

  /// A port of InfiniBand has no other name.
  @Test
  void tellsAPortOfInfiniBand() {
    assertThat(
            told(
                "[ 4441.7] mlx5_core 0000:9a:00.0 mlx5_4: Port: 1 Link DOWN",
                "[ 4443.9] mlx5_core 0000:9a:00.0 mlx5_4: Port: 1 Link ACTIVE",
                "[ 4501.9] mlx5_core 0000:9a:00.0 mlx5_4: Port: 1 Link DOWN"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.summary()).contains("mlx5_4").contains("2 times"));
  }

  /// Ethernet's interfaces come and go with containers.
  @Test
  void takesNetworkdsWordForAPortOfInfiniBandAlone() {
    var lost = "Aug 17 06:18:0%d node-7 systemd-networkd[53]: %s: Lost carrier";
    var gained = "Aug 17 06:18:04 node-7 systemd-networkd[53]: ib6: Gained carrier";

    assertThat(told(lost.formatted(1, "ib6"), gained, lost.formatted(6, "ib6"))).hasSize(1);
    assertThat(told(lost.formatted(1, "eth6"), gained, lost.formatted(6, "eth6"))).isEmpty();
    assertThat(told(lost.formatted(1, "ib6"), gained)).isEmpty();
  }

  /// Each port is set up once, a reboot later once more.
  @Test
  void aPortThatIsSetUpDoesNotFlap() {
    assertThat(
            told(
                "[   12.1" + DOWN,
                "[   12.2] mlx5_core 0000:53:00.1 enp83s0f1np1: Link down",
                "[   12.3] mlx5_core 0000:53:00.0 mlx5_3: Port: 1 Link DOWN",
                "[   15.8" + UP,
                "[86412.2" + DOWN,
                "[86440.9" + UP))
        .isEmpty();
  }

  @Test
  void linesWithoutTimesProveNothing() {
    assertThat(told(DOWN.substring(2), UP.substring(2), DOWN.substring(2))).isEmpty();
  }

  /// A port that flaps for days leaves room for what programs say.
  @Test
  void manyFallsHideNoDeath() {
    var lines = new ArrayList<String>();
    for (int fall = 0; fall < 400; fall++) {
      lines.add("[%d.5".formatted(4000 + fall) + DOWN);
    }
    lines.add("Traceback (most recent call last):");
    lines.add("  File \"/workspace/train.py\", line 81, in step");
    lines.add("KeyError: 'tokens'");

    assertThat(Recorded.of(Map.of("all.log", lines)).judged().findings())
        .extracting(Finding::kind)
        .contains(FindingKind.NETWORK_ERRORS, FindingKind.JOB_FAILED);
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("dmesg.txt", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NETWORK_ERRORS)
        .toList();
  }
}
