package io.ringside.streams.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Lays the user's YAML over the defaults and single settings over both, then binds the whole.
/// Unknown keys, duplicate keys, empty values and anything that does not fit are refused.
public final class ConfigFile {
  private static final String DEFAULTS = "/streams-app.yaml";

  private static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .addModule(new SimpleModule().addDeserializer(Duration.class, new DurationText()))
          .build();

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::([^}]*))?}");

  private ConfigFile() {}

  static StreamsAppConfig defaults() {
    return bind(defaultTree(), "built-in defaults");
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
    var tree = defaultTree();
    if (file != null) {
      var user = userTree(file);
      expand(user, environment);
      overlay(tree, user);
    }
    settings.forEach((path, value) -> set(tree, path, value));
    return bind(tree, file == null ? "command line" : file.toString());
  }

  private static ObjectNode defaultTree() {
    try (InputStream in = ConfigFile.class.getResourceAsStream(DEFAULTS)) {
      if (in == null) {
        throw new IllegalStateException(DEFAULTS + " is missing from the class path");
      }
      return (ObjectNode) MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode userTree(Path file) {
    try {
      JsonNode tree = MAPPER.readTree(Files.readString(file));
      if (tree instanceof ObjectNode object) {
        return object;
      }
      if (tree.isMissingNode() || tree.isNull()) {
        return MAPPER.createObjectNode();
      }
      throw new InvalidConfig(file + ": must be a YAML mapping of keys to values");
    } catch (NoSuchFileException e) {
      throw new InvalidConfig(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new InvalidConfig(file + ": cannot be read (" + e.getClass().getSimpleName() + ")", e);
    } catch (JacksonException e) {
      throw new InvalidConfig(file + ": " + ConfigErrors.describe(e), e);
    }
  }

  /// Objects merge key by key; anything else replaces what was there; an empty value says nothing.
  private static void overlay(ObjectNode base, ObjectNode over) {
    over.forEachEntry(
        (key, value) -> {
          if (value instanceof ObjectNode object && base.get(key) instanceof ObjectNode below) {
            overlay(below, object);
          } else if (!value.isNull() || !base.has(key)) {
            base.set(key, value);
          }
        });
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

  private static StreamsAppConfig bind(ObjectNode tree, String origin) {
    try {
      return MAPPER.treeToValue(tree, StreamsAppConfig.class);
    } catch (JacksonException e) {
      throw new InvalidConfig(origin + ": " + ConfigErrors.describe(e), e);
    }
  }
}
