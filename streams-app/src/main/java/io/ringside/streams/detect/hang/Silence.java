package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Claim;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A hang of a program without watchdog: agents still read its logs, nobody has written anything for long,
/// training was under way, and somebody waits in a collective call that others have not made. A program
/// that is done, or works for long between two steps, leaves nobody waiting.
final class Silence {
  private static final int UNDER_WAY = 20;

  private Silence() {}

  static List<Claim> examine(Examination examination) {
    var run = examination.run();
    var spinning = Spinning.since(examination);
    if (spinning.isPresent()) {
      return List.of(
          claim(
              Culprits.byCalls(run),
              spinning.get().since(),
              spinning.get().length(),
              Pause.severity(spinning.get().length(), Pause.CRITICAL_AFTER, run),
              run));
    }
    var since = since(examination);
    if (since.isEmpty() || !run.silent()) {
      return List.of();
    }
    var limit = examination.expectations().thresholds().hang().silence();
    var silent = Duration.between(since.get(), examination.now());
    if (silent.compareTo(Pause.CRITICAL_AFTER) < 0) {
      return List.of();
    }
    var culprits = Culprits.byCalls(run);
    return culprits.isEmpty()
        ? List.of()
        : List.of(claim(culprits, since.get(), silent, Pause.severity(silent, limit, run), run));
  }

  /// When the run's last line was read, if its logs are read as they are written and none has ended.
  private static Optional<Instant> since(Examination examination) {
    var job = examination.job();
    var run = examination.run();
    if (!underWay(run) || job.runs().getLast() != run) {
      return Optional.empty();
    }
    Instant last = null;
    for (var process : run.processes()) {
      var source = job.sources().get(process.source().id());
      if (source == null || source.ended() || !source.live() || source.readAt() == null) {
        return Optional.empty();
      }
      last = last == null || source.readAt().isAfter(last) ? source.readAt() : last;
    }
    return Optional.ofNullable(last);
  }

  /// Whether training had begun.
  static boolean underWay(Run run) {
    return run.communicators().stream().anyMatch(comm -> comm.rounds().completed() >= UNDER_WAY);
  }

  private static Claim claim(
      Set<Integer> culprits, Instant since, Duration silent, Severity severity, Run run) {
    var processes = new ArrayList<TrainingProcess>();
    for (int rank : culprits) {
      run.ofRank(rank).ifPresent(processes::add);
    }
    int nranks = run.nranks();
    int waiting = Culprits.waiting(run).size();
    var proofs = new ArrayList<Evidence>();
    for (var comm : run.communicators()) {
      comm.rounds().standstill().ifPresent(standstill -> proofs.addAll(standstill.proofs()));
    }
    var draft =
        Claim.about(FindingKind.HANG, severity, run, processes)
            .between(since, null)
            .summary(Pause.summary(severity, silent, waiting, nranks, Ranks.words(culprits)))
            .expected("every rank makes the same collective calls")
            .observed(Ranks.words(culprits) + " did not make the call that the others wait in")
            .cost(new Cost(silent.toSeconds() * (double) nranks, null))
            .cause(Ranks.words(culprits) + " stopped in its own code or died before the call");
    culprits.forEach(draft::rank);
    draft.proofs(proofs);
    return draft.claim();
  }
}
