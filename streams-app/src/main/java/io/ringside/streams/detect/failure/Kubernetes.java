package io.ringside.streams.detect.failure;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What Kubernetes' events say of an end that the job's own lines do not explain: a pod that was evicted, a node that went, a
/// Job that took too long. Alone they say nothing: pods are evicted after their work as well, and a namespace holds others'.
final class Kubernetes {
  /// What Kubernetes and Kubeflow put behind a Job's name: an index, five random letters or digits, or both; `worker-3`.
  private static final Pattern OF_JOB =
      Pattern.compile("\\d+|(?:\\d+-)?[b-df-hj-np-tv-xz2456789]{5}|[a-z]{6,8}-\\d+");

  /// The node and the folders of a log's id.
  private static final Pattern BEFORE_NAME = Pattern.compile(".*[|/]");

  private Kubernetes() {}

  static Cause explained(Cause end, List<Sign> signs, Examination examination) {
    return switch (end.failureClass()) {
      case NETWORK, NCCL, STOPPED, KILLED, UNKNOWN ->
          signs.stream()
              .filter(sign -> concerns(sign, examination))
              .findFirst()
              .map(Cause::of)
              .orElse(end);
      case GPU_OUT_OF_MEMORY,
          OUT_OF_MEMORY,
          SEGFAULT,
          EXCEPTION,
          GPU_ERROR,
          NODE_LOST,
          DISK_FULL,
          DATA,
          CONFIGURATION,
          TIME_LIMIT ->
          end;
    };
  }

  /// Whether it speaks of a pod of which there is a log, or of their Job.
  private static boolean concerns(Sign sign, Examination examination) {
    if (!(sign.event() instanceof FailureEvent.Reported reported)) {
      return false;
    }
    int slash = reported.object().indexOf('/');
    var name = reported.object().substring(slash + 1);
    boolean pod = "pod".equalsIgnoreCase(reported.object().substring(0, slash));
    return pods(examination)
        .anyMatch(
            it ->
                pod
                    ? it.equals(name)
                    : it.startsWith(name + "-")
                        && OF_JOB.matcher(it.substring(name.length() + 1)).matches());
  }

  /// By its processes, and by the names of its log files.
  private static Stream<String> pods(Examination examination) {
    return Stream.concat(
        examination.run().byRank().stream()
            .flatMap(process -> Stream.of(process.source().pod(), process.host())),
        examination.job().sources().keySet().stream()
            .map(id -> BEFORE_NAME.matcher(id).replaceFirst("").replaceFirst("\\..*", "")));
  }
}
