package io.ringside.shipper.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// YAML becomes a {@link ShipperConfig}: the defaults, over them the user's file, over that single
/// settings from the command line. Unknown or repeated keys and bad values are refused with the
/// key's path. `${NAME}` and `${NAME:default}` in a value stand for the environment.
public final class ConfigFile {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::([^}]*))?}");
  private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d)");

  /// What a ConfigMap can hold; to read more takes time that grows with its square.
  private static final long MOST_BYTES = 1 << 20;

  private static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .addModule(new SimpleModule().addDeserializer(Duration.class, new Durations()))
          .build();

  private ConfigFile() {}

  /// Reads a configuration.
  ///
  /// @param file the user's, or null for the defaults alone
  /// @param settings by path, such as `logs.poll`; for a list, values separated by commas
  /// @param environment looks up a variable; null if it is not set
  /// @throws BadConfig if something in it is wrong
  public static ShipperConfig read(
      @Nullable Path file,
      Map<String, String> settings,
      Function<String, @Nullable String> environment)
      throws IOException {
    ObjectNode tree = defaults();
    if (file != null) {
      JsonNode user = parse(file);
      if (user.isObject()) {
        merge(tree, (ObjectNode) user);
      } else if (!user.isMissingNode() && !user.isNull()) {
        throw new BadConfig(file + " must hold keys and values");
      }
    }
    settings.forEach((path, value) -> set(tree, path, value));
    return bind(expanded(tree, environment));
  }

  private static ObjectNode defaults() throws IOException {
    try (InputStream in = ConfigFile.class.getResourceAsStream("shipper.yaml")) {
      return (ObjectNode) MAPPER.readTree(Objects.requireNonNull(in, "shipper.yaml"));
    }
  }

  private static JsonNode parse(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new BadConfig("%s is larger than %d bytes".formatted(file, MOST_BYTES));
    }
    try {
      return MAPPER.readTree(Files.readString(file));
    } catch (JacksonException e) {
      var at = e.getLocation();
      throw new BadConfig(
          "%s, line %d: %s"
              .formatted(file, at == null ? 0 : at.getLineNr(), e.getOriginalMessage()));
    }
  }

  /// Objects are merged, everything else is replaced.
  private static void merge(ObjectNode into, ObjectNode from) {
    for (Map.Entry<String, JsonNode> entry : from.properties()) {
      JsonNode old = into.get(entry.getKey());
      if (old instanceof ObjectNode oldObject && entry.getValue() instanceof ObjectNode fresh) {
        merge(oldObject, fresh);
      } else {
        into.set(entry.getKey(), entry.getValue());
      }
    }
  }

  private static void set(ObjectNode tree, String path, String value) {
    ObjectNode node = tree;
    String rest = path;
    boolean kafka = path.startsWith("kafka.");
    while (true) {
      int dot = rest.indexOf('.');
      if (dot < 0 || (kafka && !rest.startsWith("kafka."))) {
        break;
      }
      if (!(node.get(rest.substring(0, dot)) instanceof ObjectNode inner)) {
        throw new BadConfig("%s is not known".formatted(path));
      }
      node = inner;
      rest = rest.substring(dot + 1);
    }
    if (node.get(rest) != null && node.get(rest).isArray()) {
      var list = node.putArray(rest);
      for (String item : value.split(",", -1)) {
        list.add(item.strip());
      }
    } else {
      node.put(rest, value);
    }
  }

  private static ObjectNode expanded(
      ObjectNode tree, Function<String, @Nullable String> environment) {
    for (Map.Entry<String, JsonNode> entry : Map.copyOf(asMap(tree)).entrySet()) {
      if (entry.getValue() instanceof ObjectNode inner) {
        expanded(inner, environment);
      } else if (entry.getValue().isString()) {
        tree.put(entry.getKey(), expand(entry.getValue().asString(), environment));
      } else if (entry.getValue().isArray() && allStrings(entry.getValue())) {
        var list = tree.putArray(entry.getKey());
        entry.getValue().forEach(item -> list.add(expand(item.asString(), environment)));
      }
    }
    return tree;
  }

  private static boolean allStrings(JsonNode array) {
    for (JsonNode item : array) {
      if (!item.isString()) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, JsonNode> asMap(ObjectNode node) {
    var map = new LinkedHashMap<String, JsonNode>();
    node.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    return map;
  }

  private static String expand(String value, Function<String, @Nullable String> environment) {
    Matcher variable = VARIABLE.matcher(value);
    return variable.replaceAll(
        match -> {
          String set = environment.apply(match.group(1));
          String given = set == null ? match.group(2) : set;
          if (given == null) {
            throw new BadConfig("the environment variable %s is not set".formatted(match.group(1)));
          }
          return Matcher.quoteReplacement(given);
        });
  }

  private static ShipperConfig bind(ObjectNode tree) {
    try {
      return MAPPER.treeToValue(tree, ShipperConfig.class);
    } catch (UnrecognizedPropertyException e) {
      throw new BadConfig(
          "%s is not known; known here are %s".formatted(path(e), e.getKnownPropertyIds()));
    } catch (ValueInstantiationException e) {
      throw new BadConfig(prefix(e) + rootMessage(e));
    } catch (JacksonException e) {
      throw new BadConfig("%s: %s".formatted(path(e), e.getOriginalMessage()));
    }
  }

  /// A record names its own component; what leads to the record comes before it.
  private static String prefix(DatabindException e) {
    String path = path(e);
    return path.isEmpty() ? "" : path + ".";
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  private static String path(JacksonException e) {
    var path = new StringBuilder();
    for (var step : e.getPath()) {
      if (step.getPropertyName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
      }
    }
    return path.toString();
  }

  /// `200ms`, `1s`, `5m`, `1h`, or ISO-8601.
  private static final class Durations extends ValueDeserializer<Duration> {
    @Override
    public Duration deserialize(JsonParser parser, DeserializationContext context) {
      String text = parser.getString().strip();
      return parse(text)
          .orElseThrow(
              () ->
                  context.weirdStringException(
                      text, Duration.class, "must be like 200ms, 1s, 5m or 1h"));
    }

    private static Optional<Duration> parse(String text) {
      Matcher given = DURATION.matcher(text.toLowerCase(Locale.ROOT));
      if (!given.matches()) {
        try {
          return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException e) {
          return Optional.empty();
        }
      }
      long amount = Long.parseLong(given.group(1));
      return Optional.of(
          switch (given.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
          });
    }
  }
}
