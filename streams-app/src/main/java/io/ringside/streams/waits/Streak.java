package io.ringside.streams.waits;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A stretch of time in which one rank kept the others waiting again and again.
public final class Streak {
  private static final int MAX_PROOFS = 6;

  /// A pause of this share of the rank's lateness separates two bursts.
  private static final double LULL = 0.25;

  private int rank;
  private long sinceNanos = Long.MAX_VALUE;
  private long untilNanos = Long.MIN_VALUE;
  private long convincedNanos = Long.MAX_VALUE;
  private double blamedSeconds;
  private long episodes;
  private double delays;
  private long turns;
  private long waits;
  private long turnsSince;
  private long waitsSince;
  private long episodesSince;
  private double delaysSince;
  private double blamedSince;
  private double burstsSum;
  private double burstsSquared;
  private long burstUntil = Long.MIN_VALUE;
  private double burstSeconds;
  private double burstWeight;
  private Pauses pauses = new Pauses();
  private Pauses pausesSince = new Pauses();
  private final List<Evidence> proofs = new ArrayList<>();
  private @Nullable LateRound lateRound;
  private DelayImpact impact = new DelayImpact();

  Streak() {}

  Streak(int rank) {
    this.rank = rank;
  }

  public int rank() {
    return rank;
  }

  /// Unix epoch nanoseconds at which the others began to wait for the first time.
  public long sinceNanos() {
    return sinceNanos;
  }

  /// Unix epoch nanoseconds at which the rank arrived late for the last time.
  public long untilNanos() {
    return untilNanos;
  }

  /// Unix epoch nanoseconds of the turn that left no doubt, the highest long if none did.
  public long convincedNanos() {
    return convincedNanos;
  }

  /// Wall-clock seconds in which the others waited for this rank, without a few pauses.
  public double blamedSeconds() {
    return impact.share() * (blamedSeconds - pauseSeconds());
  }

  /// Seconds of a few waits that were far longer than all the others: an evaluation or a checkpoint
  /// among late steps.
  private double pauseSeconds() {
    return pauses.seconds(blamedSeconds, delays());
  }

  /// Whether chance does not explain it.
  public boolean convicted() {
    return convincedNanos != Long.MAX_VALUE;
  }

  /// Number of examined turns in which the others waited for it: overlapping rounds of one delay
  /// count once.
  public long episodes() {
    return episodes;
  }

  /// How late it was in a turn, on average, in seconds.
  public double lateSeconds() {
    return delays() == 0 ? 0 : blamedSeconds() / delays();
  }

  /// Whether most of its cost comes from a few turns in which it was far later than in the others.
  public boolean mostlyFew() {
    return impact.typicalSeconds() * delays() < blamedSeconds() / 2;
  }

  /// Number of such turns in all, including those that the examined ones stand for.
  public long delays() {
    return Math.max(episodes, Math.round(delays));
  }

  /// How often the rank was late again after a pause: programs that run ahead of their GPUs feel
  /// one pause over several steps. Bursts are weighted as if all were equally long: a second every
  /// thirty steps and ten milliseconds every third step count as little more than one burst every
  /// thirty steps. 0 before it was late.
  public double bursts() {
    return burstsSum == 0
        ? 0
        : burstsSum * burstsSum / (burstsSquared + burstWeight * burstSeconds * burstSeconds);
  }

  /// Share of the streak's time that was lost, 0 to 1.
  public double share() {
    double seconds = Nanos.seconds(untilNanos - sinceNanos) - pauseSeconds();
    return untilNanos > sinceNanos && seconds > 0 ? blamedSeconds() / seconds : 0;
  }

  /// Share of the streak's turns with a wait in which the others waited for this rank, 0 to 1.
  public double shareOfWaits() {
    return waits == 0 ? 0 : episodes / (double) waits;
  }

  /// Turns since it began.
  long turns() {
    return turns + turnsSince;
  }

  /// Raw lines of late rounds: the rank's own and those of ranks that waited.
  public List<Evidence> proofs() {
    return proofs;
  }

