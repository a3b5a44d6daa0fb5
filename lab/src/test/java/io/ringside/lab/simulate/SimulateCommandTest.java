package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.platform.cli.UsageError;
import io.ringside.standalone.terminal.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
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
  void readsTimesAsTheConfigurationDoes() {
    var wishes = wishes("--duration=2m", "--start-over=30s", "--warm-up=PT10S");
    assertThat(wishes.duration()).isEqualTo(Duration.ofMinutes(2));
    assertThat(wishes.startOver()).isEqualTo(Duration.ofSeconds(30));
    assertThat(wishes.warmUp()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void asksWitnessesIfItIsTold() {
    assertThat(wishes().witnesses()).isFalse();
    assertThat(wishes("--witnesses").witnesses()).isTrue();
  }

  @Test
  void saysHowTimesAreWritten() {
    var said = new StringWriter();
    new CommandLine(SimulateCommand.of(Console.ofProcess(Map.of())))
        .setErr(new PrintWriter(said, true))
        .setParameterExceptionHandler(UsageError::answer)
        .execute("--duration", "long");

    assertThat(said.toString())
        .isEqualToIgnoringNewLines(
            "simulate: --duration must be a length such as 90s, 10m or 1h, was long; simulate --help tells more");
  }

  private static FleetLoad.Wishes wishes(String... options) {
    var command = SimulateCommand.of(Console.ofProcess(Map.of()));
    new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(options);
    return command.wishes();
  }
}
