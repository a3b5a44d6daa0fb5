package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.standalone.terminal.Console;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimulateCommandTest {

  @Test
  void timesFindingsUnlessItIsTold() {
    assertThat(wishes().probes()).isTrue();
    assertThat(wishes("--probe").probes()).isTrue();
    assertThat(wishes("--no-probe").probes()).isFalse();
  }

  @Test
  void spreadsTheRateOfTheFleetOverItsRanks() {
    assertThat(wishes("--nodes=4", "--gpus=2", "--rate=80").collectivesPerSecond()).isEqualTo(10);
    assertThat(wishes("--collectives-per-second=7").collectivesPerSecond()).isEqualTo(7);
  }

  @Test
  void readsTimesAsIsoWritesThem() {
    var wishes = wishes("--duration=PT2M", "--start-over=PT30S", "--warm-up=PT10S");
    assertThat(wishes.duration()).isEqualTo(Duration.ofMinutes(2));
    assertThat(wishes.startOver()).isEqualTo(Duration.ofSeconds(30));
    assertThat(wishes.warmUp()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void asksWitnessesIfItIsTold() {
    assertThat(wishes().witnesses()).isFalse();
    assertThat(wishes("--witnesses").witnesses()).isTrue();
  }

  private static FleetLoad.Wishes wishes(String... options) {
    var command = SimulateCommand.of(Console.ofProcess(Map.of()));
    new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(options);
    return command.wishes();
  }
}
