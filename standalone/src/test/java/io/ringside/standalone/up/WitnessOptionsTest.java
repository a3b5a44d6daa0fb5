package io.ringside.standalone.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.shipper.config.Witnesses;
import io.ringside.standalone.input.UnusableInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class WitnessOptionsTest {
  @Command
  private static final class Some {
    @Mixin private WitnessOptions witnesses = new WitnessOptions();
  }

  @Test
  void asksNobodyUnlessTold() {
    var options = parsed();
    assertThat(options.asked()).isEqualTo(Witnesses.NONE);
    assertThat(options.words()).isEmpty();
  }

  @Test
  void asksWhoeverIsNamed() {
    var options = parsed("--kernel-log", "--counters", "--ras=10.0.0.1:28028,10.0.0.2:28028");
    var asked = options.asked();
    assertThat(asked.kernel().enabled()).isTrue();
    assertThat(asked.counters().enabled()).isTrue();
    assertThat(asked.counters().snmp()).isEqualTo("/proc/net/snmp");
    assertThat(asked.ras().list()).containsExactly("10.0.0.1:28028", "10.0.0.2:28028");
    assertThat(options.words())
        .containsExactly(
            "Asking NCCL's RAS at 10.0.0.1:28028,10.0.0.2:28028",
            "Reading the driver's lines in /dev/kmsg",
            "Reading error counters of network ports, TCP and GPU links");
  }

  @Test
  void asksRasOfThisMachineWithoutAnAddress() {
    assertThat(parsed("--ras").asked().ras().list()).containsExactly("localhost:28028");
  }

  @Test
  void readsDumpsAndInspectorAndAsksPipesWhereNamed() {
    var options =
        parsed(
            "--dumps=/d/*/*_rank_*",
            "--ask-dumps=/d/*/*.pipe",
            "--inspector=/i/*/*.log",
            "--inspector=/i/*/*.prom");
    var asked = options.asked();
    assertThat(asked.dumps().enabled()).isTrue();
    assertThat(asked.dumps().globs()).containsExactly("/d/*/*_rank_*");
    assertThat(asked.dumps().ask()).isTrue();
    assertThat(asked.dumps().pipes()).containsExactly("/d/*/*.pipe");
    assertThat(asked.inspector())
        .isEqualTo(new Witnesses.Inspector(true, List.of("/i/*/*.log"), List.of("/i/*/*.prom")));
    assertThat(options.words())
        .containsExactly(
            "Reading dumps of the flight recorder: /d/*/*_rank_*",
            "Asking for dumps while a job stands: /d/*/*.pipe",
            "Reading NCCL Inspector: /i/*/*.log",
            "Reading NCCL Inspector: /i/*/*.prom");
  }

  @Test
  void refusesWhatIsNoAddress() {
    assertThatThrownBy(() -> parsed("--ras=nowhere").asked())
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("nowhere");
  }

  private static WitnessOptions parsed(String... arguments) {
    var some = new Some();
    new CommandLine(some).parseArgs(arguments);
    return some.witnesses;
  }
}
