package io.ringside.lab;

import io.ringside.lab.evaluate.EvaluateCommand;
import io.ringside.lab.simulate.SimulateCommand;
import io.ringside.standalone.terminal.Commands;
import io.ringside.standalone.terminal.Console;
import io.ringside.standalone.terminal.Version;
import java.util.List;
import picocli.CommandLine.Command;

/// The commands of the launcher `./ringside` that only those need who work on Ringside.
@Command(
    name = "ringside",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Generates training jobs, and scores what is found in them.")
public final class LabMain {
  private LabMain() {}

  public static void main(String[] arguments) {
    // before the first logger is made
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "logback-standalone.xml");
    }
    var console = Console.ofProcess(System.getenv());
    var commands = List.of(EvaluateCommand.of(console), SimulateCommand.of(console));
    System.exit(new Commands(new LabMain(), commands, console, System.getenv()).execute(arguments));
  }
}
