package io.ringside.streams.waits;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Weighs, turn by turn and for all ranks of a communicator, how likely each is late by more than
/// chance.
final class Suspicions {
  /// Turns in which a rank with at least this score was late do not show healthy waits.
  private static final double SUSPECT = 4;

  private static final int MAX_CLOSED = 64;

  /// Number of turns that an assumption counts for.
  private static final double KNOWN_TURNS = 4;

  /// Assumed share of turns in which a rank is the late one, before anything is known.
  private static final double USUAL = 0.25;

  private final Map<Integer, Suspicion> open = new TreeMap<>();
  private final List<Streak> closed = new ArrayList<>();
  private final Map<Integer, Long> chanceWins = new TreeMap<>();
  private long turns;
  private long healthyTurns;
  private long healthyWaits;
  private RecentWaits recent = new RecentWaits();
  private final Persistence persistence = new Persistence();

  /// Adds a turn.
  ///
  /// @param ranks number of the communicator's ranks with lines
  /// @param odds `STEPS` if turns are training steps: then a turn without a wait speaks for every
  ///   rank
  /// @param usual turns in which no rank was suspect
  /// @param stepSeconds duration of a training step, 0 if unknown
  /// @return the streaks that the turn convicts
  List<Streak> turn(
      Turn turn,
      Turn.Verdict found,
      int ranks,
      Suspicion.Odds odds,
      UsualTurns usual,
      double stepSeconds) {
    boolean step = odds == Suspicion.Odds.STEPS;
    if (!step && !found.clear()) {
      unclear(turn, found, odds);
      return List.of();
    }
    var verdict = found.clear() ? found : Turn.Verdict.NOBODY;
    boolean waited = !verdict.ranks().isEmpty();
    if (!waited && !step) {
      open.values().forEach(suspicion -> suspicion.streak().nobodyWaited(turn));
      return List.of();
    }
    turns++;
    boolean stall = odds == Suspicion.Odds.STALLS;
    double waits = stall ? 1 : (healthyWaits + 1) / (healthyTurns + KNOWN_TURNS);
    double share = Math.max(1, verdict.ranks().size()) / (double) ranks * waits;
    double prior = stall ? share : USUAL;
    for (var suspicion : open.values()) {
      int rank = suspicion.streak().rank();
      if (!verdict.ranks().contains(rank)) {
        suspicion.inTime(odds, Math.max(share, usual(rank, suspicion.streak(), prior)));
        // if clocks are right, the others waited for another rank
        boolean forOthers = !found.ranks().isEmpty() && !found.ranks().contains(rank);
        suspicion.streak().inTime(turn, forOthers);
      }
    }
    boolean suspect = false;
    var convicted = new ArrayList<Streak>();
    for (int rank : verdict.ranks()) {
      var suspicion = open.get(rank);
      if (suspicion != null
          && turn.untilNanos() - suspicion.streak().untilNanos() > odds.pauseNanos(stepSeconds)) {
        close(suspicion);
        suspicion = null;
      }
      if (suspicion == null) {
        suspicion = new Suspicion(new Streak(rank));
        open.put(rank, suspicion);
      }
      // dependent rounds are rare together, which proves no more than one of them
      double rarity = step ? recent.shareAtLeast(rank, verdict.seconds()) : 1;
      boolean before = suspicion.convinced();
      suspicion.late(
          odds,
          Math.max(share, usual(rank, suspicion.streak(), prior)),
          rarity,
          1 - persistence.again(rank, ranks));
      suspicion.streak().late(turn, suspicion.firm(odds));
      if (suspicion.convinced()) {
        suspicion.streak().convinced(turn.untilNanos());
      }
      if (suspicion.convinced() && !before) {
        suspicion.streak().before(usual.before(rank), usual.meanBefore(rank));
        convicted.add(suspicion.streak());
      }
      suspect |= suspicion.score() >= SUSPECT;
    }
    if (!suspect) {
      healthyTurns++;
      healthyWaits += waited ? 1 : 0;
    }
    persistence.turn(verdict.ranks());
    if (waited && step) {
      recent.add(verdict.ranks(), verdict.seconds());
    }
    closeWhatIsOver();
    return convicted;
  }

  /// How often late ranks stay late, by all ranks but this one.
  double persistence(int rank, int ranks) {
    return persistence.ofOthers(rank, ranks);
  }

  /// Whether any rank may be late by more than chance.
  boolean anySuspect() {
    return open.values().stream().anyMatch(suspicion -> suspicion.score() >= SUSPECT);
  }

  /// Takes a suspicion back, since no rank waited for this one. From now on it is usual for this
  /// rank to seem late.
  void drop(int rank) {
    var suspicion = open.remove(rank);
    if (suspicion != null) {
      chanceWins.merge(rank, suspicion.streak().episodes(), Long::sum);
    }
  }

  /// Adds a turn in which a rank was waited for, if clocks are right. That speaks for every
  /// other rank, but against none.
  private void unclear(Turn turn, Turn.Verdict verdict, Suspicion.Odds odds) {
    turns++;
    for (var suspicion : open.values()) {
      int rank = suspicion.streak().rank();
      if (!verdict.ranks().contains(rank)) {
        suspicion.inTime(odds, usual(rank, suspicion.streak(), USUAL));
        suspicion.streak().inTime(turn, true);
      }
    }
    closeWhatIsOver();
  }

  private void closeWhatIsOver() {
    open.values()
        .removeIf(
            suspicion -> {
              if (suspicion.over()) {
                close(suspicion);
              }
              return suspicion.over();
            });
  }

  /// Share of the turns before this streak in which the rank was the late one.
  ///
  /// @param prior share that is assumed before anything is known
  private double usual(int rank, Streak streak, double prior) {
    return (chanceWins.getOrDefault(rank, 0L) + KNOWN_TURNS * prior)
        / (turns - streak.turns() + KNOWN_TURNS);
  }

  private void close(Suspicion suspicion) {
    if (suspicion.convinced()) {
      if (closed.size() == MAX_CLOSED) {
        closed.removeFirst();
      }
      closed.add(suspicion.streak());
    } else {
      chanceWins.merge(suspicion.streak().rank(), suspicion.streak().episodes(), Long::sum);
    }
  }

  /// Streaks that are over and that chance does not explain, oldest first.
  List<Streak> closed() {
    return closed;
  }

  /// Streaks that may go on and that chance does not explain.
  List<Streak> open() {
    return open.values().stream().filter(Suspicion::convinced).map(Suspicion::streak).toList();
  }

  /// All streaks that may go on, including those of mere chance.
  List<Streak> leads() {
    return open.values().stream().map(Suspicion::streak).toList();
  }

  /// Whether each of these may be late by more than chance.
  boolean suspects(Set<Integer> ranks) {
    return ranks.stream()
        .map(open::get)
        .allMatch(suspicion -> suspicion != null && suspicion.score() >= SUSPECT);
  }

  /// Whether the rank is convicted.
  boolean accused(int rank) {
    var suspicion = open.get(rank);
    return suspicion != null && suspicion.convinced();
  }
}
