package io.ringside.streams.waits;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Weighs for all ranks of a communicator, turn by turn, how likely each is late by more than
/// chance.
final class Suspicions {
  /// Turns in which somebody so suspect was late say nothing about healthy waits.
  private static final double SUSPECT = 4;

  private static final int MAX_CLOSED = 64;

  /// What is taken to be known counts as so many turns.
  private static final double KNOWN_TURNS = 4;

  /// In which share of turns a rank is taken to be the late one before anything is known.
  private static final double USUAL = 0.25;

  private final Map<Integer, Suspicion> open = new TreeMap<>();
  private final List<Streak> closed = new ArrayList<>();
  private final Map<Integer, Long> chanceWins = new TreeMap<>();
  private long turns;
  private long healthyTurns;
  private long healthyWaits;
  private RecentWaits recent = new RecentWaits();
  private final Persistence persistence = new Persistence();

  /// Takes in a turn.
  ///
  /// @param ranks of the communicator, with lines
  /// @param odds of steps, if turns are training steps: then one without a wait speaks for
  ///   everybody
  /// @param usual turns in which nobody was suspect
  /// @param stepSeconds how long a training step takes, 0 if that does not show
  /// @return what it convicts
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
        // if clocks are right, the others waited for somebody else
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
      // rounds that depend on each other are rare together, which says no more than one of them
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

  /// How often ranks that are late stay so, of all but this one.
  double persistence(int rank, int ranks) {
    return persistence.ofOthers(rank, ranks);
  }

  /// Whether somebody may be late by more than chance.
  boolean anySuspect() {
    return open.values().stream().anyMatch(suspicion -> suspicion.score() >= SUSPECT);
  }

  /// Takes a suspicion back: nobody waited for this rank. That it seems late is how it usually is
  /// from now on.
  void drop(int rank) {
    var suspicion = open.remove(rank);
    if (suspicion != null) {
      chanceWins.merge(rank, suspicion.streak().episodes(), Long::sum);
    }
  }

  /// Somebody was waited for, if clocks are right: that speaks for everybody else, but against
  /// nobody.
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

  /// In which share of the turns before this streak the rank was the late one.
  ///
  /// @param prior what is taken for it before anything is known
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

  /// Stretches that are over and that chance does not explain, oldest first.
  List<Streak> closed() {
    return closed;
  }

  /// Stretches that may go on and that chance does not explain.
  List<Streak> open() {
    return open.values().stream().filter(Suspicion::convinced).map(Suspicion::streak).toList();
  }

  /// All that may go on, those of mere chance among them.
  List<Streak> leads() {
    return open.values().stream().map(Suspicion::streak).toList();
  }

  /// Whether each of these may be late by more than chance.
  boolean suspects(Set<Integer> ranks) {
    return ranks.stream()
        .map(open::get)
        .allMatch(suspicion -> suspicion != null && suspicion.score() >= SUSPECT);
  }

  /// Whether the rank stands accused.
  boolean accused(int rank) {
    var suspicion = open.get(rank);
    return suspicion != null && suspicion.convinced();
  }
}
