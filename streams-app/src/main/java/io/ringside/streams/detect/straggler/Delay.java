package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.LateStep;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.step.StepSeries;
import io.ringside.streams.job.step.StepSeries.Segment;
import io.ringside.streams.job.step.StepTrack;
import io.ringside.streams.waits.Streak;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A stretch of time in which the other ranks of a communicator waited for a rank long enough to be
/// reported.
///
/// @param rank global rank
record Delay(int rank, TrainingProcess process, Communicator comm, Streak streak, boolean active) {
  private static final double ALIKE = 0.4;

  /// With fewer stalls, no rank is reported: each stall may have been for another rank.
  private static final int FEWEST_STALLS = 6;

  /// Minimum share of the time that such stalls must cost.
  private static final double VERY_DEAR = 0.25;

  /// Orders by the time at which the evidence convicted the rank, the earliest first.
  static final Comparator<Delay> FIRST_CONVINCED =
      Comparator.comparingLong((Delay delay) -> delay.streak().convincedNanos())
          .thenComparingInt(Delay::rank);

  static List<Delay> of(Communicator comm, Examination examination) {
    var delays = new ArrayList<Delay>();
    for (var streak : comm.waits().closedStreaks()) {
      add(delays, comm, streak, false, examination);
    }
    for (var streak : comm.waits().openStreaks()) {
      boolean active = !comm.waits().quiet(streak) && !examination.job().ended();
      add(delays, comm, streak, active, examination);
    }
    var rare = new ArrayList<Streak>();
    for (var streak : comm.waits().streaksAmongWaits()) {
      if (sporadic(streak, comm, examination)) {
        rare.add(streak);
      }
    }
    for (var streak : comm.waits().stalls()) {
      if (streak.convicted()
          && dear(streak, examination)
          && !FirstRankDuties.mayBe(streak, comm, examination.run())) {
        rare.add(streak);
      }
    }
    rare.sort(Comparator.comparingDouble(Streak::blamedSeconds).reversed());
    for (var streak : rare) {
      if (delays.stream().noneMatch(delay -> delay.streak().rank() == streak.rank())) {
        boolean active = !comm.waits().quiet(streak) && !examination.job().ended();
        add(delays, comm, streak, active, examination);
      }
    }
    return delays;
  }

  /// Ranks for which nearly all stalls were and that cost much, although the stalls are too few to
  /// convict a rank.
  static List<Delay> stalls(Communicator comm, Examination examination) {
    var delays = new ArrayList<Delay>();
    for (var streak : comm.waits().stalls()) {
      if (streak.episodes() >= FEWEST_STALLS
          && streak.share() >= VERY_DEAR
          && !FirstRankDuties.mayBe(streak, comm, examination.run())) {
        boolean active = !comm.waits().quiet(streak) && !examination.job().ended();
        add(delays, comm, streak, active, examination);
      }
    }
    return delays;
  }

  /// Whether the rank is late every few steps, at a high cost. Checkpoints, evaluation and logging
  /// come far less often, and are the work of a first or last rank. Any other rank is late by
  /// chance a few times at most.
  private static boolean sporadic(Streak streak, Communicator comm, Examination examination) {
    if (!dear(streak, examination)) {
      return false;
    }
    var limit = examination.expectations().thresholds().sporadic();
    boolean often = worked(streak) <= limit.steps() * comm.waits().stepSeconds() * streak.bursts();
    return often
        ? streak.bursts() >= limit.episodes()
        : streak.bursts() >= limit.rare()
            && !FirstRankDuties.mayBe(streak, comm, examination.run());
  }

  private static boolean dear(Streak streak, Examination examination) {
    return streak.share() >= examination.expectations().thresholds().sporadic().share();
  }

  /// Seconds of the stretch in which no rank waited for it.
  private static double worked(Streak streak) {
    return seconds(streak) - streak.blamedSeconds();
  }

  private static double seconds(Streak streak) {
    return Nanos.seconds(streak.untilNanos() - streak.sinceNanos());
  }

  /// Mean duration of a step in seconds according to the job's own lines; 0 if there are none.
  /// Calls alone may mislead: layers that each make the same call look like steps, and one long
  /// batch makes its rank late in all of them.
  private static double stepByLines(Run run) {
    return run.steps().tracks().stream()
        .findFirst()
        .map(StepTrack::series)
        .map(StepSeries::segments)
        .map(
            segments ->
                segments.stream().mapToDouble(Segment::seconds).sum()
                    / segments.stream().mapToLong(Segment::steps).sum())
        .orElse(0.0);
  }

  /// Mean number of steps between two late turns; 0 if unknown.
  double stepsApart() {
    double step = comm.waits().stepSeconds();
    return step > 0 ? worked(streak) / step / Math.max(1, streak.delays()) : 0;
  }

  private static void add(
      List<Delay> delays,
      Communicator comm,
      Streak streak,
      boolean active,
      Examination examination) {
    if (matters(streak, examination)) {
      examination
          .run()
          .process(comm, streak.rank())
          .ifPresent(
              process ->
                  delays.add(
                      new Delay(examination.run().rank(process), process, comm, streak, active)));
    }
  }

  private static boolean matters(Streak streak, Examination examination) {
    var limit = examination.expectations().thresholds().straggler();
    return streak.episodes() >= limit.episodes()
        && seconds(streak) >= limit.episodes() * stepByLines(examination.run())
        && streak.untilNanos() - streak.sinceNanos() >= limit.least().toNanos()
        && streak.share() >= limit.share()
        && streak.shareOfWaits() >= limit.waits()
        && streak.delaysOthers();
  }

  /// One collective to which the rank came late, with the ranks' global numbers.
  Optional<LateStep> lateStep(Run run) {
    var round = streak.lateRound();
    if (round == null) {
      return Optional.empty();
    }
    long first = round.calls().getFirst().nanos();
    var calls = new ArrayList<LateStep.Call>();
    for (var call : round.calls()) {
      run.process(comm, call.rank())
          .map(run::rank)
          .filter(rank -> rank >= 0)
          .map(rank -> new LateStep.Call(rank, Nanos.seconds(call.nanos() - first), call.late()))
          .ifPresent(calls::add);
    }
    calls.sort(Comparator.comparingInt(LateStep.Call::rank));
    var operation = round.operation().isEmpty() ? null : round.operation();
    return Optional.of(new LateStep(operation, Nanos.instant(first), round.ranks(), calls));
  }

  /// The rank's number in a communicator, -1 if it is not a member.
  int rankIn(Communicator other) {
    var membership = process.memberships().get(other.id());
    return membership == null ? -1 : membership.rank();
  }

  /// Whether both ranks were late by about the same time.
  boolean alike(Delay other) {
    double own = streak.lateSeconds();
    double others = other.streak.lateSeconds();
    return Math.min(own, others) >= ALIKE * Math.max(own, others);
  }

  /// Share of the longer delay's time in which both lasted, 0 to 1.
  double overlap(Delay other) {
    return common(other) / Math.max(1.0, Math.max(nanos(), other.nanos()));
  }

  /// Share of this delay's time in which the other lasted as well, 0 to 1.
  double within(Delay other) {
    return common(other) / Math.max(1.0, nanos());
  }

  private long nanos() {
    return streak.untilNanos() - streak.sinceNanos();
  }

  private long common(Delay other) {
    long until = Math.min(streak.untilNanos(), other.streak.untilNanos());
    return Math.max(0, until - Math.max(streak.sinceNanos(), other.streak.sinceNanos()));
  }
}
