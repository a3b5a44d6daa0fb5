package io.ringside.lab.simulate;

/// What shall go wrong in a drawn job, and how often that is drawn.
public enum JobKind {
  HEALTHY(34),
  EFA_FALLBACK(6),
  P2P_READ(3),
  SHM(3),
  SPLIT(4),
  GDR_LOST(3),
  GDR_OFF(3),
  NICS(3),
  LOST_EFA(2),
  LOST_P2P(2),
  LOST_WRITES(1),
  LOST_GDR(2),
  LOST_CHANNELS(1),
  LOST_POD(2),
  VERSIONS(3),
  ENVIRONMENT(3),
  CRASH(4),
  NO_INTERFACE(1),
  STRAGGLER(16),
  TWO_STRAGGLERS(4),
  NOW_AND_THEN(4),
  MOVING_LOAD(4),
  LATE(5),
  HANG(6),
  SLOWER_STEPS(4),
  SLOWER_RUN(3),
  THROTTLED(3),
  BROKEN_GPU(3),
  BENCH(4),
  SENSOR(3),
  LOST_LINES(3),
  UNKNOWN_LINES(2),
  STAMPS(5);

  private final int weight;

  JobKind(int weight) {
    this.weight = weight;
  }

  static JobKind draw(Chance chance) {
    int all = 0;
    for (var kind : values()) {
      all += kind.weight;
    }
    int at = chance.below(all);
    for (var kind : values()) {
      at -= kind.weight;
      if (at < 0) {
        return kind;
      }
    }
    return HEALTHY;
  }

  /// Whether the last run is worse than the ones before.
  boolean regression() {
    return switch (this) {
      case LOST_EFA, LOST_P2P, LOST_WRITES, LOST_GDR, LOST_CHANNELS, LOST_POD, SLOWER_RUN -> true;
      default -> false;
    };
  }

  /// Whether GPU samples must show it.
  boolean seenByGpus() {
    return this == THROTTLED || this == BROKEN_GPU || this == SENSOR;
  }

  /// Whether something happens in the middle that takes a minute or two.
  boolean takesAMinute() {
    return seenByGpus() || this == LOST_LINES;
  }
}
