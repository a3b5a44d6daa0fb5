package io.ringside.platform.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.databind.ser.std.ToStringSerializer;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/// Reads YAML written by users: strict about keys, duplicates and values, with messages that name
/// the key. Also writes YAML for users.
public final class Yaml {
  private static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
          .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
          .addModule(
              new SimpleModule() {
                @Override
                public void setupModule(SetupContext context) {
                  super.setupModule(context);
                  context.addValueInstantiators(new PlainConstructors());
                }
              }.addDeserializer(Duration.class, new DurationText())
                  .addSerializer(Path.class, ToStringSerializer.instance))
          .build();

  private Yaml() {}

  /// A YAML mapping from the class path.
  ///
  /// @throws IllegalStateException if it does not exist
  public static ObjectNode resource(String name) {
    try (InputStream in = Yaml.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the class path");
      }
      return (ObjectNode) MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A YAML mapping; empty if the text is empty.
  ///
  /// @param origin name of the text in messages
  /// @throws InvalidConfig if the text is anything else
  public static ObjectNode parse(String text, String origin) {
    try {
      JsonNode tree = MAPPER.readTree(text);
      if (tree instanceof ObjectNode object) {
        return object;
      }
      if (tree.isMissingNode() || tree.isNull()) {
        return MAPPER.createObjectNode();
      }
      throw new InvalidConfig(origin + ": must be a YAML mapping of keys to values");
    } catch (JacksonException e) {
      throw new InvalidConfig(origin + ": " + ConfigErrors.describe(e), e);
    }
  }

  /// A record as YAML, with the keys of its maps in order.
  ///
  /// @param secret whether to hide the value of a key, given the key's own name without its path; a
  ///     value that is not empty is then written as `(hidden)`
  public static String text(Object record, Predicate<String> secret) {
    ObjectNode tree = MAPPER.valueToTree(record);
    hide(tree, secret);
    return MAPPER.writeValueAsString(tree);
  }

  private static void hide(ObjectNode tree, Predicate<String> secret) {
    for (var entry : tree.properties()) {
      if (entry.getValue() instanceof ObjectNode below) {
        hide(below, secret);
      } else if (secret.test(entry.getKey()) && !entry.getValue().asString().isEmpty()) {
        entry.setValue(StringNode.valueOf("(hidden)"));
      }
    }
  }

  /// Merges `over` into `base`. Objects merge key by key; any other value replaces the old one; an
  /// empty value changes nothing.
  public static void overlay(ObjectNode base, ObjectNode over) {
    over.forEachEntry(
        (key, value) -> {
          if (value instanceof ObjectNode object && base.get(key) instanceof ObjectNode below) {
            overlay(below, object);
          } else if (!value.isNull() || !base.has(key)) {
            base.set(key, value);
          }
        });
  }

  /// Binds a tree to a record.
  ///
  /// @param origin name of the tree in messages
  /// @throws InvalidConfig with the key and the allowed values
  public static <T> T bind(ObjectNode tree, Class<T> type, String origin) {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (JacksonException e) {
      throw new InvalidConfig(origin + ": " + ConfigErrors.describe(e), e);
    }
  }
}
