package io.ringside.standalone;

import io.ringside.standalone.analyze.AnalyzeCommand;
import io.ringside.standalone.campaign.ReportCommand;
import io.ringside.standalone.demo.DemoCommand;
import io.ringside.standalone.terminal.Commands;
import io.ringside.standalone.terminal.Console;
import io.ringside.standalone.terminal.Version;
import io.ringside.standalone.up.UpCommand;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/// The program behind the launcher `./ringside`.
@Command(
    name = "ringside",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Watches the transport and the stragglers of training jobs.",
    footer = {
      "",
      "For example, a pod's log, and all logs of a folder:",
      "  kubectl logs POD | ringside analyze -",
      "  ringside analyze logs/",
    })
public final class RingsideMain {
  private RingsideMain() {}

  public static void main(String[] arguments) {
    // before the first logger is made; the configuration files of other modules are for their own
    // processes
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "logback-standalone.xml");
    }
    var console = Console.ofProcess(System.getenv());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> silence(console)));
    System.exit(execute(console, System.getenv(), arguments));
  }

  /// Silences output during shutdown: errors caused by the shutdown itself, as after Ctrl-C, and
  /// the progress line are of no interest then.
  private static void silence(Console console) {
    console.progress().end();
    console.err().close();
    System.err.close();
  }

  /// Runs one command.
  ///
  /// @return the exit code: 0, 1 for a failure, 2 for bad arguments or input, others by command
  static int execute(Console console, Map<String, String> environment, String... arguments) {
    return new Commands(new RingsideMain(), commands(console, arguments), console, environment)
        .execute(arguments);
  }

  /// The requested command, else all commands. Only one is built if possible, since that takes a
  /// twentieth of a small log's time.
  private static List<Object> commands(Console console, String... arguments) {
    return switch (arguments.length == 0 ? "" : arguments[0]) {
      case "demo" -> List.of(DemoCommand.of(console));
      case "analyze" -> List.of(AnalyzeCommand.of(console));
      case "up" -> List.of(UpCommand.of(console));
      case "report" -> List.of(ReportCommand.of(console));
      default ->
          List.of(
              DemoCommand.of(console),
              AnalyzeCommand.of(console),
              UpCommand.of(console),
              ReportCommand.of(console));
    };
  }
}
