package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.failure.Deaths;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.witness.dump.DumpVerdicts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Adds what witnesses outside the log know about a hang. They name the culprit where the log names
/// none or a survivor, and show hangs that no watchdog has noticed yet.
final class WitnessedHang {
  /// Calls that come this long after the last one in a dump show that the job continued.
  private static final long WENT_ON_NANOS = 10_000_000_000L;

  private WitnessedHang() {}

  /// The findings from the log, with what the witnesses add.
  static List<Finding> examine(List<Finding> findings, Examination examination) {
    if (examination.job().witnesses().isEmpty()) {
      return findings;
    }
    var said = WitnessEvidence.of(examination.witnesses());
    if (said.isEmpty() || wentOn(said.get(), examination.run())) {
      return findings;
    }
    if (findings.isEmpty() && over(said.get(), examination)) {
      return findings;
    }
    return List.of(finding(said.get(), findings.stream().findFirst(), examination));
  }

  /// Whether the others wait for ranks that reported their own death, or that left in order. Those
  /// cases have findings of their own.
  private static boolean over(WitnessEvidence said, Examination examination) {
    var run = examination.run();
    var dead = Deaths.aloud(examination);
    var left =
        said.culprits().stream()
            .filter(rank -> run.ofRank(rank).filter(TrainingProcess::tornDown).isPresent())
            .count();
    return !dead.isEmpty() && dead.containsAll(said.culprits())
        || 2 * left > run.nranks()
        || !run.processes().isEmpty()
            && run.processes().stream().allMatch(TrainingProcess::tornDown);
  }

  private static boolean wentOn(WitnessEvidence said, Run run) {
    long after = said.sinceNanos() + WENT_ON_NANOS;
    var all = new TreeSet<>(said.waiting());
    all.addAll(said.culprits());
    return said.sinceNanos() > 0
        && (all.size() >= run.nranks() && run.progressNanos() > after
            || run.communicators().stream()
                .filter(comm -> concerns(comm, said, run))
                .anyMatch(comm -> comm.waits().lastNanos() > after));
  }

  /// Whether the communicator counts: a group without any of the culprits continues while they hold
  /// up others.
  private static boolean concerns(Communicator comm, WitnessEvidence said, Run run) {
    return said.culprits().isEmpty()
        || said.culprits().stream()
            .flatMap(rank -> run.ofRank(rank).stream())
            .anyMatch(process -> comm.processByRank().containsValue(process.id()));
  }

