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

/// A stretch of time in which the others in a communicator waited for a rank, worth telling.
///
/// @param rank global rank
record Delay(int rank, TrainingProcess process, Communicator comm, Streak streak, boolean active) {
  private static final double ALIKE = 0.4;

  /// Of so few, of which each may as well be another rank's, nobody is told at all.
  private static final int FEWEST_STALLS = 6;

  /// Nor if they cost a smaller share of the time.
  private static final double VERY_DEAR = 0.25;

  /// Whom the evidence convicted first.
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
          && !Duty.mayBe(streak, comm, examination.run())) {
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

  /// Ranks that nearly every stall was for, and that cost much, but too few stalls to convict
  /// anybody.
  static List<Delay> stalls(Communicator comm, Examination examination) {
    var delays = new ArrayList<Delay>();
    for (var streak : comm.waits().stalls()) {
      if (streak.episodes() >= FEWEST_STALLS
          && streak.share() >= VERY_DEAR
          && !Duty.mayBe(streak, comm, examination.run())) {
        boolean active = !comm.waits().quiet(streak) && !examination.job().ended();
        add(delays, comm, streak, active, examination);
      }
    }
    return delays;
  }

  /// Late each few steps, and that dearly. Checkpoints, evaluation and logging come far less often,
  /// and are the work of a first or last rank: another one that is late now and then is so by
  /// chance at most a few times.
  private static boolean sporadic(Streak streak, Communicator comm, Examination examination) {
    if (!dear(streak, examination)) {
      return false;
    }
    var limit = examination.expectations().thresholds().sporadic();
    boolean often = worked(streak) <= limit.steps() * comm.waits().stepSeconds() * streak.bursts();
    return often
        ? streak.bursts() >= limit.episodes()
        : streak.bursts() >= limit.rare() && !Duty.mayBe(streak, comm, examination.run());
  }

  private static boolean dear(Streak streak, Examination examination) {
    return streak.share() >= examination.expectations().thresholds().sporadic().share();
  }

  /// Seconds of its time in which nobody waited for it.
  private static double worked(Streak streak) {
    return seconds(streak) - streak.blamedSeconds();
  }

  private static double seconds(Streak streak) {
    return Nanos.seconds(streak.untilNanos() - streak.sinceNanos());
  }

  /// How long a step takes on average by the job's own lines, in seconds; 0 if there are none.
  /// Layers that make the same call each look like steps, and one long batch makes its rank late in
  /// all of them.
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

  /// After how many steps it was late again.
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
        && streak.felt();
  }

  /// One collective to which the rank came late, with the ranks' numbers in the run.
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

  /// The rank's number in a communicator, -1 if it is in none of it.
  int rankIn(Communicator other) {
    var membership = process.memberships().get(other.id());
    return membership == null ? -1 : membership.rank();
  }

  /// Whether both ranks were late by about as much.
  boolean alike(Delay other) {
    double own = streak.lateSeconds();
    double others = other.streak.lateSeconds();
    return Math.min(own, others) >= ALIKE * Math.max(own, others);
  }

  /// Which share of the longer one's time both lasted, 0 to 1.
  double overlap(Delay other) {
    return common(other) / Math.max(1.0, Math.max(nanos(), other.nanos()));
  }

  /// Which share of its time the other lasted as well, 0 to 1.
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
