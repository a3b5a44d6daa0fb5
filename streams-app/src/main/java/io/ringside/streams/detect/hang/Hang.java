package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.failure.Deaths;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.Watchdog;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds runs that have stopped making progress. NCCL has no timeout of its own: PyTorch's watchdog
/// reports on the ranks that wait; without a watchdog, all ranks fall silent. The culprit is
/// missing in some group and waits in none.
public final class Hang implements Detector {
  /// A process that timed out is taken down within this time (TORCH_NCCL_… time-outs of the
  /// heartbeat), and makes no more calls.
  private static final long WENT_ON_NANOS = 30_000_000_000L;

  @Override
  public List<Finding> examine(Examination examination) {
    var watchdogs = notOutlived(examination.run());
    var spoke = new TreeMap<Integer, Watchdog>();
    watchdogs.forEach(
        (rank, watchdog) -> {
          if (watchdog.timedOut()) {
            spoke.put(rank, watchdog);
          }
        });
    if (spoke.isEmpty()) {
      // a watchdog whose own thread is stuck, or one that heard of a time-out elsewhere
      watchdogs.forEach(
          (rank, watchdog) -> {
            if (watchdog.voice() != Watchdog.Voice.STATUS) {
              spoke.put(rank, watchdog);
            }
          });
    }
    boolean heard =
        examination.run().lagging().isEmpty() && hearsay(spoke) && Deaths.explain(examination);
    if (heard || spoke.isEmpty() && examination.run().lagging().isEmpty()) {
      var silent = Silence.examine(examination);
      var told =
          Stream.<Supplier<List<Finding>>>of(
                  () -> silent,
                  () -> ReportedStall.examine(examination),
                  () -> HaltedRank.examine(examination),
                  () -> SpinningSteps.examine(examination),
                  () -> StoppedSteps.examine(examination),
                  () -> IdleJob.examine(examination))
              .map(Supplier::get)
              .filter(found -> !found.isEmpty())
              .findFirst()
              .orElse(List.of());
      return WitnessedHang.examine(told, examination);
    }
    return WitnessedHang.examine(List.of(finding(spoke, watchdogs, examination)), examination);
  }

  /// Whether no rank reports a time-out of its own call: the signal to dump also follows other
  /// errors.
  private static boolean hearsay(Map<Integer, Watchdog> spoke) {
    return spoke.values().stream()
        .map(Watchdog::voice)
        .noneMatch(voice -> voice == Watchdog.Voice.TIMED_OUT || voice == Watchdog.Voice.STUCK);
  }

  /// The watchdogs' reports without those after which the run continued for long: a log may quote
  /// the watchdog of another run.
  private static Map<Integer, Watchdog> notOutlived(Run run) {
    long last =
        run.communicators().stream()
            .mapToLong(comm -> comm.waits().lastNanos())
            .max()
            .orElse(LogChunk.NO_TIME);
    var left = new TreeMap<>(run.watchdogs());
    left.values()
        .removeIf(
            watchdog -> {
              var at = watchdog.proof().time();
              return at != null && last != LogChunk.NO_TIME && last > Nanos.of(at) + WENT_ON_NANOS;
            });
    return left;
  }

