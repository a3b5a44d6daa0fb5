package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Claim;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Watchdog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// A run that stands still. NCCL has no timeout of its own: PyTorch's watchdog speaks, on the ranks that
/// wait; without it, the silence of all does. The culprit is missing in some group and waits in none.
public final class Hang implements Detector {
  @Override
  public List<Claim> examine(Examination examination) {
    var watchdogs = examination.run().watchdogs();
    var timedOut =
        watchdogs.entrySet().stream().filter(entry -> entry.getValue().timedOut()).toList();
    return timedOut.isEmpty()
        ? Silence.examine(examination)
        : List.of(
            claim(
                timedOut.getFirst().getValue(),
                timedOut.stream().map(Map.Entry::getKey).toList(),
                watchdogs,
                examination));
  }

  private static Claim claim(
      Watchdog first,
      List<Integer> timedOut,
      Map<Integer, Watchdog> watchdogs,
      Examination examination) {
    var run = examination.run();
    var culprits = Culprits.of(watchdogs, run);
    int nranks = Math.max(run.nranks(), timedOut.size());
    var processes = new ArrayList<TrainingProcess>();
    for (int rank : culprits) {
      run.ofRank(rank).ifPresent(processes::add);
    }
    var draft =
        Claim.about(FindingKind.HANG, Severity.CRITICAL, run, processes)
            .summary(
                culprits.isEmpty()
                    ? "the job hangs: %d of %d ranks timed out in %s, all enqueued equally much"
                        .formatted(timedOut.size(), nranks, first.opType())
                    : "the job hangs: %s never joined %s, %d of %d ranks timed out"
                        .formatted(Ranks.words(culprits), first.opType(), timedOut.size(), nranks))
            .expected("every rank joins work %d".formatted(first.sequence()))
            .observed(observed(culprits, watchdogs, first))
            .cost(
                first.ranMillis() < 0
                    ? Cost.UNKNOWN
                    : new Cost(first.ranMillis() / 1000.0 * nranks, null))
            .cause(
                culprits.isEmpty()
                    ? "all ranks called it: look at GPUs and network, not at the program"
                    : Ranks.words(culprits) + " stopped in its own code or died before the call");
    for (int rank : culprits) {
      draft.rank(rank);
    }
    proofs(culprits, watchdogs).forEach(draft::proof);
    proofs(timedOut, watchdogs).stream().limit(5).forEach(draft::proof);
    return draft.claim();
  }

  private static List<io.ringside.schemas.event.Evidence> proofs(
      Collection<Integer> ranks, Map<Integer, Watchdog> watchdogs) {
    return ranks.stream().map(watchdogs::get).filter(w -> w != null).map(Watchdog::proof).toList();
  }

  private static String observed(
      Collection<Integer> culprits, Map<Integer, Watchdog> watchdogs, Watchdog victim) {
    for (int rank : culprits) {
      var watchdog = watchdogs.get(rank);
      if (watchdog != null && watchdog.lastEnqueued() >= 0) {
        return "rank %d enqueued up to %d, the others up to %d"
            .formatted(rank, watchdog.lastEnqueued(), victim.lastEnqueued());
      }
    }
    return "timeout after %d ms".formatted(victim.ranMillis());
  }
}
