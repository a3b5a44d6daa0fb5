package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Claim;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.Examination;
import io.ringside.streams.detect.timing.TimingUnreliable;
import io.ringside.streams.join.job.Communicator;
import io.ringside.streams.join.job.Rounds;
import io.ringside.streams.join.job.Streak;
import io.ringside.streams.join.job.TrainingProcess;
import io.ringside.streams.join.job.Watchdog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One rank for which all others wait again and again.
///
/// From aligned rounds: it is the last in most rounds with a real wait, in many steps, for a good share of
/// the time. A checkpoint or evaluation in which one rank is late once in a while is none, nor is a single
/// late round, nor waits whose last rank changes. Where times cannot be trusted, the GPUs may still tell:
/// one works while all others wait, or idles while all others spin.
public final class Straggler implements Detector {
  @Override
  public List<Claim> examine(Examination examination) {
    var byRank = new TreeMap<Integer, List<Delay>>();
    for (var comm : examination.run().communicators()) {
      if (TimingUnreliable.trusted(comm.rounds(), examination)) {
        delays(comm, examination)
            .forEach(
                delay -> byRank.computeIfAbsent(delay.rank(), _ -> new ArrayList<>()).add(delay));
      }
    }
    var claims = new ArrayList<Claim>();
    for (Map.Entry<Integer, List<Delay>> entry : byRank.entrySet()) {
      claims.add(fromRounds(entry.getValue(), examination));
    }
    if (claims.isEmpty() && !hangs(examination)) {
      fromGpus(examination, roundsTell(examination)).forEach(claims::add);
    }
    return claims;
  }

  /// @param rank global rank
  private record Delay(
      int rank, TrainingProcess process, Communicator comm, Streak streak, boolean active) {}

  private static List<Delay> delays(Communicator comm, Examination examination) {
    var delays = new ArrayList<Delay>();
    for (var streak : comm.rounds().closedStreaks()) {
      add(delays, comm, streak, false, examination);
    }
    for (var streak : comm.rounds().openStreaks()) {
      boolean active = !comm.rounds().quiet(streak) && !examination.job().ended();
      add(delays, comm, streak, active, examination);
    }
    return delays;
  }

  private static void add(
      List<Delay> delays,
      Communicator comm,
      Streak streak,
      boolean active,
      Examination examination) {
    if (convincing(streak, examination)) {
      examination
          .run()
          .process(comm, streak.rank())
          .ifPresent(
              process ->
                  delays.add(
                      new Delay(examination.run().rank(process), process, comm, streak, active)));
    }
  }

  private static boolean convincing(Streak streak, Examination examination) {
    var limit = examination.expectations().thresholds().straggler();
    if (streak.episodes() < limit.episodes()
        || streak.untilNanos() - streak.sinceNanos() < limit.least().toNanos()
        || streak.share() < limit.share()
        || streak.shareOfBlame() < limit.blame()) {
      return false;
    }
    return Double.isNaN(streak.episodesPerStep())
        ? streak.longestPauseSeconds() <= limit.pause().toMillis() / 1000.0
        : streak.episodesPerStep() >= limit.stepShare();
  }

