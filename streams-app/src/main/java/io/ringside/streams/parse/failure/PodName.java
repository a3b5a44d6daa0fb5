package io.ringside.streams.parse.failure;

import java.util.regex.Pattern;

/// What the name of a pod tells of its job, as Jobs, Kubeflow, JobSet and KubeRay name them.
public final class PodName {
  /// Without vowels and what looks like one (k8s.io/apimachinery/pkg/util/rand).
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

  /// Without the letters that only tell a pod from the one that is started in its place.
  static String slot(String pod) {
    return SUFFIX.matcher(pod).replaceFirst("");
  }

  /// What all pods of a job have in common: `llama-7b` of `llama-7b-worker-3`.
  public static String team(String pod) {
    return MEMBER.matcher(slot(pod)).replaceFirst("");
  }

  /// Whether a host is called as pods are, and machines are not.
  public static boolean is(String host) {
    return !slot(host).equals(host) || OF_ROLE.matcher(host).matches();
  }
}
