package io.ringside.shipper.config;

import io.ringside.platform.config.Yaml;
import java.util.List;
import java.util.Locale;

/// A configuration as people read it, in YAML, with secrets hidden.
public final class EffectiveConfig {
  /// Settings of Kafka's clients and of the agent that hold secrets, by parts of their names.
  private static final List<String> SECRET = List.of("password", "jaas", "secret", "keystore.key");

  private EffectiveConfig() {}

  public static String yaml(ShipperConfig config) {
    return Yaml.text(config, EffectiveConfig::isSecret);
  }

  private static boolean isSecret(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    return SECRET.stream().anyMatch(lower::contains);
  }
}
