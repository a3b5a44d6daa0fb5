package io.ringside.streams.detect.failure;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ListedEnds;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent.Reported;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Explains ends from the reports of Kubernetes and AWS, where the job's own lines do not: a pod
/// that was evicted or ran out of memory, a lost machine, a Job that took too long. An event beside
/// logs proves nothing alone: pods are evicted after their work too, and a namespace holds other
/// jobs. An ended pod counts as a death if its job's log just stops.
final class Kubernetes {
  /// Suffix that Kubernetes and Kubeflow add to a Job's name: an index, five random letters or
  /// digits, or both; `worker-3`.
  private static final Pattern OF_JOB =
      Pattern.compile("\\d+|(?:\\d+-)?[b-df-hj-np-tv-xz2456789]{5}|[a-z]{6,8}-\\d+");

  /// The name of a Job's pod is its host name plus five random letters or digits (JobSet, indexed
  /// Jobs).
  private static final Pattern OF_HOST = Pattern.compile("[b-df-hj-np-tv-xz2456789]{5}");

  private static final int STRAGGLING_LINES = 3;

  private static final long LONG_AFTER_NANOS = 60_000_000_000L;

  /// Longest time between the run's last progress and the report of a lost node. A silent node is
  /// called not ready after 40 s (50 s from Kubernetes 1.32 on), and lines of steps are a minute or
  /// two apart.
  private static final long LATELY_NANOS = 300_000_000_000L;

  private Kubernetes() {}

  static FailureCause explained(FailureCause end, List<Sign> signs, Examination examination) {
    if (!end.follows() && !vague(end.failureClass())) {
      return end;
    }
    var told = concerning(signs, examination);
    long killed = told.stream().filter(it -> is(it, FailureClass.KILLED)).count();
    return first(
            told.stream()
                .filter(it -> !is(it, FailureClass.UNKNOWN) && !before(it))
                .filter(it -> !is(it, FailureClass.KILLED) || killed == 1)
                .toList())
        .orElse(end);
  }

  /// Whether the failure may have a cause outside the process.
  private static boolean vague(FailureClass failureClass) {
    return switch (failureClass) {
      case NETWORK, NCCL, STOPPED, KILLED, UNKNOWN -> true;
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
          false;
    };
  }

  /// The cause of the end of a job whose log just stops.
  static Optional<FailureCause> end(List<Sign> signs, Examination examination) {
    var run = examination.run();
    boolean over = examination.job().over(run) || run.silent();
    return !over || endedWell(run)
        ? Optional.empty()
        : first(
            concerning(signs, examination).stream()
                .filter(
                    sign ->
                        sign.event() instanceof Reported reported
                            && (reported.end()
                                || gone(reported) && alone(examination)
                                || lostBelow(sign, reported, run)))
                .toList());
  }

  /// Whether a pod's machine was lost around the time of the run's last lines, and no line came
  /// after. Kubernetes sends the event for ready pods, not for completed ones
  /// (pkg/controller/util/node/controller_utils.go), but a namespace keeps it for an hour or
  /// longer.
  private static boolean lostBelow(Sign sign, Reported reported, Run run) {
    return reported.failureClass() == FailureClass.NODE_LOST
        && reported.object().startsWith("pod/")
        && sign.atNanos() != NO_TIME
        && run.progressNanos() != NO_TIME
        && sign.atNanos() - run.progressNanos() < LATELY_NANOS;
  }

  /// Whether the event is about a pod that does not come back. Used where no logs were saved, so
  /// that the event must be what the user asks about.
  private static boolean gone(Reported reported) {
    return switch (reported.failureClass()) {
      case OUT_OF_MEMORY, DISK_FULL, TIME_LIMIT, STOPPED -> true;
      case GPU_OUT_OF_MEMORY,
          KILLED,
          SEGFAULT,
          EXCEPTION,
          GPU_ERROR,
          NODE_LOST,
          DATA,
          NETWORK,
          NCCL,
          CONFIGURATION,
          UNKNOWN ->
          false;
    };
  }

  static boolean endedWell(Run run) {
    return run.done()
        || run.steps().finished()
        || !run.processes().isEmpty()
            && run.processes().stream().allMatch(TrainingProcess::tornDown);
  }

  /// The most informative report, and the earliest of these. A pod that only reports an exit code
  /// may have been taken down with the others.
  private static Optional<FailureCause> first(List<Sign> signs) {
    return signs.stream()
        .min(
            Comparator.comparing(Kubernetes::before)
                .thenComparingInt(sign -> saysLittle(sign) ? 1 : 0)
                .thenComparingLong(
                    sign -> sign.atNanos() == NO_TIME ? Long.MAX_VALUE : sign.atNanos()))
        .map(FailureCause::of);
  }

  /// Whether it is about a container that was replaced by another one.
  static boolean before(Sign sign) {
    return sign.event() instanceof Reported reported && reported.before();
  }

  private static boolean saysLittle(Sign sign) {
    return is(sign, FailureClass.UNKNOWN)
        || is(sign, FailureClass.KILLED)
        || is(sign, FailureClass.STOPPED);
  }

