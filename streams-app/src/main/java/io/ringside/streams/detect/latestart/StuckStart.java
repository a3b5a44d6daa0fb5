package io.ringside.streams.detect.latestart;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Membership;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Finds a start that is stuck: most ranks have begun to initialise their world, none has finished,
/// and the other ranks have no lines. No rank returns from `ncclCommInitRank` before all have
/// entered it. The finding is raised while this lasts, by the lines that arrive meanwhile.
final class StuckStart {
  private StuckStart() {}

  static List<Finding> examine(Examination examination) {
    var run = examination.run();
    var world = run.world().orElse(null);
    if (world == null
        || !examination.edges().isEmpty()
        || run.steps().observations() > 0
        || run.communicators().stream().anyMatch(comm -> comm.rounds().completed() > 0)) {
      return List.of();
    }
    var waiting = new TreeSet<Integer>();
    var proofs = new ArrayList<Evidence>();
    Instant since = null;
    for (var process : run.byRank()) {
      if (process.memberships().values().stream().anyMatch(Membership::complete)) {
        return List.of();
      }
      var membership = process.memberships().get(world.id());
      var start = membership == null ? null : membership.proof(Membership.Statement.START);
      if (membership != null && start != null && start.time() != null) {
        waiting.add(membership.rank());
        proofs.add(start);
        since = since == null || start.time().isAfter(since) ? start.time() : since;
      }
    }
    int nranks = world.nranks();
    if (since == null || waiting.size() >= nranks || 2 * waiting.size() < nranks) {
      return List.of();
    }
    var waited = waited(since, examination);
    var missing = new TreeSet<Integer>();
    for (int rank = 0; rank < nranks; rank++) {
      if (!waiting.contains(rank)) {
        missing.add(rank);
      }
    }
    return waited.compareTo(examination.expectations().thresholds().lateStart().warning()) < 0
        ? List.of()
        : List.of(finding(waiting, missing, since, waited, proofs, examination));
  }

  /// Time from the given moment to the run's last line, plus the time of silence since that line.
  private static Duration waited(Instant since, Examination examination) {
    long last = examination.run().lastNanos();
    return last == LogChunk.NO_TIME
        ? Duration.ZERO
        : Duration.between(since, Nanos.instant(last)).plus(examination.run().silentFor());
  }

  private static Finding finding(
      TreeSet<Integer> waiting,
      TreeSet<Integer> missing,
      Instant since,
      Duration waited,
      List<Evidence> proofs,
      Examination examination) {
    var draft =
        FindingDraft.about(FindingKind.LATE_START, Severity.WARNING, examination, List.of())
            .between(since, null)
            .summary(
                "%d of %d ranks have waited for %s to initialise, and nothing is seen of %s"
                    .formatted(
                        waiting.size(),
                        waiting.size() + missing.size(),
                        DurationWords.time(waited.toSeconds()),
                        RankText.words(missing)))
            .expected("all ranks start together")
            .observed("%d ranks began, none is through".formatted(waiting.size()))
            .cost(new Cost(waited.toSeconds() * (double) waiting.size(), null))
            .cause(
                "not started, stuck before it calls NCCL, or unable to reach the others; or its log is not here")
            .proofs(proofs);
    missing.forEach(draft::rank);
    return draft.finding();
  }
}
