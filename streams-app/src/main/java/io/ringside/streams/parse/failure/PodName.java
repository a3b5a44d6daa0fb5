package io.ringside.streams.parse.failure;

import java.util.regex.Pattern;

/// What the name of a pod shows about its job, in the naming of Jobs, Kubeflow, JobSet and KubeRay.
public final class PodName {
  /// Chars of random suffixes: no vowels and no chars that look like vowels
  /// (k8s.io/apimachinery/pkg/util/rand).
  private static final String RANDOM = "[b-df-hj-np-tv-xz2456789]";

  private static final Pattern SUFFIX =
      Pattern.compile("(?:-" + RANDOM + "{8,10})?-(?=[a-z0-9]{5}$)" + RANDOM + "{5}");

  private static final String ROLES =
      "master|worker|workers|launcher|chief|ps|evaluator|server|scheduler|head|leader|trainer"
          + "|node|mpimaster|mpiworker|default\\d*|task\\d*|[a-z0-9]*group[a-z0-9]*-worker";

  private static final Pattern MEMBER =
      Pattern.compile("-(?:" + ROLES + ")(?:-\\d+){0,2}$|-[a-z][a-z0-9]*-\\d+-\\d+$|-\\d+$");

  private static final Pattern OF_ROLE = Pattern.compile(".+-(?:" + ROLES + ")(?:-\\d+){0,2}");

  private PodName() {}

  /// The name without the random suffix that distinguishes a pod from its replacement.
  static String slot(String pod) {
    return SUFFIX.matcher(pod).replaceFirst("");
  }

  /// The part of the name that all pods of a job share: `llama-7b` of `llama-7b-worker-3`.
  public static String team(String pod) {
    return MEMBER.matcher(slot(pod)).replaceFirst("");
  }

  /// Whether a host has a name that pods have and machines do not.
  public static boolean is(String host) {
    return !slot(host).equals(host) || OF_ROLE.matcher(host).matches();
  }
}
