package io.ringside.lab.simulate;

import io.ringside.platform.config.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/// A time on the command line, written as in the configuration: `90s`, `10m`.
final class Length implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String typed) {
    return DurationText.parse(typed);
  }
}
