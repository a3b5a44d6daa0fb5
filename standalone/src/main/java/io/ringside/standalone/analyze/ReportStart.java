package io.ringside.standalone.analyze;

import io.ringside.standalone.input.UnusableInput;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/// The time from which the report starts: a moment, or a duration before the last line of the
/// input. Recordings are read long after they were made, so durations count from their end and not
/// from now.
public sealed interface ReportStart {
  Pattern LENGTH = Pattern.compile("(\\d{1,9})\\s*(s|m|min|h|d)");

  /// @param last the last time in the input
  /// @throws UnusableInput if the input has no time and one is needed
  Instant begin(Optional<Instant> last);

  /// Parses `20m`, `2026-11-20T20:42:30Z`, `2026-11-20 20:42:30` (UTC), `2026-11-20`.
  ///
  /// @throws UnusableInput for anything else
  static ReportStart of(String typed) {
    var text = typed.strip();
    var length = LENGTH.matcher(text);
    if (length.matches()) {
      return new Before(length(Long.parseLong(length.group(1)), length.group(2)));
    }
    try {
      return new At(moment(text));
    } catch (DateTimeParseException e) {
      throw new UnusableInput(
          "--since takes a length such as 20m or 2h, or a time such as 2026-11-20T20:42:30Z, not %s."
              .formatted(typed));
    }
  }

  private static Duration length(long n, String unit) {
    return switch (unit.charAt(0)) {
      case 's' -> Duration.ofSeconds(n);
      case 'h' -> Duration.ofHours(n);
      case 'd' -> Duration.ofDays(n);
      default -> Duration.ofMinutes(n);
    };
  }

  private static Instant moment(String text) {
    if (text.length() == "2026-11-20".length()) {
      return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
    var iso = text.replaceFirst(" ", "T");
    return iso.matches(".*(Z|[+-]\\d\\d:?\\d\\d)")
        ? OffsetDateTime.parse(iso).toInstant()
        : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
  }

  record At(Instant moment) implements ReportStart {
    @Override
    public Instant begin(Optional<Instant> last) {
      return moment;
    }
  }

  /// A duration before the end.
  record Before(Duration length) implements ReportStart {
    @Override
    public Instant begin(Optional<Instant> last) {
      return last.orElseThrow(
              () ->
                  new UnusableInput(
                      "Nothing in what was read carries a time, so --since cannot be applied; leave it out."))
          .minus(length);
    }
  }
}
