package io.ringside.shipper.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// How one kind of job names its pods. The pattern must match the whole pod name and have a group
/// `job`.
///
/// @param name the tool that makes such pod names, for messages
/// @param regex for example `(?<job>.+)-worker-\d+`
public record JobPattern(String name, String regex) {
  /// The characters of Kubernetes' random suffixes: no vowels and no digits that look like vowels
  /// (k8s.io/apimachinery/pkg/util/rand).
  private static final String RANDOM = "[bcdfghjklmnpqrstvwxz2456789]{5}";

  /// Tried in this order; the first match wins. Names that end with a number come before those that
  /// end with a random suffix, since a suffix may consist of digits.
  public static final List<JobPattern> DEFAULTS =
      List.of(
          of("Slurm", "(?<job>slurm-\\d+)(?:[_.-]\\d+)*"),
          of("Kubeflow Trainer v2", "(?<job>.+)-node-\\d+-\\d+(?:-" + RANDOM + ")?"),
          of("JobSet", "(?<job>.+)-[a-z][a-z0-9]*-\\d+-\\d+-" + RANDOM),
          of("PyTorchJob, MPIJob", "(?<job>.+)-(?:master|worker|launcher)-\\d+"),
          of(
              "Volcano",
              "(?<job>.+)-(?:default\\d*|task\\d*|ps|chief|evaluator|server|scheduler|mpimaster"
                  + "|mpiworker|trainer|pserver)-\\d+"),
          of("Ray head", "(?<job>.+)-head(?:-" + RANDOM + ")?"),
          of("Ray worker", "(?<job>.+)-[a-z0-9]*group[a-z0-9]*-worker-" + RANDOM),
          of("Ray worker, before KubeRay 1.0", "(?<job>.+?)-worker-.+-" + RANDOM),
          of("MPIJob", "(?<job>.+)-(?:launcher|worker)(?:-" + RANDOM + ")?"),
          of("indexed Job", "(?<job>.+)-\\d+-" + RANDOM),
          of("Deployment", "(?<job>.+)-[bcdfghjklmnpqrstvwxz2456789]{8,10}-" + RANDOM),
          of("Job", "(?<job>.+)-" + RANDOM),
          of("StatefulSet", "(?<job>.+)-\\d+"));

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

  private static JobPattern of(String name, String regex) {
    return new JobPattern(name, regex);
  }

  /// The job in this pod's name; empty if the name does not match. Compiles the pattern, so call it
  /// once per file.
  public Optional<String> jobOf(String pod) {
    var matcher = Pattern.compile(regex).matcher(pod);
    return matcher.matches() ? Optional.ofNullable(matcher.group("job")) : Optional.empty();
  }
}
