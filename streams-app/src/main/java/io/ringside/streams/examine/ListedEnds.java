package io.ringside.streams.examine;

import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent.Reported;
import io.ringside.streams.parse.failure.ListedEnd;
import io.ringside.streams.parse.failure.PodName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Scheduler listings that were pasted beside a run's lines: decides which entries prove that this
/// run ended. A listing also contains pods or jobs of others.
public final class ListedEnds {
  private static final int STRAGGLING_LINES = 3;

  private ListedEnds() {}

  /// Whether the sign comes from a listing, not from an event or an agent.
  public static boolean is(Sign sign) {
    return sign.event() instanceof Reported reported && ListedEnd.is(reported);
  }

  /// Whether the sign proves that this run has ended.
  public static boolean proves(Sign sign, Examination examination) {
    return stands(sign, examination)
        && ((Reported) sign.event()).end()
        && ofRun(sign, examination).orElse(false);
  }

  /// Entries that may report the end of this run, but do not say enough.
  public static List<String> open(Examination examination) {
    var run = examination.run();
    return run.done() || run.steps().finished()
        ? List.of()
        : signs(examination)
            .filter(sign -> stands(sign, examination) && !proves(sign, examination))
            .filter(sign -> ofRun(sign, examination).orElse(true))
            .map(sign -> ((Reported) sign.event()).words())
            .toList();
  }

  private static Stream<Sign> signs(Examination examination) {
    return examination.run().failures().signs().stream().filter(ListedEnds::is);
  }

  /// Whether the sign reports an end that nothing later contradicts: neither the log nor a later
  /// listing.
  private static boolean stands(Sign sign, Examination examination) {
    var reported = (Reported) sign.event();
    return !ListedEnd.stands(reported)
        && sign.progressAfter() <= STRAGGLING_LINES
        && signs(examination)
            .filter(later -> later.source().equals(sign.source()))
            .filter(later -> later.line().offset() > sign.line().offset())
            .filter(later -> ListedEnd.stands((Reported) later.event()))
            .noneMatch(later -> object(later).equals(reported.object()));
  }

  /// Whether the entry is about this run; empty if unknown. If no other job is in sight, a saved
  /// listing is taken to be about this run.
  public static Optional<Boolean> ofRun(Sign sign, Examination examination) {
    var names = names(examination);
    if (object(sign).startsWith("slurm/")) {
      return ofJob(sign, names, examination);
    }
    var run = examination.run();
    boolean own =
        examination.job().sources().size() == 1
            || run.processes().stream()
                .anyMatch(process -> process.source().id().equals(sign.source()));
    var hosts = hosts(examination);
    var reported = (Reported) sign.event();
    if (own && reported.object().isEmpty()
        || isOf(sign, hosts)
        || isOf(sign, names)
        || reported.ofOwn()
            && hosts.stream().anyMatch(host -> reported.words().endsWith(" on " + host))
        || run.processes().isEmpty() && run.steps().tracks().isEmpty()) {
      return Optional.of(true);
    }
    boolean another =
        signs(examination).anyMatch(other -> isOf(other, hosts) || isOf(other, names));
    return another
        ? Optional.of(false)
        : own && reported.ofOwn() && hosts.stream().noneMatch(PodName::is)
            ? Optional.of(true)
            : Optional.empty();
  }

  /// For Slurm, the entry is the run's if a log is named after the job, or if the only listed job
  /// can be meant.
  private static Optional<Boolean> ofJob(Sign sign, List<String> names, Examination examination) {
    if (isNamed(sign, names)) {
      return Optional.of(true);
    }
    if (signs(examination).anyMatch(other -> isNamed(other, names))) {
      return Optional.of(false);
    }
    long jobs = signs(examination).map(ListedEnds::object).distinct().count();
    boolean called = names.stream().anyMatch(name -> name.matches("slurm-\\d+.*"));
    return jobs == 1 && !called ? Optional.of(true) : Optional.empty();
  }

  private static boolean isNamed(Sign sign, List<String> names) {
    var object = object(sign);
    return object.startsWith("slurm/")
        && names.stream()
            .anyMatch(name -> HostName.standsIn(name, object.substring("slurm/".length())));
  }

  /// Whether the entry is about one of these pods, or about another pod of the same job.
  private static boolean isOf(Sign sign, List<String> names) {
    var object = object(sign);
    if (!object.startsWith("pod/")) {
      return false;
    }
    var pod = object.substring("pod/".length());
    var team = PodName.team(pod);
    return names.stream()
        .anyMatch(name -> name.equals(pod) || name.equals(team) || PodName.team(name).equals(team));
  }

  private static String object(Sign sign) {
    return ((Reported) sign.event()).object();
  }

  /// Host names according to the run's processes, without domains.
  private static List<String> hosts(Examination examination) {
    return examination.run().processes().stream()
        .flatMap(process -> Stream.of(process.source().pod(), process.host()))
        .map(host -> host.replaceFirst("\\..*", ""))
        .filter(host -> !host.isEmpty())
        .distinct()
        .toList();
  }

  /// Names of the job's files and folders.
  private static List<String> names(Examination examination) {
    return examination.job().sources().keySet().stream()
        .flatMap(id -> Arrays.stream(id.substring(id.indexOf('|') + 1).split("/")))
        .map(name -> name.replaceFirst("\\..*", ""))
        .flatMap(name -> Stream.concat(Stream.of(name), Arrays.stream(name.split("_"))))
        .filter(name -> !name.isEmpty())
        .distinct()
        .toList();
  }
}
