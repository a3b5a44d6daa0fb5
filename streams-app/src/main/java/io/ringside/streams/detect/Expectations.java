package io.ringside.streams.detect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What machines should do and from where on a finding is worth telling: `expectations.yaml`.
///
/// @param instanceTypes by the cloud's name
/// @param thresholds when to speak
/// @param harmless WARN texts that say nothing
public record Expectations(
    Map<String, InstanceType> instanceTypes, Thresholds thresholds, List<Harmless> harmless) {

  public Expectations {
    instanceTypes = Map.copyOf(instanceTypes);
    Objects.requireNonNull(thresholds, "thresholds");
    harmless = List.copyOf(harmless);
  }

  /// A WARN text that starts no finding.
  ///
  /// @param contains part of the text
  /// @param because why it is harmless
  public record Harmless(String contains, String because) {}

  /// From where on a finding is worth telling.
  ///
  /// @param lateStart least wait at start-up
  /// @param lateStartWarning from where on it is a warning
  /// @param stragglerEpisodes how often the others must have waited for one rank
  /// @param stragglerLeast least time from its first to its last late arrival
  /// @param stragglerShare least share of the time lost to one rank, 0 to 1
  /// @param stragglerStepShare least share of the steps in which the rank was late, where steps are known
  /// @param stragglerPause longest time between late arrivals, where steps are not known
  /// @param stragglerCriticalShare share of the run's time from which on a straggler is critical
  /// @param mismatchShare share of rounds whose calls disagree from which on times are not trusted
  /// @param silence how long all ranks of a live run may be silent
  public record Thresholds(
      Duration lateStart,
      Duration lateStartWarning,
      int stragglerEpisodes,
      Duration stragglerLeast,
      double stragglerShare,
      double stragglerStepShare,
      Duration stragglerPause,
      double stragglerCriticalShare,
      double mismatchShare,
      Duration silence) {}

  /// Those that Ringside comes with.
  public static Expectations builtIn() {
    try (var in = Expectations.class.getResourceAsStream("/expectations.yaml")) {
      return read(Objects.requireNonNull(in, "expectations.yaml is not on the class path"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads YAML. Unknown and missing keys are errors.
  public static Expectations read(InputStream yaml) {
    return YAMLMapper.builder()
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
        .build()
        .readValue(yaml, Expectations.class);
  }
}
