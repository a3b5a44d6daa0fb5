package io.ringside.shipper.config;

import io.ringside.schemas.event.LogSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the owner of a log file from its path and the configuration. Immutable.
///
/// @param cluster may be empty
/// @param namespace for files whose path contains no namespace
/// @param job overrides the job found from the pod's name; empty to use the pod's name
/// @param jobPatterns tried in order on the pod's name; if none matches, the pod is its own job
public record Identity(
    String cluster, String node, String namespace, String job, List<JobPattern> jobPatterns) {
  /// `<namespace>_<pod>_<uid>`, a pod's folder under `/var/log/pods`.
  private static final Pattern POD_FOLDER =
      Pattern.compile("(?<namespace>[^_]+)_(?<pod>[^_]+)_(?<uid>[^_]+)");

  /// Uids of static pods have no dashes.
  private static final int SHORTEST_UID = 32;

  /// `0.log`, `3.log.20261120-204226`, and the same with `.gz`: the log of one run of a container.
  private static final Pattern CONTAINER_FILE =
      Pattern.compile("\\d+\\.log(?:\\.\\d{8}-\\d{6})?(?:\\.gz)?");

  /// `<pod>_<namespace>_<container>-<container id>.log`, links under `/var/log/containers`.
  private static final Pattern CONTAINER_LINK =
      Pattern.compile(
          "(?<pod>[^_]+)_(?<namespace>[^_]+)_(?<container>.+)-(?<id>[0-9a-f]{64})\\.log");

  private static final Pattern EXTENSION =
      Pattern.compile(
          "\\.(?:log|txt|out|err|gz|\\d{8}-\\d{6}|\\d{1,3}|(?:attempt|run|restart)[_-]?\\d{1,3})$");

  public Identity {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(job, "job");
    jobPatterns = List.copyOf(jobPatterns);
    if (node.isEmpty()) {
      throw new IllegalArgumentException("node must not be empty");
    }
  }

  /// The identity for a node's files with the default patterns and no overrides.
  public static Identity ofNode(String cluster, String node) {
    return new Identity(cluster, node, "", "", JobPattern.DEFAULTS);
  }

  /// Whether this is a container's log in the kubelet's folder layout.
  public static boolean isKubeletFile(Path file) {
    Path pod = grandparentName(file);
    return CONTAINER_FILE.matcher(name(file)).matches()
        && pod != null
        && POD_FOLDER.matcher(pod.toString()).matches();
  }

  /// The source of this file. Never fails: fields that the path does not contain are empty. The pod
  /// of a plain file is its name without `.log`.
  public LogSource sourceOf(Path file) {
    return sourceOf(file, file.toString());
  }

  /// Like the method above, but the record holds the given spelling of the path.
  public LogSource sourceOf(Path file, String recordedAs) {
    Path podFolder = grandparentName(file);
    if (podFolder != null && CONTAINER_FILE.matcher(name(file)).matches()) {
      Matcher pod = POD_FOLDER.matcher(podFolder.toString());
      if (pod.matches()) {
        return source(
            pod.group("namespace"),
            pod.group("pod"),
            pod.group("uid"),
            String.valueOf(Objects.requireNonNull(file.getParent()).getFileName()),
            recordedAs);
      }
    }
    Matcher link = CONTAINER_LINK.matcher(name(file));
    if (link.matches()) {
      return source(
          link.group("namespace"), link.group("pod"), "", link.group("container"), recordedAs);
    }
    return source(namespace, podOf(file), "", "", recordedAs);
  }

  /// The source of files in a folder with this name: the pod's if the name has the form used under
  /// `/var/log/pods`, else the job or pod with this name.
  public LogSource ofFolder(String folder, String recordedAs) {
    Matcher pod = POD_FOLDER.matcher(folder);
    return pod.matches() && pod.group("uid").length() >= SHORTEST_UID
        ? source(pod.group("namespace"), pod.group("pod"), pod.group("uid"), "", recordedAs)
        : source(namespace, folder, "", "", recordedAs);
  }

  private LogSource source(
      String space, String pod, String uid, String container, String recordedAs) {
    return new LogSource(cluster, node, space, pod, uid, container, jobOf(pod), recordedAs);
  }

  /// The job of a pod: the override, the first pattern that matches, or the pod itself.
  public String jobOf(String pod) {
    if (!job.isEmpty()) {
      return job;
    }
    return jobPatterns.stream()
        .flatMap(pattern -> pattern.jobOf(pod).stream())
        .findFirst()
        .orElse(pod);
  }

  private static String podOf(Path file) {
    String pod = name(file);
    for (var end = EXTENSION.matcher(pod); end.find(); end = EXTENSION.matcher(pod)) {
      if (end.start() == 0) {
        break;
      }
      pod = pod.substring(0, end.start());
    }
    return pod;
  }

  private static String name(Path file) {
    Path name = file.getFileName();
    return name == null ? file.toString() : name.toString();
  }

  private static @Nullable Path grandparentName(Path file) {
    Path parent = file.getParent();
    Path grandparent = parent == null ? null : parent.getParent();
    return grandparent == null ? null : grandparent.getFileName();
  }
}
