package io.ringside.standalone.terminal;

import io.ringside.platform.cli.UsageError;
import io.ringside.platform.cli.WordSuggestion;
import io.ringside.platform.config.InvalidConfig;
import io.ringside.standalone.input.UnusableInput;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/// The commands of a program. Errors are printed as one sentence on stderr, with an exit code.
public final class Commands {
  /// The shell's exit code for Ctrl-C.
  private static final int INTERRUPTED = 130;

  private final CommandLine line;
  private final Console console;
  private final Map<String, String> environment;

  /// @param program annotated object with the program's name; commands are annotated with theirs
  public Commands(
      Object program, List<?> commands, Console console, Map<String, String> environment) {
    this.console = console;
    this.environment = environment;
    line = new CommandLine(program);
    commands.forEach(line::addSubcommand);
    line.addSubcommand(new VersionCommand(console));
    line.addSubcommand(new CommandLine.HelpCommand());
    line.registerConverter(ZoneId.class, Commands::zone);
    line.setAbbreviatedOptionsAllowed(false);
    line.setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(console.out(), true, console.out().charset()))
        .setErr(new PrintWriter(console.err(), true, console.err().charset()));
    line.setExecutionExceptionHandler((failure, command, result) -> failed(failure));
    line.setParameterExceptionHandler((failure, arguments) -> misused(failure));
  }

  /// Runs one command.
  ///
  /// @return the exit code: 0, 1 for a failure, 2 for bad arguments or input, others by command
  public int execute(String... arguments) {
    return line.execute(arguments);
  }

  private static ZoneId zone(String typed) {
    try {
      return ZoneId.of(typed);
    } catch (DateTimeException e) {
      throw new CommandLine.TypeConversionException(
          "there is no time zone %s; zones are named like Europe/Berlin or UTC".formatted(typed)
              + WordSuggestion.question(
                  typed, ZoneId.getAvailableZoneIds().stream().sorted().toList()));
    }
  }

  private int misused(CommandLine.ParameterException failure) {
    var command = failure.getCommandLine();
    if (command.equals(line) && command.getParseResult().originalArgs().isEmpty()) {
      command.usage(console.err());
      return ExitCode.USAGE;
    }
    return UsageError.answer(failure);
  }

  private int failed(Exception failure) {
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
