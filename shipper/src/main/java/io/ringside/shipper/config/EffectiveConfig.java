package io.ringside.shipper.config;

import io.ringside.platform.config.Yaml;
import java.util.List;
import java.util.Locale;

/// The configuration as YAML for people to read, with secrets hidden.
public final class EffectiveConfig {
  /// Parts of the names of Kafka client settings and agent settings that hold secrets.
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
