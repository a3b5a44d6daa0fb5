package io.ringside.platform.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The configuration of a program: defaults, overridden by the user's YAML, overridden by single
/// settings. In values, `${NAME}` and `${NAME:default}` stand for environment variables, so that
/// secrets need not be in the file. Unknown keys, duplicate keys and invalid values are rejected
/// with the key's path.
///
/// @param defaults class path location of the YAML with every key
/// @param type record type of the whole configuration, which rejects impossible values
public record ConfigFile<T>(String defaults, Class<T> type) {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::([^}]*))?}");

  /// Largest file in bytes, which is also a ConfigMap's limit. The time to parse YAML grows with
  /// the square of its length.
  private static final long MOST_BYTES = 1 << 20;

  /// Reads the configuration.
  ///
  /// @param file the user's YAML, null for none
  /// @param settings single values by path, which override the file: `http.port`,
  ///     `kafka.linger.ms`; a list is separated by commas
  /// @param environment returns a variable's value, null if it is not set
  /// @throws InvalidConfig with a message for the user
  public T read(
      @Nullable Path file,
      Map<String, String> settings,
      Function<String, @Nullable String> environment) {
    var tree = Yaml.resource(defaults);
    if (file != null) {
      Yaml.overlay(tree, Yaml.parse(text(file), file.toString()));
    }
    settings.forEach((path, value) -> set(tree, path, value));
    expand(tree, environment);
    return Yaml.bind(tree, type, file == null ? "command line" : file.toString());
  }

  /// The text of a file written by a user.
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

  /// Sets a value. The path is followed as long as there are objects; the rest is one key, since
  /// the keys of Kafka's clients contain dots.
  private static void set(ObjectNode tree, String path, String value) {
    int dot = path.indexOf('.');
    if (dot > 0 && tree.get(path.substring(0, dot)) instanceof ObjectNode inner) {
      set(inner, path.substring(dot + 1), value);
    } else if (tree.path(path).isArray()) {
      var list = tree.putArray(path);
      for (var item : value.split(",", -1)) {
        list.add(item.strip());
      }
    } else {
      tree.put(path, value);
    }
  }

  private static void expand(ObjectNode tree, Function<String, @Nullable String> environment) {
    for (var entry : List.copyOf(tree.properties())) {
      var value = entry.getValue();
      if (value instanceof ObjectNode inner) {
        expand(inner, environment);
      } else if (value.isString()) {
        tree.put(entry.getKey(), expanded(value.asString(), environment));
      } else if (value.isArray() && value.valueStream().allMatch(JsonNode::isString)) {
        var list = tree.putArray(entry.getKey());
        value.forEach(item -> list.add(expanded(item.asString(), environment)));
      }
    }
  }

  private static String expanded(String value, Function<String, @Nullable String> environment) {
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
}
