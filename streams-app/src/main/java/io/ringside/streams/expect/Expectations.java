package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// What each machine should do, and the limits above which a finding is reported:
/// `expectations.yaml` with the changes of a user's file.
///
/// @param instanceType type of the machines if neither lines nor agents report it, empty if unknown
/// @param instanceTypes machine types by the cloud's name
/// @param gpuModels GPU models by a part of the name that nvidia-smi prints: `A100`
/// @param costPerGpuHour cost of an hour of one GPU by machine type, `*` for any other; in the
///     owner's currency
/// @param measuredPrices measured costs of transports
/// @param thresholds limits for reporting
/// @param harmless reasons, by a part of a WARN text that never causes a finding
/// @param jobs special expectations for some jobs; the first that matches counts
public record Expectations(
    String instanceType,
    Map<String, InstanceType> instanceTypes,
    Map<String, GpuModel> gpuModels,
    Map<String, Double> costPerGpuHour,
    List<MeasuredPrice> measuredPrices,
    Thresholds thresholds,
    Map<String, String> harmless,
    List<ForJobs> jobs) {
  private static final String ANY = "*";

  public Expectations {
    Objects.requireNonNull(instanceType, "instanceType");
    instanceTypes = Map.copyOf(instanceTypes);
    gpuModels = Map.copyOf(gpuModels);
    costPerGpuHour = Map.copyOf(costPerGpuHour);
    measuredPrices = List.copyOf(measuredPrices);
    costPerGpuHour.forEach(
        (type, cost) -> Require.between("costPerGpuHour." + type, 0, 100_000, cost));
    Objects.requireNonNull(thresholds, "thresholds");
    harmless = Map.copyOf(harmless);
    jobs = List.copyOf(jobs);
  }

  /// Expectations for jobs with certain names.
  ///
  /// @param match pattern for the whole name, with `*` for any characters and `?` for any single
  ///   one
  /// @param what all expectations, changed for these jobs
  public record ForJobs(String match, Expectations what) {
    boolean matches(String job) {
      return Glob.matches(match, job);
    }
  }

  /// The built-in expectations.
  public static Expectations builtIn() {
    return ExpectationsReader.builtIn();
  }

  /// The expectations for a job with this name.
  public Expectations of(String job) {
    for (var special : jobs) {
      if (special.matches(job)) {
        return special.what();
      }
    }
    return this;
  }

  /// The model of a GPU with this name; if several keys are part of the name, the longest counts.
  public Optional<GpuModel> gpuModel(String name) {
    return gpuModels.entrySet().stream()
        .filter(entry -> name.contains(entry.getKey()))
        .max(java.util.Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue);
  }

  /// Cost of an hour of one GPU of such a machine, empty if not configured.
  public Optional<Double> costPerGpuHour(String type) {
    var own = costPerGpuHour.get(type);
    return Optional.ofNullable(own == null ? costPerGpuHour.get(ANY) : own);
  }

  /// Whether this WARN text is harmless.
  public boolean harmless(String message) {
    return harmless.keySet().stream().anyMatch(message::contains);
  }

  Expectations withJobs(List<ForJobs> special) {
    return new Expectations(
        instanceType,
        instanceTypes,
        gpuModels,
        costPerGpuHour,
        measuredPrices,
        thresholds,
        harmless,
        special);
  }
}
