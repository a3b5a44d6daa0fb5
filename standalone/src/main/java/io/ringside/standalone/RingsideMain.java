package io.ringside.standalone;

import io.ringside.lab.evaluate.EvaluateCommand;
import io.ringside.lab.simulate.SimulateCommand;
import io.ringside.standalone.analyze.AnalyzeCommand;
import io.ringside.standalone.demo.DemoCommand;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.standalone.terminal.Console;
import io.ringside.standalone.up.UpCommand;
import io.ringside.streams.config.InvalidConfig;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/// The program behind the launcher `./ringside`.
@Command(
    name = "ringside",
    mixinStandardHelpOptions = true,
    version = "Ringside 0.1.0",
    description = "Watches the transport and the stragglers of training jobs.")
public final class RingsideMain {
  /// As the shell counts Ctrl-C.
  private static final int INTERRUPTED = 130;

  private RingsideMain() {}

  public static void main(String[] arguments) {
    // before the first logger is made; the other modules' own files are for their own processes
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "logback-standalone.xml");
    }
    System.exit(execute(Console.ofProcess(System.getenv()), System.getenv(), arguments));
  }

  /// Runs one command.
  ///
  /// @return the exit code: 0, 1 for a failure, 2 for bad arguments or input, others by command
  static int execute(Console console, Map<String, String> environment, String... arguments) {
    return commandLine(console, environment).execute(arguments);
  }

  private static CommandLine commandLine(Console console, Map<String, String> environment) {
    var line =
        new CommandLine(new RingsideMain())
            .addSubcommand(DemoCommand.of(console))
            .addSubcommand(AnalyzeCommand.of(console))
            .addSubcommand(EvaluateCommand.of(console))
            .addSubcommand(SimulateCommand.of(console))
            .addSubcommand(UpCommand.of(console))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(console.out(), true, console.out().charset()))
            .setErr(new PrintWriter(console.err(), true, console.err().charset()));
    line.setExecutionExceptionHandler(
        (failure, command, result) -> failed(failure, console, environment));
    line.setParameterExceptionHandler((failure, arguments) -> misused(failure, console));
    return line;
  }

  private static int misused(CommandLine.ParameterException failure, Console console) {
    var command = failure.getCommandLine().getCommandSpec().qualifiedName();
    console
        .err()
        .println("ringside: %s; %s --help tells more".formatted(failure.getMessage(), command));
    return ExitCode.USAGE;
  }

  private static int failed(Exception failure, Console console, Map<String, String> environment) {
    if (failure instanceof InterruptedException) {
      return INTERRUPTED;
    }
    if (failure instanceof UnusableInput || failure instanceof InvalidConfig) {
      console.err().println("ringside: " + failure.getMessage());
      return ExitCode.USAGE;
    }
    console
        .err()
        .println(
            "ringside: failed: %s (RINGSIDE_DEBUG=1 shows where)".formatted(failure.getMessage()));
    if (environment.containsKey("RINGSIDE_DEBUG")) {
      failure.printStackTrace(console.err());
    }
    return ExitCode.SOFTWARE;
  }
}
