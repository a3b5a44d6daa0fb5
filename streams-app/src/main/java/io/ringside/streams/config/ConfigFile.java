package io.ringside.streams.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Lays the user's YAML over the defaults and single settings over both, then binds the whole.
/// Unknown keys, duplicate keys, empty values and anything that does not fit are refused.
public final class ConfigFile {
  private static final String DEFAULTS = "/streams-app.yaml";

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::([^}]*))?}");

  /// What a ConfigMap can hold; to read more takes time that grows with its square.
  private static final long MOST_BYTES = 1 << 20;

  private ConfigFile() {}

  static StreamsAppConfig defaults() {
    return Yaml.bind(Yaml.resource(DEFAULTS), StreamsAppConfig.class, "built-in defaults");
  }

  /// Reads the configuration with the process's environment.
  ///
  /// @param file the user's YAML, null for none
  /// @param settings single values that win, by path: `["http", "port"]`
  /// @throws InvalidConfig with a message for people
  public static StreamsAppConfig read(@Nullable Path file, Map<List<String>, String> settings) {
    return read(file, settings, System::getenv);
  }

  /// The same with an environment of the caller's: `${NAME}` and `${NAME:default}` in the file stand
  /// for its variables, so that secrets need not be in the file.
  public static StreamsAppConfig read(
      @Nullable Path file,
      Map<List<String>, String> settings,
      UnaryOperator<@Nullable String> environment) {
    var tree = Yaml.resource(DEFAULTS);
    if (file != null) {
      var user = Yaml.parse(text(file), file.toString());
      expand(user, environment);
      Yaml.overlay(tree, user);
    }
    settings.forEach((path, value) -> set(tree, path, value));
    return Yaml.bind(tree, StreamsAppConfig.class, file == null ? "command line" : file.toString());
  }

  /// The text of a file that a person wrote.
  ///
  /// @throws InvalidConfig if it cannot be read
  public static String text(Path file) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new InvalidConfig(file + ": is larger than " + MOST_BYTES + " bytes");
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new InvalidConfig(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new InvalidConfig(file + ": cannot be read (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  private static void expand(ObjectNode tree, UnaryOperator<@Nullable String> environment) {
    for (var entry : List.copyOf(tree.properties())) {
      if (entry.getValue() instanceof ObjectNode inner) {
        expand(inner, environment);
      } else if (entry.getValue().isString()) {
        tree.put(entry.getKey(), expanded(entry.getValue().asString(), environment));
      }
    }
  }

  private static String expanded(String value, UnaryOperator<@Nullable String> environment) {
    return VARIABLE
        .matcher(value)
        .replaceAll(
            match -> {
              var set = environment.apply(match.group(1));
              var given = set == null ? match.group(2) : set;
              if (given == null) {
                throw new InvalidConfig(
                    "the environment variable %s is not set".formatted(match.group(1)));
              }
              return Matcher.quoteReplacement(given);
            });
  }

  private static void set(ObjectNode tree, List<String> path, String value) {
    var node = tree;
    for (var key : path.subList(0, path.size() - 1)) {
      node = node.withObjectProperty(key);
    }
    node.put(path.getLast(), value);
  }
}
