package io.ringside.platform.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Durations as users write them: `100ms`, `5s`, `10m`, `1h`, `2d`, or ISO-8601.
public final class DurationText extends StdDeserializer<Duration> {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");

  DurationText() {
    super(Duration.class);
  }

  @Override
  public Duration deserialize(JsonParser parser, DeserializationContext context) {
    var text = parser.getString().strip();
    try {
      return parse(text);
    } catch (DateTimeParseException e) {
      throw context.weirdStringException(
          text, Duration.class, "give a number with ms, s, m, h or d, or an ISO-8601 duration");
    }
  }

  /// Parses a duration. Throws {@link DateTimeParseException} for any other text.
  public static Duration parse(String text) {
    Matcher match = SHORT.matcher(text.toLowerCase(Locale.ROOT));
    if (!match.matches()) {
      return Duration.parse(text);
    }
    long amount = Long.parseLong(match.group(1));
    return switch (match.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