  private static Finding finding(
      WitnessEvidence said, Optional<Finding> told, Examination examination) {
    var run = examination.run();
    // a rank with a call of its own waits in one that the others never make, so they are not to
    // blame, even if they have left since
    boolean shifted = told.isPresent() && !Culprits.shifted(run).isEmpty();
    var culprits =
        shifted || said.culprits().isEmpty() && !said.undecided()
            ? told.map(Finding::ranks).orElse(List.of())
            : List.copyOf(said.culprits());
    var paused = paused(said, examination);
    var severity = told.map(Finding::severity).orElseGet(() -> severity(paused, said, examination));
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, severity, examination, culprits)
            .between(
                told.map(Finding::since)
                    .orElseGet(
                        () -> said.sinceNanos() > 1 ? Nanos.instant(said.sinceNanos()) : null),
                told.map(Finding::until).orElse(null))
            .summary(shifted ? told.get().summary() : summary(culprits, said, severity, paused))
            .expected("every rank makes the same calls")
            .observed(said.words())
            .cost(
                told.map(Finding::cost)
                    .orElseGet(() -> new Cost(paused.toSeconds() * (double) run.nranks(), null)))
            .cause(shifted ? told.get().cause() : cause(culprits, said, severity, paused));
    told.ifPresent(
        finding ->
            finding.witnesses().forEach(it -> draft.witness(it.name(), it.ranks(), it.says())));
    said.witnesses().forEach(it -> draft.witness(it.name(), it.ranks(), it.says()));
    if (left(said, examination)) {
      draft.witness("gpu-power", culprits, "the GPUs of the others spin, theirs are idle");
    }
    draft.proofs(said.proofs());
    told.ifPresent(finding -> draft.proofs(finding.evidence()));
    return draft.finding();
  }

  private static Duration paused(WitnessEvidence said, Examination examination) {
    long last = Math.max(examination.witnesses().lastNanos(), said.dumpedNanos());
    return said.sinceNanos() > 1 && last > said.sinceNanos()
        ? Duration.ofNanos(last - said.sinceNanos())
        : Duration.ZERO;
  }

  private static Severity severity(Duration paused, WitnessEvidence said, Examination examination) {
    return gaveUp(paused, said, examination)
            || ((!said.leftAlone() || left(said, examination))
                && paused.compareTo(Pause.CRITICAL_AFTER) > 0
                && paused.toNanos() > 3 * said.longestNanos())
        ? Severity.CRITICAL
        : Severity.INFO;
  }

  /// Whether there are dumps without any log, which are written because somebody gave up waiting.
  /// Anybody may ask a job at work for dumps as well, and finds its ranks in the calls that they
  /// make just then: so a rank has to be proved to hold up others, or one has to wait for long.
  private static boolean gaveUp(Duration paused, WitnessEvidence said, Examination examination) {
    boolean dumpsAlone = examination.run().processes().isEmpty() && !said.waiting().isEmpty();
    return dumpsAlone
        && (!said.culprits().isEmpty()
            || said.undecided()
            || paused.compareTo(DumpVerdicts.STANDS) > 0);
  }

  /// Whether other ranks wait for ranks that are gone. In a job that ends no GPU spins.
  private static boolean left(WitnessEvidence said, Examination examination) {
    return said.leftAlone()
        && SpinningGpus.without(said.culprits(), said.sinceNanos(), examination);
  }

  /// Whether ranks are known to have waited at one moment only, and for nobody.
  private static boolean momentary(
      Collection<Integer> culprits, Severity severity, Duration paused) {
    return severity == Severity.INFO && culprits.isEmpty() && paused.toSeconds() == 0;
  }

  private static String summary(
      Collection<Integer> culprits, WitnessEvidence said, Severity severity, Duration paused) {
    if (severity != Severity.INFO && !said.dispute().isEmpty()) {
      return "the job hangs: " + said.dispute();
    }
    var where = said.call().isEmpty() ? "" : " in " + said.call();
    int n = said.waiting().size();
    var nobodyNamed = culprits.isEmpty() ? "its ranks" : "the others";
    var who = n == 0 ? nobodyNamed : n == 1 ? "a rank" : n + " ranks";
    var whom = culprits.isEmpty() ? "" : " for " + RankText.words(culprits);
    if (momentary(culprits, severity, paused)) {
      return "paused: %s %s%s, no witness tells for how long"
          .formatted(who, n == 1 ? "waits" : "wait", where);
    }
    return severity == Severity.INFO
        ? "paused: %s %s waited%s%s%s"
            .formatted(
                who,
                n == 1 ? "has" : "have",
                whom,
                where,
                said.sinceNanos() > 1 ? " for " + DurationWords.time(paused.toSeconds()) : "")
        : "the job hangs: %s %s%s%s".formatted(who, n == 1 ? "waits" : "wait", whom, where);
  }

  private static @Nullable String cause(
      Collection<Integer> culprits, WitnessEvidence said, Severity severity, Duration paused) {
    if (said.undecided()) {
      return "the ranks do not make the same calls in the same order: look at the program";
    }
    if (momentary(culprits, severity, paused)) {
      return "none is proved: ranks at work are in such calls at any moment";
    }
    if (culprits.isEmpty()) {
      return "no witness proves who holds it up: look at GPUs and network as well";
    }
    if (said.proofs().isEmpty()) {
      return null;
    }
    var words = said.proofs().getFirst().text();
    return words.substring(words.indexOf(": ") + 2);
  }
}
