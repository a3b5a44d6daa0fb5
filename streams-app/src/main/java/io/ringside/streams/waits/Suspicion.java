package io.ringside.streams.waits;

/// The evidence that one rank is late by more than chance: two running sums (CUSUM) of
/// log-likelihood ratios over turns, in nats. The opposite hypothesis is that all ranks are alike
/// and the last one is drawn again each turn, or as seldom as other ranks show. With healthy ranks
/// a sum reaches x at most once in e^x turns.
///
/// One sum looks only at which rank was late (a sign test), so it assumes no distribution. The
/// other also looks at how rare such a long wait is in healthy turns, and is quicker if healthy
/// ranks differ much.
final class Suspicion {
  /// After a checkpoint, a rank that is late in each tenth step is late again within this many
  /// steps.
  private static final int LONGEST_PAUSE = 40;

  /// A sum rises at most this far above what convicts, so that the end is noticed soon.
  private static final double SLACK = 4;

  /// How often a straggler is the late one, and the least share assumed for a healthy rank, however
  /// many ranks there are: no rank is quite like the others.
  enum Odds {
    /// For turns that are training steps. Five hundred GPUs make some 40 million a day.
    STEPS(0.75, 0.1, 18, Long.MAX_VALUE),
    /// For turns that are mere rounds. Rounds of one step depend on each other, and one rank is
    /// late in several, so more evidence is required. A late turn fifteen seconds after the last
    /// one begins a new stretch.
    ROUNDS(0.9, 0.4, 14, 15_000_000_000L),
    /// For training steps with a long wait. A checkpoint or an evaluation may come between two late
    /// steps: a new stretch begins after {@value #LONGEST_PAUSE} steps.
    LONG_WAITS(0.9, 0.4, 14, 15_000_000_000L),
    /// For long waits with many turns between them, which do not depend on each other.
    STALLS(0.9, 0.1, 14, Long.MAX_VALUE);

    private final double straggler;
    private final double healthy;

    /// From this sum on the rank is convicted.
    private final double convinced;

    /// After this long without being late a new stretch begins, in nanoseconds.
    private final long pauseNanos;

    Odds(double straggler, double healthy, double convinced, long pauseNanos) {
      this.straggler = straggler;
      this.healthy = healthy;
      this.convinced = convinced;
      this.pauseNanos = pauseNanos;
    }

    /// @param stepSeconds duration of a training step, 0 if turns are not steps
    long pauseNanos(double stepSeconds) {
      return this == LONG_WAITS
          ? Math.max(pauseNanos, (long) (LONGEST_PAUSE * stepSeconds * 1e9))
          : pauseNanos;
    }
  }

  /// Share of healthy waits from which on a wait is rare enough to count in full.
  private static final double RAREST = 0.05;

  /// ln(E[1/p]) of the share p of waits at least as long, for p uniform above {@link #RAREST}: the
  /// cost of looking at the length.
  private static final double PRICE = Math.log(1 - Math.log(RAREST));

  private double sign;
  private double size;
  private boolean convinced;
  private Streak streak;

  Suspicion() {
    this(new Streak());
  }

  Suspicion(Streak streak) {
    this.streak = streak;
  }

  /// Records that the rank was late, with or without others.
  ///
  /// @param chance how often a healthy rank is late, by all that is known of this one and the
  ///   others
  /// @param rarity share of healthy waits that were at least as long, 0 to 1
  /// @param fresh share of the evidence that the turn before did not already give, 0 to 1; see
  ///   {@link Persistence}
  void late(Odds odds, double chance, double rarity, double fresh) {
    double win = Math.log(odds.straggler / Math.max(odds.healthy, chance));
    double most = odds.convinced + SLACK;
    double rare = win - Math.log(Math.max(RAREST, rarity)) - PRICE;
    sign = Math.min(most, sign + fresh * win);
    size = Math.min(most, Math.max(0, size + fresh * rare));
    convinced |= score() >= odds.convinced;
  }

  /// Records that the rank was not late.
  ///
  /// @param chance how often a healthy rank is late
  void inTime(Odds odds, double chance) {
    double loss = Math.log((1 - odds.straggler) / (1 - Math.max(odds.healthy, chance)));
    sign = Math.max(0, sign + loss);
    size = Math.max(0, size + loss);
  }

  double score() {
    return Math.max(sign, size);
  }

  /// Whether no evidence against the rank is left.
  boolean over() {
    return score() <= 0;
  }

  /// Whether the evidence was ever stronger than chance allows.
  boolean convinced() {
    return convinced;
  }

  /// Whether hardly anything has spoken for the rank since it was convicted.
  boolean firm(Odds odds) {
    return !convinced || score() >= odds.convinced;
  }

  Streak streak() {
    return streak;
  }
}