  private static boolean is(Sign sign, FailureClass failureClass) {
    return sign.event() instanceof Reported reported && reported.failureClass() == failureClass;
  }

  /// The reports about this run after which the run made no progress.
  private static List<Sign> concerning(List<Sign> signs, Examination examination) {
    var run = examination.run();
    var reports =
        signs.stream()
            .filter(sign -> sign.event() instanceof Reported)
            .filter(sign -> !goesOn(sign))
            .filter(
                sign ->
                    sign.atNanos() == NO_TIME
                        || run.progressNanos() <= sign.atNanos() + LONG_AFTER_NANOS)
            .toList();
    if (reports.isEmpty()) {
      return List.of();
    }
    boolean alone = alone(examination);
    var pods = pods(examination).collect(Collectors.toSet());
    long jobsOfAws =
        reports.stream()
            .map(sign -> ((Reported) sign.event()).object())
            .filter(Kubernetes::ofAws)
            .distinct()
            .count();
    var concerning = new ArrayList<Sign>();
    for (var sign : reports) {
      var reported = (Reported) sign.event();
      var object = reported.object();
      if (ListedEnds.is(sign)) {
        if (ListedEnds.proves(sign, examination)) {
          concerning.add(sign);
        }
        continue;
      }
      if (reported.ofOwn()
          && isOwn(sign, examination)
          && ListedEnds.ofRun(sign, examination).orElse(false)) {
        concerning.add(sign);
        continue;
      }
      if (object.isEmpty()) {
        continue;
      }
      // AWS's answer about a job was saved with the job's logs, which do not name the job
      if (ofAws(object)
          ? jobsOfAws == 1
          : alone || pods.stream().anyMatch(pod -> concerns(object, pod))) {
        concerning.add(sign);
      }
    }
    return concerning;
  }

  /// Whether the job's log continues after the end of a program: then it was another program. A
  /// description of a pod may be above the pod's log.
  private static boolean goesOn(Sign sign) {
    return ((Reported) sign.event()).words().startsWith("command ")
        && sign.progressAfter() > STRAGGLING_LINES;
  }

  /// Whether the line is in the job's only file, or in a file of one of its processes.
  private static boolean isOwn(Sign sign, Examination examination) {
    return examination.job().sources().size() == 1
        || examination.run().processes().stream()
            .anyMatch(process -> process.source().id().equals(sign.source()));
  }

  private static boolean alone(Examination examination) {
    return examination.job().sources().size() == 1 && saysNothing(examination.run());
  }

  /// Whether the job itself has no lines: then the saved report must be about it.
  private static boolean saysNothing(Run run) {
    return run.processes().isEmpty() && run.steps().tracks().isEmpty();
  }

  private static boolean ofAws(String object) {
    return object.startsWith("aws/");
  }

  /// Whether the report is about a pod whose log is here, or about the Job of such a pod.
  private static boolean concerns(String object, String pod) {
    int slash = object.indexOf('/');
    var name = object.substring(slash + 1);
    return "pod".equalsIgnoreCase(object.substring(0, slash))
        ? isPod(name, pod)
        : pod.startsWith(name + "-") && OF_JOB.matcher(pod.substring(name.length() + 1)).matches();
  }

  /// @param known name of a pod or host, from a log's name or its lines
  private static boolean isPod(String name, String known) {
    return name.equals(known)
        || !known.isEmpty()
            && name.startsWith(known + "-")
            && OF_HOST.matcher(name.substring(known.length() + 1)).matches();
  }

  /// Names of the run's pods, from its processes and from the names of log files that no other run
  /// writes.
  private static Stream<String> pods(Examination examination) {
    var run = examination.run();
    var others =
        examination.job().runs().stream()
            .filter(other -> other != run)
            .flatMap(other -> other.processes().stream())
            .map(process -> process.source().id())
            .collect(Collectors.toSet());
    run.processes().forEach(process -> others.remove(process.source().id()));
    return Stream.concat(
        run.processes().stream()
            .flatMap(process -> Stream.of(process.source().pod(), process.host())),
        examination.job().sources().keySet().stream()
            .filter(id -> !others.contains(id))
            .flatMap(Kubernetes::names));
  }

  /// Possible names in a file's id: `llama-2` of `node|/logs/llama-2.log`,
  /// `…/research_llama-2_<uid>/train/0.log` and the like.
  private static Stream<String> names(String id) {
    return Arrays.stream(id.substring(id.indexOf('|') + 1).split("/"))
        .map(part -> part.replaceFirst("\\..*", ""))
        .flatMap(part -> Arrays.stream(part.split("_")));
  }

  /// The run's processes in the pod that a report is about.
  static List<TrainingProcess> processes(Reported reported, Run run) {
    return run.byRank().stream()
        .filter(
            process ->
                Stream.concat(
                        Stream.of(process.source().pod(), process.host()),
                        names(process.source().id()))
                    .anyMatch(
                        pod ->
                            reported.object().startsWith("pod/")
                                && concerns(reported.object(), pod)))
        .toList();
  }
}