  private static Finding finding(
      Map<Integer, Watchdog> spoke, Map<Integer, Watchdog> watchdogs, Examination examination) {
    var run = examination.run();
    var culprits = Culprits.of(watchdogs, run);
    var first = spoke.values().stream().findFirst().orElse(null);
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, Severity.CRITICAL, examination, culprits)
            .between(since(spoke), null)
            .summary("the job hangs: " + summary(culprits, spoke, run))
            .expected(
                Collectives.pointToPoint(spoke)
                    ? "every send meets its receive"
                    : first == null || first.sequence() < 0
                        ? "every rank makes every collective call"
                        : "every rank makes collective call %d".formatted(first.sequence()))
            .observed(
                first == null ? "a report of lagging ranks" : observed(culprits, watchdogs, first))
            .cost(cost(spoke, examination))
            .cause(cause(culprits, spoke, run));
    testify(draft, spoke, watchdogs, run);
    draft.proof(run.laggingProof());
    proofs(culprits, watchdogs).forEach(draft::proof);
    proofs(spoke.keySet(), watchdogs).stream().limit(5).forEach(draft::proof);
    return draft.finding();
  }

  /// Adds what watchdogs and arrivals show, each as a separate witness.
  private static void testify(
      FindingDraft draft, Map<Integer, Watchdog> spoke, Map<Integer, Watchdog> watchdogs, Run run) {
    var byWatchdogs = Culprits.byWatchdogs(watchdogs, run);
    draft.witness("watchdog", byWatchdogs, summary(byWatchdogs, spoke, run));
    var shifted = Culprits.shifted(run);
    if (!shifted.isEmpty()) {
      draft.witness("arrivals", shifted, Culprits.ownCall(shifted));
      for (var comm : run.communicators()) {
        if (!comm.rounds().shifted().isEmpty()) {
          draft.proofs(comm.rounds().samples());
        }
      }
      return;
    }
    var byCalls = Culprits.byCalls(run);
    if (!byCalls.isEmpty()) {
      draft.witness("arrivals", byCalls, Culprits.missed(byCalls));
    }
  }

  private static String summary(Set<Integer> culprits, Map<Integer, Watchdog> spoke, Run run) {
    var who = new TreeSet<>(spoke.keySet());
    who.remove(-1);
    var waiting = who.isEmpty() ? "a rank" : RankText.words(who);
    int nranks = run.nranks();
    var of = nranks > who.size() ? " of %d".formatted(nranks) : "";
    var operation = operation(spoke);
    if (spoke.values().stream().noneMatch(Watchdog::timedOut)) {
      return spoke.values().stream().anyMatch(it -> it.voice() == Watchdog.Voice.STUCK)
          ? "the watchdog of %s is stuck, no collective makes progress".formatted(waiting)
          : spoke.isEmpty()
              ? "PyTorch reports that %s lag behind".formatted(RankText.words(culprits))
              : "%s heard that another rank timed out".formatted(waiting);
    }
    if (!culprits.isEmpty()) {
      if (Culprits.shifted(run).equals(culprits)) {
        return "%s, and %s%s timed out in %s"
            .formatted(Culprits.ownCall(culprits), waiting, of, operation);
      }
      if (Culprits.late(spoke).equals(culprits)) {
        who.removeAll(culprits);
        return "%s came to the next call when %s%s had timed out in %s"
            .formatted(RankText.words(culprits), RankText.words(who), of, operation);
      }
      return Collectives.mismatch(spoke)
          ? "%s waits in %s while the others wait in %s"
              .formatted(
                  RankText.words(culprits),
                  Collectives.of(culprits, spoke),
                  Collectives.ofOthers(culprits, spoke))
          : "%s never joined %s; %s%s timed out"
              .formatted(RankText.words(culprits), operation, waiting, of);
    }
    if (Collectives.mismatch(spoke) || Collectives.apart(spoke)) {
      return "ranks wait in different operations (%s)".formatted(Collectives.all(spoke));
    }
    return nranks > 0 && who.size() >= nranks
        ? "all %d ranks timed out in %s".formatted(nranks, operation)
        : "%s%s timed out in %s".formatted(waiting, of, operation);
  }

  private static String operation(Map<Integer, Watchdog> spoke) {
    if (Collectives.pointToPoint(spoke)) {
      return Collectives.all(spoke).replace(", ", " and ");
    }
    return spoke.values().stream()
        .map(Watchdog::opType)
        .filter(op -> !op.isEmpty())
        .findFirst()
        .orElse("a collective");
  }

  /// When the first call that timed out was made; null if no line carries both its own time and how
  /// long the call had taken by then.
  private static @Nullable Instant since(Map<Integer, Watchdog> spoke) {
    Instant first = null;
    for (var watchdog : spoke.values()) {
      var at = watchdog.proof().time();
      if (at != null && watchdog.ranMillis() >= 0) {
        var began = at.minusMillis(watchdog.ranMillis());
        first = first == null || began.isBefore(first) ? began : first;
      }
    }
    return first;
  }

  private static Cost cost(Map<Integer, Watchdog> spoke, Examination examination) {
    long ran = spoke.values().stream().mapToLong(Watchdog::ranMillis).max().orElse(-1);
    var since = since(spoke);
    long stood =
        since == null || examination.mode() != ObservationMode.LIVE
            ? ran
            : Math.max(ran, Duration.between(since, end(examination)).toMillis());
    int nranks = Math.max(examination.run().nranks(), spoke.size());
    return ran < 0 ? Cost.UNKNOWN : new Cost(stood / 1000.0 * nranks, null);
  }

  /// End of the time that counts as cost. A watchdog that takes no process down reports only once,
  /// and the job hangs on until somebody ends it.
  private static Instant end(Examination examination) {
    var job = examination.job();
    var run = examination.run();
    if (!job.over(run) && !run.failures().told()) {
      return examination.now();
    }
    var end = Nanos.instant(Math.max(0, run.lastNanos()));
    for (var process : run.processes()) {
      var source = job.sources().get(process.source().id());
      var readAt = source == null ? null : source.readAt();
      end = readAt != null && readAt.isAfter(end) ? readAt : end;
    }
    return end;
  }

  private static String cause(Set<Integer> culprits, Map<Integer, Watchdog> spoke, Run run) {
    if (Collectives.mismatch(spoke) || !Culprits.shifted(run).isEmpty()) {
      return "the ranks do not make the same calls in the same order: look at the program";
    }
    if (Culprits.late(spoke).equals(culprits) && !culprits.isEmpty()) {
      return RankText.words(culprits) + " stood in its own code until then";
    }
    if (!culprits.isEmpty()) {
      return RankText.words(culprits) + " stopped in its own code or died before the call";
    }
    if (Collectives.pointToPoint(spoke)) {
      return "stages wait for each other in sends and receives, which do not say for whom: look for the rank that waits"
          + " in none, or whose calls come in another order";
    }
    if (Collectives.apart(spoke)) {
      return "they wait in different calls of one group: see whether all ranks make the same calls in the same order";
    }
    return run.nranks() > 0 && spoke.size() >= run.nranks()
        ? "all ranks called it: look at GPUs and network, not at the program"
        : "who is missing cannot be told from these lines: the other ranks' logs are needed";
  }

  private static List<Evidence> proofs(
      Collection<Integer> ranks, Map<Integer, Watchdog> watchdogs) {
    return ranks.stream().map(watchdogs::get).filter(w -> w != null).map(Watchdog::proof).toList();
  }

  private static String observed(
      Collection<Integer> culprits, Map<Integer, Watchdog> watchdogs, Watchdog victim) {
    for (int rank : culprits) {
      var watchdog = watchdogs.get(rank);
      if (watchdog != null && watchdog.lastEnqueued() >= 0 && victim.lastEnqueued() >= 0) {
        return "rank %d enqueued up to %d, the others up to %d"
            .formatted(rank, watchdog.lastEnqueued(), victim.lastEnqueued());
      }
    }
    return victim.ranMillis() < 0
        ? "no progress"
        : "%s after %s"
            .formatted(
                victim.timedOut() ? "timeout" : "no progress",
                DurationWords.time(victim.ranMillis() / 1000.0));
  }
}