  private static Claim fromRounds(List<Delay> delays, Examination examination) {
    var run = examination.run();
    var process = delays.getFirst().process();
    long since = Long.MAX_VALUE;
    long until = Long.MIN_VALUE;
    double lost = 0;
    double gpuSeconds = 0;
    long episodes = 0;
    boolean active = false;
    for (var delay : delays) {
      since = Math.min(since, delay.streak().sinceNanos());
      until = Math.max(until, delay.streak().untilNanos());
      lost += delay.streak().blamedSeconds();
      gpuSeconds += delay.streak().blamedSeconds() * (delay.comm().nranks() - 1);
      episodes += delay.streak().episodes();
      active |= delay.active();
    }
    var begin = Nanos.instant(since);
    var end = Nanos.instant(until);
    double share = lost / Nanos.seconds(until - since);
    var cause = new GpuPeers(run).cause(process, begin, end);
    var draft =
        Claim.about(FindingKind.STRAGGLER, severity(lost, examination), run, List.of(process))
            .subject("rank " + run.rank(process))
            .between(begin, active ? null : end)
            .summary(
                "rank %d keeps the others waiting: late %d times by %.0f ms on average, %.0f %% of the time"
                    .formatted(run.rank(process), episodes, 1000 * lost / episodes, 100 * share))
            .expected("all ranks reach a collective together")
            .observed(
                "%s on %s arrives last, %.1f s lost"
                    .formatted("rank " + run.rank(process), process.source().pod(), lost))
            .cost(new Cost(gpuSeconds, share < 0.99 ? 1 / (1 - share) : null))
            .cause(cause);
    if (!active) {
      draft.ended();
    }
    delays.forEach(delay -> draft.proofs(delay.streak().proofs()));
    if (delays.stream().allMatch(delay -> delay.streak().proofs().isEmpty())) {
      delays.forEach(delay -> draft.proofs(delay.comm().rounds().samples()));
    }
    return draft.claim();
  }

  private static Severity severity(double lostSeconds, Examination examination) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (var comm : examination.run().communicators()) {
      Rounds rounds = comm.rounds();
      if (rounds.firstNanos() != Long.MIN_VALUE) {
        first = Math.min(first, rounds.firstNanos());
        last = Math.max(last, rounds.lastNanos());
      }
    }
    double share = last > first ? lostSeconds / Nanos.seconds(last - first) : 0;
    return share >= examination.expectations().thresholds().straggler().criticalShare()
        ? Severity.CRITICAL
        : Severity.WARNING;
  }

  private static List<Claim> fromGpus(Examination examination, boolean roundsTell) {
    var run = examination.run();
    var peers = new GpuPeers(run);
    return peers.apart().stream()
        .filter(apart -> apart.hot() || (!roundsTell && progressed(examination)))
        .filter(apart -> !apart.proofs().isEmpty())
        .map(
            apart -> {
              Instant until = apart.until();
              var cause = apart.hot() ? peers.cause(apart.process(), apart.since(), until) : "host";
              int rank = run.rank(apart.process());
              return Claim.about(
                      FindingKind.STRAGGLER, Severity.WARNING, run, List.of(apart.process()))
                  .subject("rank " + rank)
                  .ended()
                  .between(apart.since(), until)
                  .summary(
                      apart.hot()
                          ? "rank %d keeps the others waiting: for %d s its GPU alone worked while the others' idled"
                              .formatted(rank, apart.seconds())
                          : "rank %d keeps the others waiting: for %d s its GPU idled while the others' spun"
                              .formatted(rank, apart.seconds()))
                  .expected("GPUs of one job work alike")
                  .observed(
                      apart.hot()
                          ? "one GPU busy, its peers waiting"
                          : "one GPU idle, its peers spinning")
                  .cause(cause)
                  .proofs(apart.proofs())
                  .claim();
            })
        .toList();
  }

  /// In a hang all GPUs but the culprit's spin; that is told once.
  private static boolean hangs(Examination examination) {
    return examination.run().watchdogs().values().stream().anyMatch(Watchdog::timedOut);
  }

  /// Whether arrival times speak for themselves: then a GPU that idles, as rank 0's does while it writes a
  /// checkpoint, proves nothing.
  private static boolean roundsTell(Examination examination) {
    return examination.run().communicators().stream()
        .anyMatch(
            comm ->
                comm.rounds().completed() > 0
                    && TimingUnreliable.trusted(comm.rounds(), examination));
  }

  /// A GPU that idles at start-up while a checkpoint is read is no straggler: training must be under way.
  private static boolean progressed(Examination examination) {
    return examination.run().communicators().stream()
        .anyMatch(comm -> comm.rounds().completed() >= 20);
  }
}
