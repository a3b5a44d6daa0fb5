package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// What each machine should do, and the limits above which a finding is told: `expectations.yaml`,
/// with what a user's file changed.
///
/// @param instanceType type of the machines where neither lines nor agents tell, empty for not
///   known
/// @param instanceTypes by the cloud's name
/// @param gpuModels by a part of the name that nvidia-smi gives: `A100`
/// @param costPerGpuHour what an hour of one GPU costs by the machine's type, `*` for any other; in
///     whatever money its owner counts
/// @param measuredPrices what transports cost where somebody measured it
/// @param thresholds when to speak
/// @param harmless reasons by the part of a WARN text that starts no finding
/// @param jobs what holds for some jobs only; the first that matches counts
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

  /// What holds for jobs of some names.
  ///
  /// @param match the whole name, with `*` for any characters and `?` for any one
  /// @param what all of it, changed for them
  public record ForJobs(String match, Expectations what) {
    boolean matches(String job) {
      return Glob.matches(match, job);
    }
  }

  /// Those that Ringside comes with.
  public static Expectations builtIn() {
    return ExpectationsReader.builtIn();
  }

  /// Those for a job of this name.
  public Expectations of(String job) {
    for (var special : jobs) {
      if (special.matches(job)) {
        return special.what();
      }
    }
    return this;
  }

  /// The model of a GPU with this name; of several that are part of it the longest counts.
  public Optional<GpuModel> gpuModel(String name) {
    return gpuModels.entrySet().stream()
        .filter(entry -> name.contains(entry.getKey()))
        .max(java.util.Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue);
  }

  /// What an hour of one GPU of such a machine costs, empty if nobody said.
  public Optional<Double> costPerGpuHour(String type) {
    var own = costPerGpuHour.get(type);
    return Optional.ofNullable(own == null ? costPerGpuHour.get(ANY) : own);
  }

  /// Whether this WARN text says nothing.
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
