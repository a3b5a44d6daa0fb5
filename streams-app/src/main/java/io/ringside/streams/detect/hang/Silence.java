package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.UnmatchedTransfers;
import io.ringside.streams.job.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds a hang of a program without a watchdog. Agents still read its logs, no rank writes
/// anything, training was under way, and some rank waits in a collective call that others have not
/// made. It is a pause at first. In a program that is done, or that works for long between two
/// steps, no rank waits.
final class Silence {
  private static final int UNDER_WAY = 20;

  /// A call that is missing for less than this time may still be on its way.
  private static final Duration PAUSED_AFTER = Duration.ofSeconds(10);

  private Silence() {}

  static List<Finding> examine(Examination examination) {
    var run = examination.run();
    var spinning = SpinningGpus.since(examination);
    if (spinning.isPresent()) {
      return List.of(
          finding(
              Culprits.byCalls(run),
              spinning.get().since(),
              spinning.get().length(),
              Pause.severity(spinning.get().length(), Pause.CRITICAL_AFTER, run),
              true,
              examination));
    }
    var since = since(examination);
    if (since.isEmpty() || !run.silent()) {
      return spoken(examination);
    }
    // lines of a backlog are old when they arrive, and more may follow
    var heard = run.silentFor();
    var culprits = Culprits.byCalls(run);
    if (heard.compareTo(PAUSED_AFTER) < 0 || SpinningGpus.nobody(examination)) {
      return List.of();
    }
    var least = examination.expectations().thresholds().hang().silence();
    var severity = Pause.severity(heard, least, run);
    var byLines = Duration.between(since.get(), examination.now());
    var silent = severity == Severity.INFO || byLines.compareTo(heard) < 0 ? heard : byLines;
    if (culprits.isEmpty()) {
      return Culprits.disagreeing(run)
          .map(apart -> disagreement(apart, since.get(), silent, severity, examination))
          .stream()
          .toList();
    }
    return List.of(finding(culprits, since.get(), silent, severity, false, examination));
  }

  /// Finding for ranks that all made their calls, but not the same ones.
  private static Finding disagreement(
      Set<Integer> apart,
      Instant since,
      Duration silent,
      Severity severity,
      Examination examination) {
    var run = examination.run();
    var says =
        apart.isEmpty()
            ? "ranks called different operations in the same round"
            : RankText.words(apart) + " called another operation than the others";
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, severity, examination, apart)
            .between(since, null)
            .summary(
                "%s: %s, and nobody made a call since"
                    .formatted(severity == Severity.INFO ? "paused" : "the job hangs", says))
            .expected("every rank makes the same collective calls")
            .observed(says)
            .cost(new Cost(silent.toSeconds() * (double) run.nranks(), null))
            .cause("the ranks do not make the same calls in the same order: look at the program")
            .witness("arrivals", apart, says);
    for (var comm : run.communicators()) {
      if (comm.rounds().disagreement().isPresent()) {
        draft.proofs(comm.rounds().samples());
      }
    }
    return draft.finding();
  }

  /// A hang of a run that still writes lines.
  private static List<Finding> spoken(Examination examination) {
    var run = examination.run();
    var culprits = Culprits.byCalls(run);
    if (culprits.isEmpty()
        || !underWay(run)
        || examination.job().runs().getLast() != run
        || SpinningGpus.nobody(examination)) {
      return List.of();
    }
    var least = examination.expectations().thresholds().hang().silence();
    return WaitingRanks.of(examination)
        .filter(standing -> standing.length().compareTo(PAUSED_AFTER) >= 0)
        .map(
            standing ->
                finding(
                    culprits,
                    standing.since(),
                    standing.length(),
                    Pause.severity(standing.length(), least, run),
                    false,
                    examination))
        .stream()
        .toList();
  }

  /// When the run's last line was read, if its logs are read live and the run is not over. Files of
  /// some pods may be gone: the others may wait for a pod that was evicted.
  private static Optional<Instant> since(Examination examination) {
    var job = examination.job();
    var run = examination.run();
    if (!underWay(run) || job.runs().getLast() != run || job.over(run)) {
      return Optional.empty();
    }
    boolean watched = false;
    Instant last = null;
    for (var process : run.processes()) {
      var source = job.sources().get(process.source().id());
      if (source == null || !source.live() && !source.ended()) {
        return Optional.empty();
      }
      var readAt = source.readAt();
      if (readAt == null) {
        return Optional.empty();
      }
      watched |= source.live() && !source.ended();
      last = last == null || readAt.isAfter(last) ? readAt : last;
    }
    return watched ? Optional.ofNullable(last) : Optional.empty();
  }

  /// Whether training had begun.
  static boolean underWay(Run run) {
    return run.communicators().stream().anyMatch(comm -> comm.rounds().completed() >= UNDER_WAY)
        || UnmatchedTransfers.of(run).matched() >= UNDER_WAY;
  }

  private static Finding finding(
      Set<Integer> culprits,
      Instant since,
      Duration silent,
      Severity severity,
      boolean spinning,
      Examination examination) {
    var run = examination.run();
    int nranks = run.nranks();
    int waiting = Culprits.waiting(run).size();
    var proofs = new ArrayList<Evidence>();
    for (var comm : run.communicators()) {
      comm.rounds().standstill().ifPresent(standstill -> proofs.addAll(standstill.proofs()));
    }
    boolean collective = !proofs.isEmpty();
    UnmatchedTransfers.of(run).proofs().stream().limit(2).forEach(proofs::add);
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, severity, examination, culprits)
            .between(since, null)
            .summary(Pause.summary(severity, silent, waiting, nranks, RankText.words(culprits)))
            .expected(
                collective
                    ? "every rank makes the same collective calls"
                    : "every Send meets its Recv")
            .observed(Culprits.missed(culprits))
            .cost(new Cost(silent.toSeconds() * (double) nranks, null))
            .cause(RankText.words(culprits) + " stopped in its own code or died before the call");
    draft.witness("arrivals", culprits, Culprits.missed(culprits));
    if (spinning) {
      draft.witness(
          "gpu-power",
          culprits,
          "the GPUs of the waiting ranks are busy; %s of %s %s idle"
              .formatted(
                  culprits.size() == 1 ? "that" : "those",
                  RankText.words(culprits),
                  culprits.size() == 1 ? "is" : "are"));
    }
    draft.proofs(proofs);
    return draft.finding();
  }
}