  /// One of those rounds, null if no line of one was kept.
  public @Nullable LateRound lateRound() {
    return lateRound;
  }

  /// Adds a turn in which the rank was late.
  ///
  /// @param firm whether the evidence stands. If not, the turn counts once the rank is late again
  ///   and the evidence stands: after a straggler's last late turn, chance makes it late now and
  ///   then, like any rank
  void late(Turn turn, boolean firm) {
    impact.late(turn, rank);
    turnsSince++;
    waitsSince++;
    episodesSince++;
    delaysSince += turn.weight();
    blamedSince += turn.weight() * turn.lateSeconds(rank);
    pausesSince.add(turn.lateSeconds(rank));
    if (burstUntil == Long.MIN_VALUE
        || turn.sinceNanos() - burstUntil > LULL * burstSeconds * 1e9) {
      burstsSquared += burstWeight * burstSeconds * burstSeconds;
      burstWeight = turn.weight();
      burstSeconds = 0;
    }
    burstUntil = turn.untilNanos();
    burstSeconds += turn.lateSeconds(rank);
    burstsSum += burstWeight * turn.lateSeconds(rank);
    if (!firm) {
      return;
    }
    turns += turnsSince;
    waits += waitsSince;
    episodes += episodesSince;
    delays += delaysSince;
    blamedSeconds += blamedSince;
    pauses.addAll(pausesSince);
    pausesSince = new Pauses();
    turnsSince = 0;
    waitsSince = 0;
    episodesSince = 0;
    delaysSince = 0;
    blamedSince = 0;
    sinceNanos = Math.min(sinceNanos, turn.sinceNanos());
    untilNanos = Math.max(untilNanos, turn.untilNanos());
    if (proofs.size() + turn.proofs().size() <= MAX_PROOFS) {
      proofs.addAll(turn.proofs());
      var drawn = turn.lateRound();
      if (lateRound == null && drawn != null && drawn.isLate(rank)) {
        lateRound = drawn;
      }
    }
  }

  /// Adds a turn in which the rank was in time. The turn counts once the rank is late again.
  ///
  /// @param waited whether other ranks were waited for
  void inTime(Turn turn, boolean waited) {
    impact.inTime(turn);
    turnsSince++;
    waitsSince += waited ? 1 : 0;
  }

  /// Adds a turn without a wait. It counts only for the question whether a clock is wrong.
  void nobodyWaited(Turn turn) {
    impact.inTime(turn);
  }

  void convinced(long nanos) {
    convincedNanos = Math.min(convincedNanos, nanos);
  }

  /// Records how long turns took before it was late.
  ///
  /// @param middle the median
  /// @param mean the mean
  void before(Pace middle, Pace mean) {
    impact.before(middle, mean);
  }

  /// False if no rank waited for this one, however late its calls seem: turns took no longer than
  /// before, or the others were a whole turn ahead.
  public boolean delaysOthers() {
    return impact.delaysOthers();
  }

  /// Whether turns are known to take longer than before the rank was late.
  public boolean provesDelay() {
    return impact.proven();
  }

  /// Whether turns are known to take longer than before by at least half of what the rank is late
  /// by.
  boolean showsDelay() {
    return impact.shown();
  }

  /// Whether it is known for good that no rank waited for this one.
  boolean delaysNobody() {
    return impact.settled() && !delaysOthers();
  }

  /// Records that the rank was late in a turn.
  ///
  /// @param all whether all ranks whose times come from the same clock were late
  void lateWithItsClock(boolean all) {
    impact.lateWithItsClock(all);
  }

  /// Whether all ranks of its clock are late with it in nearly all turns. Ranks among them that are
  /// late by chance count too, if they are so often enough that it is no evidence against them.
  boolean mayBeClock() {
    return impact.mayBeClock();
  }

  /// Records that a clock that was set may be the only reason why the rank seems late.
  ///
  /// @param roundSeconds seconds that a round took before, NaN if unknown
  void clockAlone(double roundSeconds) {
    impact.clockAlone(roundSeconds);
  }
}
