package io.ringside.platform.cli;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Describes wrong arguments in one sentence that says how to correct them.
public final class UsageError {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class);

  private UsageError() {}

  /// Prints the sentence on standard error of the command called. For
  /// {@link picocli.CommandLine#setParameterExceptionHandler}.
  public static int answer(ParameterException failure, String... arguments) {
    failure.getCommandLine().getErr().println(sentence(failure));
    return ExitCode.USAGE;
  }

  private static String sentence(ParameterException failure) {
    var command = failure.getCommandLine().getCommandSpec();
    var said =
        switch (failure) {
          case UnmatchedArgumentException unmatched ->
              unknown(command, unmatched.getUnmatched().getFirst());
          case MissingParameterException missing when isPositional(missing) ->
              needs(missing.getMissing().getFirst());
          case MissingParameterException missing
              when missing.getMissing().size() == 1
                  && missing.getMissing().getFirst() instanceof OptionSpec option
                  && isWithoutValue(missing) ->
              "%s needs a value, %s".formatted(option.longestName(), option.paramLabel());
          case MissingParameterException missing when !missing.getMissing().isEmpty() ->
              oneOf(missing.getMissing());
          default -> value(failure.getArgSpec(), failure.getValue(), failure);
        };
    var name = command.qualifiedName();
    return name + ": " + said + (said.endsWith("?") ? " " : "; ") + name + " --help tells more";
  }

  private static String unknown(CommandSpec command, String argument) {
    if (argument.startsWith("-") && argument.length() > 1) {
      var name = argument.replaceFirst("=.*", "");
      var options =
          command.options().stream().flatMap(each -> Arrays.stream(each.names())).toList();
      return "there is no option %s%s".formatted(name, WordSuggestion.question(name, options));
    }
    var commands = command.subcommands().keySet();
    return commands.isEmpty()
        ? "%s is one argument too many".formatted(argument)
        : "there is no command %s%s"
            .formatted(argument, WordSuggestion.question(argument, commands));
  }

  private static boolean isPositional(MissingParameterException missing) {
    return !missing.getMissing().isEmpty() && missing.getMissing().getFirst().isPositional();
  }

  /// Whether an option was given without its value, rather than not at all. Only the text of
  /// Picocli's message distinguishes the two.
  private static boolean isWithoutValue(MissingParameterException missing) {
    return String.valueOf(missing.getMessage()).contains("parameter for option");
  }

  /// `give [NODE=]PATH: files, archives and folders to read, - for standard input`.
  private static String needs(ArgSpec missing) {
    var description = String.join(" ", missing.description());
    var what = description.replaceFirst("[;.].*", "");
    return "give %s: %s"
        .formatted(
            missing.paramLabel(),
            what.substring(0, 1).toLowerCase(Locale.ROOT) + what.substring(1));
  }

  /// `give one of --create, --check`, or all of them if they do not exclude each other.
  private static String oneOf(List<ArgSpec> missing) {
    var names =
        missing.stream()
            .map(
                each ->
                    each instanceof OptionSpec option ? option.longestName() : each.paramLabel())
            .toList();
    var group = missing.getFirst().group();
    return group != null && group.exclusive()
        ? "give one of " + String.join(", ", names)
        : "give " + String.join(" and ", names);
  }

  private static String value(
      @Nullable ArgSpec argument, @Nullable String value, ParameterException failure) {
    if (argument instanceof OptionSpec option && value != null && option.type().isEnum()) {
      var known = known(option);
      return "%s knows no %s, only %s%s"
          .formatted(
              option.longestName(),
              value,
              String.join(", ", known),
              WordSuggestion.question(value, known));
    }
    if (argument instanceof OptionSpec option && value != null && WHOLE.contains(option.type())) {
      return "%s must be a whole number, was %s".formatted(option.longestName(), value);
    }
    if (argument instanceof OptionSpec option && value != null && option.type() == Duration.class) {
      return "%s must be a length such as 90s, 10m or 1h, was %s"
          .formatted(option.longestName(), value);
    }
    return String.valueOf(failure.getMessage())
        .replaceFirst("^(Error: |Invalid value for [^:]*: )", "");
  }

  private static List<String> known(OptionSpec option) {
    return Arrays.stream(option.type().getEnumConstants())
        .map(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .collect(Collectors.toList());
  }
}
