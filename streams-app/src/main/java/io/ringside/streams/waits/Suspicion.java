package io.ringside.streams.waits;

/// The evidence that one rank is late by more than chance: two running sums (CUSUM) of
/// log-likelihood ratios over turns, in nats, against the hypothesis that all ranks are alike and
/// who comes last is drawn anew each turn, or as seldom as other ranks show. With healthy ranks a
/// sum reaches x once in e^x turns at most.
///
/// One sum looks only at who was late (a sign test), so it believes in no distribution; the other
/// also at how rare so long a wait is in healthy turns, and is quicker where healthy ranks differ
/// much.
final class Suspicion {
  /// A rank that is late in each tenth step is late again so many steps after a checkpoint at the
  /// latest.
  private static final int LONGEST_PAUSE = 40;

  /// A sum goes no further above what convicts, so that the end is noticed soon.
  private static final double SLACK = 4;

  /// How often a straggler is the late one, and how often at least a healthy rank may be, however
  /// many ranks there are: none is quite like the others.
  enum Odds {
    /// Of turns that are training steps. Five hundred GPUs take some 40 million a day.
    STEPS(0.75, 0.1, 18, Long.MAX_VALUE),
    /// Of turns that are mere rounds: those of one step depend on each other, and one rank is late
    /// in several, so more is asked. A late turn fifteen seconds after the last one begins a new
    /// stretch.
    ROUNDS(0.9, 0.4, 14, 15_000_000_000L),
    /// Of training steps with a long wait. A checkpoint or an evaluation may come between two late
    /// steps: a new stretch begins after {@value #LONGEST_PAUSE} steps.
    LONG_WAITS(0.9, 0.4, 14, 15_000_000_000L),
    /// Of long waits with many turns between them, which do not depend on each other.
    STALLS(0.9, 0.1, 14, Long.MAX_VALUE);

    private final double straggler;
    private final double healthy;

    /// From here on the rank stands accused.
    private final double convinced;

    /// After so long without being late a new stretch begins.
    private final long pauseNanos;

    Odds(double straggler, double healthy, double convinced, long pauseNanos) {
      this.straggler = straggler;
      this.healthy = healthy;
      this.convinced = convinced;
      this.pauseNanos = pauseNanos;
    }

    /// @param stepSeconds how long a training step takes, 0 if turns are none
    long pauseNanos(double stepSeconds) {
      return this == LONG_WAITS
          ? Math.max(pauseNanos, (long) (LONGEST_PAUSE * stepSeconds * 1e9))
          : pauseNanos;
    }
  }

  /// So rare a wait counts in full.
  private static final double RAREST = 0.05;

  /// ln(E[1/p]) of the share p of waits at least as long, for p uniform above {@link #RAREST}: what
  /// looking at the length costs.
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

  /// The rank was late, with or without others.
  ///
  /// @param chance how often a healthy rank is late, by all that is known of this one and the
  ///   others
  /// @param rarity share of healthy waits that were as long, 0 to 1
  /// @param fresh how much of it the turn before did not say already, 0 to 1; see
  ///   {@link Persistence}
  void late(Odds odds, double chance, double rarity, double fresh) {
    double win = Math.log(odds.straggler / Math.max(odds.healthy, chance));
    double most = odds.convinced + SLACK;
    double rare = win - Math.log(Math.max(RAREST, rarity)) - PRICE;
    sign = Math.min(most, sign + fresh * win);
    size = Math.min(most, Math.max(0, size + fresh * rare));
    convinced |= score() >= odds.convinced;
  }

  /// The rank was not late.
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

  /// Whether nothing speaks against the rank any more.
  boolean over() {
    return score() <= 0;
  }

  /// Whether it was ever likelier than chance allows.
  boolean convinced() {
    return convinced;
  }

  /// Whether nothing has spoken for the rank since it was convicted, to speak of.
  boolean firm(Odds odds) {
    return !convinced || score() >= odds.convinced;
  }

  Streak streak() {
    return streak;
  }
}
