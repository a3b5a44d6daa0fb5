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

/// What Kubernetes and AWS say of an end that the job's own lines do not explain: a pod that was
/// evicted or ran out of memory, a machine that went, a Job that took too long. An event beside
/// logs says nothing alone, for pods are evicted after their work as well, and a namespace holds
/// others'. A pod that has ended is a death where its job's log just ends.
final class Kubernetes {
  /// What Kubernetes and Kubeflow put behind a Job's name: an index, five random letters or digits,
  /// or both; `worker-3`.
  private static final Pattern OF_JOB =
      Pattern.compile("\\d+|(?:\\d+-)?[b-df-hj-np-tv-xz2456789]{5}|[a-z]{6,8}-\\d+");

  /// A Job's pod is called as its host is, with five random letters or digits behind it (JobSet,
  /// indexed Jobs).
  private static final Pattern OF_HOST = Pattern.compile("[b-df-hj-np-tv-xz2456789]{5}");

  private static final int STRAGGLING_LINES = 3;

  private static final long LONG_AFTER_NANOS = 60_000_000_000L;

  /// A node that is silent is called not ready after 40 s (50 s from Kubernetes 1.32 on), and lines
  /// of steps come a minute or two apart.
  private static final long LATELY_NANOS = 300_000_000_000L;

  private Kubernetes() {}

  static Cause explained(Cause end, List<Sign> signs, Examination examination) {
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

  /// Whether somebody else may have brought it about.
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

  /// What ended a job whose log just ends.
  static Optional<Cause> end(List<Sign> signs, Examination examination) {
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

  /// Whether the machine of one of its pods went as the run's last lines were written, and none
  /// came after. The event is of pods that are ready, not of those that have done their work
  /// (pkg/controller/util/node/controller_utils.go), but a namespace keeps it for an hour and
  /// longer.
  private static boolean lostBelow(Sign sign, Reported reported, Run run) {
    return reported.failureClass() == FailureClass.NODE_LOST
        && reported.object().startsWith("pod/")
        && sign.atNanos() != NO_TIME
        && run.progressNanos() != NO_TIME
        && sign.atNanos() - run.progressNanos() < LATELY_NANOS;
  }

  /// Whether an event is of a pod that does not come back; where nothing else was saved it is what
  /// somebody asks about.
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

  /// What says most, and of that the earliest: who only ended with a code may have been taken down
  /// with the others.
  private static Optional<Cause> first(List<Sign> signs) {
    return signs.stream()
        .min(
            Comparator.comparing(Kubernetes::before)
                .thenComparingInt(sign -> saysLittle(sign) ? 1 : 0)
                .thenComparingLong(
                    sign -> sign.atNanos() == NO_TIME ? Long.MAX_VALUE : sign.atNanos()))
        .map(Cause::of);
  }

  /// Whether it is of a container in whose place another one was started.
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

  /// Those about this run after which it did not go on.
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
      // whoever asked AWS about a job saved the answer with its logs, which do not name it
      if (ofAws(object)
          ? jobsOfAws == 1
          : alone || pods.stream().anyMatch(pod -> concerns(object, pod))) {
        concerning.add(sign);
      }
    }
    return concerning;
  }

  /// Whether the job's log goes on behind the end of a program: it was another one. A description
  /// of a pod may stand above its log.
  private static boolean goesOn(Sign sign) {
    return ((Reported) sign.event()).words().startsWith("command ")
        && sign.progressAfter() > STRAGGLING_LINES;
  }

  /// Whether it stands in the job's only file, or in one of a process.
  private static boolean isOwn(Sign sign, Examination examination) {
    return examination.job().sources().size() == 1
        || examination.run().processes().stream()
            .anyMatch(process -> process.source().id().equals(sign.source()));
  }

  private static boolean alone(Examination examination) {
    return examination.job().sources().size() == 1 && saysNothing(examination.run());
  }

  /// Whether no line of the job itself is there: then what was saved is about it.
  private static boolean saysNothing(Run run) {
    return run.processes().isEmpty() && run.steps().tracks().isEmpty();
  }

  private static boolean ofAws(String object) {
    return object.startsWith("aws/");
  }

  /// Whether it speaks of a pod of which there is a log, or of their Job.
  private static boolean concerns(String object, String pod) {
    int slash = object.indexOf('/');
    var name = object.substring(slash + 1);
    return "pod".equalsIgnoreCase(object.substring(0, slash))
        ? isPod(name, pod)
        : pod.startsWith(name + "-") && OF_JOB.matcher(pod.substring(name.length() + 1)).matches();
  }

  /// @param known pod or host, as a log's name or its lines tell
  private static boolean isPod(String name, String known) {
    return name.equals(known)
        || !known.isEmpty()
            && name.startsWith(known + "-")
            && OF_HOST.matcher(name.substring(known.length() + 1)).matches();
  }

  /// By its processes, and by the names of log files that no other run writes.
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

  /// `llama-2` of `node|/logs/llama-2.log`, `…/research_llama-2_<uid>/train/0.log` and the like.
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
