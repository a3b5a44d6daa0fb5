package io.ringside.shipper.config;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// How a kind of job names its pods. The pattern must match the whole pod name and have a group
/// `job`. The usual ones are in `shipper.yaml`, in this order; the first that matches wins.
///
/// @param name what makes such names, for messages
/// @param regex for example `(?<job>.+)-worker-\d+`
public record JobPattern(String name, String regex) {
  public JobPattern {
    try {
      if (!Pattern.compile(regex).namedGroups().containsKey("job")) {
        throw new IllegalArgumentException(
            "pattern '%s' must have a group (?<job>…)".formatted(regex));
      }
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "pattern '%s' cannot be read: %s".formatted(regex, e.getDescription()), e);
    }
  }

  /// The job in this pod's name, if it is so named. Compiles the pattern, so ask once a file.
  public Optional<String> jobOf(String pod) {
    var matcher = Pattern.compile(regex).matcher(pod);
    return matcher.matches() ? Optional.ofNullable(matcher.group("job")) : Optional.empty();
  }
}
