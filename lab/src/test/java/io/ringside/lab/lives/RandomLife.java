package io.ringside.lab.lives;

import io.ringside.lab.lives.Machine.Use;
import io.ringside.schemas.event.RunSummary.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A life that nobody wrote: one job or two on the same machines, each with some attempts that
/// train, rest, are rotated and end in one of the ways that there are. Of each phase it is known
/// how the attempt must be shown at its end.
final class RandomLife {
  private static final int TICKS_A_SECOND = 2;

  /// What is idle for so long is told; what agents read late, or another instance of the service
  /// took over, is idle later.
  private static final int CAUGHT_UP_TICKS = 20 * TICKS_A_SECOND;

  private final Cluster cluster;
  private final SplittableRandom random;
  private final List<String> wrong = new ArrayList<>();
  private final List<String> machines;
  private final Set<Attempt> begun = new LinkedHashSet<>();
  private boolean agentsAreDown;
  private int agentsDownTick = -CAUGHT_UP_TICKS;
  private int takenOverTick = -CAUGHT_UP_TICKS;
  private int tick;

  /// Whether the machines may be lost: not those of another job as well, or that nobody has seen
  /// yet.
  private boolean mayBeLost;

  RandomLife(Cluster cluster, long seed) {
    this.cluster = cluster;
    random = new SplittableRandom(seed);
    machines = IntStream.range(0, 2 + random.nextInt(3)).mapToObj(number -> "n" + number).toList();
    for (var machine : machines) {
      cluster.machine(machine).setClock(Duration.ofMillis(random.nextInt(-50, 51)));
    }
  }

  /// @param ticks how long it lasts
  /// @param begin what happens first
  /// @param each what happens in each tick
  /// @param shown how the attempt may be shown at its end, empty where that is not known
  private record Phase(int ticks, Runnable begin, Runnable each, Attempt of, Set<State> shown) {}

  /// How an attempt may come to its end.
  private enum End {
    DESTROYED,
    TERMINATED,
    DIED,
    TRACEBACK,
    KILLED,
    KILLED_IN_A_CALL,
    EVICTED,
    HUNG_AND_TERMINATED,
    LOST
  }

  /// Plays it.
  ///
  /// @return what was wrong with it
  List<String> play() {
    var jobs = new ArrayList<Deque<Phase>>();
    boolean late = random.nextInt(5) == 0;
    if (late) {
      machines.forEach(machine -> cluster.machine(machine).stopAgent());
      agentsAreDown = true;
    }
    boolean shared = random.nextInt(4) == 0;
    mayBeLost = !shared && !late;
    jobs.add(job("llama"));
    if (shared) {
      jobs.add(job("whisper"));
    }
    int installedAt = late ? random.nextInt(20, 240) : 0;
    int rotatedAt = late && random.nextInt(2) == 0 ? random.nextInt(4, installedAt) : -1;
    int restartAt = random.nextInt(3) == 0 ? installedAt + random.nextInt(60, 400) : -100;
    int restartsFor = random.nextInt(1, 8) * TICKS_A_SECOND;
    int takeOvers = random.nextInt(3) * random.nextInt(2);
    var takeOverAt =
        random.ints(takeOvers, 10, 600).boxed().collect(Collectors.toCollection(HashSet::new));
    var left = new int[jobs.size()];
    while (jobs.stream().anyMatch(phases -> !phases.isEmpty())) {
      if (agentsAreDown && (tick == installedAt || tick == restartAt + restartsFor)) {
        machines.forEach(machine -> cluster.machine(machine).startAgent(cluster.now()));
        agentsAreDown = false;
      }
      if (tick == restartAt) {
        machines.forEach(machine -> cluster.machine(machine).stopAgent());
        agentsAreDown = true;
      }
      if (tick == rotatedAt) {
        begun.forEach(Attempt::rotateAway);
      }
      agentsDownTick = agentsAreDown ? tick : agentsDownTick;
      for (int i = 0; i < left.length; i++) {
        left[i] = play(jobs.get(i), left[i]);
      }
      if (takeOverAt.contains(tick)) {
        cluster.takeOver();
        takenOverTick = tick;
      }
      cluster.pass(1.0 / TICKS_A_SECOND);
      for (int i = 0; i < left.length; i++) {
        left[i] = finish(jobs.get(i), left[i]);
      }
      tick++;
    }
    wrong.addAll(cluster.witness().wrongs());
    return wrong;
  }

  private int play(Deque<Phase> phases, int left) {
    var phase = phases.peek();
    if (phase == null) {
      return 0;
    }
    if (left == 0) {
      begun.add(phase.of());
      phase.begin().run();
      phase.each().run();
      return phase.ticks();
    }
    phase.each().run();
    return left;
  }

  private int finish(Deque<Phase> phases, int left) {
    if (left == 1) {
      var phase = phases.remove();
      if (!phase.shown().isEmpty()
          && phase.of().truth().seen()
          && tick - Math.max(agentsDownTick, takenOverTick) >= CAUGHT_UP_TICKS) {
        var state = cluster.run(phase.of()).state();
        if (!phase.shown().contains(state)) {
          wrong.add(
              "%s: %s of %s is %s and not %s"
                  .formatted(
                      Duration.between(Cluster.T0, cluster.now()),
                      phase.of().run(),
                      phase.of().job(),
                      state,
                      phase.shown()));
        }
      }
    }
    return Math.max(0, left - 1);
  }

  private Deque<Phase> job(String name) {
    var phases = new ArrayDeque<Phase>();
    int attempts = 1 + random.nextInt(3);
    boolean sameNames = random.nextBoolean();
    String names = name + "-0";
    for (int i = 0; i < attempts; i++) {
      var pods = names;
      var attempt =
          cluster.start(
              name, machines.stream().map(m -> pods + "-" + m + "@" + m).toArray(String[]::new));
      var end = attempt(attempt, phases);
      if (!sameNames || end == End.EVICTED) {
        names = name + "-" + (i + 1);
      }
    }
    return phases;
  }

  private End attempt(Attempt attempt, Deque<Phase> phases) {
    phases.add(
        new Phase(
            4,
            () -> {
              cluster.witness().well(attempt.job());
              attempt.init();
            },
            () -> {},
            attempt,
            Set.of()));
    phases.add(train(attempt, 12 + random.nextInt(20)));
    for (int i = random.nextInt(3); i > 0; i--) {
      switch (random.nextInt(6)) {
        case 0 -> {
          int seconds = 3 + random.nextInt(100);
          phases.add(
              new Phase(
                  seconds * TICKS_A_SECOND, attempt::rest, () -> {}, attempt, resting(seconds)));
        }
        case 1 -> phases.add(new Phase(1, attempt::rotate, attempt::step, attempt, Set.of()));
        case 2 -> phases.add(straggle(attempt, 10 + random.nextInt(60)));
        case 3 -> phases.add(new Phase(1, this::setClock, attempt::step, attempt, Set.of()));
        default -> {}
      }
      phases.add(train(attempt, 8 + random.nextInt(30)));
    }
    return end(attempt, phases);
  }

  private Phase train(Attempt attempt, int seconds) {
    return new Phase(
        seconds * TICKS_A_SECOND,
        () -> {},
        () -> attempt.step(random),
        attempt,
        Set.of(State.RUNNING));
  }

  private Phase straggle(Attempt attempt, int seconds) {
    int rank = random.nextInt(attempt.ranks());
    double late = 0.05 + 0.25 * random.nextDouble();
    var everySecond = new boolean[1];
    return new Phase(
        seconds * TICKS_A_SECOND,
        () -> cluster.witness().notWell(attempt.job()),
        () -> {
          everySecond[0] ^= true;
          attempt.step(rank, everySecond[0] ? late : 0);
        },
        attempt,
        Set.of(State.RUNNING));
  }

  /// One machine's clock is set, and nobody is late.
  private void setClock() {
    int most = random.nextInt(4) == 0 ? 1_000 : 80;
    int millis = random.nextInt(-most, most + 1);
    cluster
        .machine(machines.get(random.nextInt(machines.size())))
        .setClock(Duration.ofMillis(millis));
  }

  /// Between the two it depends on the moment of judging.
  private static Set<State> resting(int seconds) {
    return seconds < 9
        ? Set.of(State.RUNNING)
        : seconds < 17
            ? Set.of()
            : seconds < 58 ? Set.of(State.PAUSED) : seconds < 68 ? Set.of() : Set.of(State.SILENT);
  }

  private End end(Attempt attempt, Deque<Phase> phases) {
    var end = End.values()[random.nextInt(End.values().length - (mayBeLost ? 0 : 1))];
    int rank = random.nextInt(attempt.ranks());
    switch (end) {
      case DESTROYED -> over(phases, attempt, attempt::destroy, 4, State.ENDED);
      case TERMINATED -> over(phases, attempt, attempt::terminate, 6, State.STOPPED);
      case DIED ->
          over(
              phases,
              attempt,
              () -> attempt.kill().die(rank, "RuntimeError: CUDA error: invalid argument"),
              6,
              State.FAILED);
      case TRACEBACK ->
          over(
              phases,
              attempt,
              () -> attempt.kill().traceback(rank, "KeyError: 'labels'"),
              17,
              State.FAILED);
      case KILLED -> over(phases, attempt, attempt::kill, 70, State.SILENT);
      case KILLED_IN_A_CALL -> {
        phases.add(new Phase(1, () -> attempt.call(rank), () -> {}, attempt, Set.of()));
        over(phases, attempt, attempt::kill, 70, State.SILENT);
      }
      case EVICTED -> over(phases, attempt, attempt::evict, 4, State.ENDED);
      case HUNG_AND_TERMINATED -> {
        phases.add(
            new Phase(
                2 * random.nextInt(20, 200),
                () -> {
                  cluster.witness().notWell(attempt.job());
                  attempt.callAllBut(rank).use(rank, Use.RESTS);
                },
                () -> {},
                attempt,
                Set.of()));
        over(phases, attempt, attempt::terminate, 6, State.STOPPED);
      }
      case LOST -> {
        over(phases, attempt, () -> lose(true), 90, State.LOST);
        phases.add(
            new Phase(
                10 * TICKS_A_SECOND, () -> lose(false), () -> {}, attempt, Set.of(State.SILENT)));
      }
    }
    return end;
  }

  /// All machines are cut off, or come back; what ran there is gone.
  private void lose(boolean gone) {
    for (var name : machines) {
      var machine = cluster.machine(name);
      machine.gpu(Use.FREE);
      if (gone) {
        machine.lose();
      } else {
        machine.comeBack(cluster.now());
      }
    }
  }

  private void over(Deque<Phase> phases, Attempt attempt, Runnable what, int seconds, State state) {
    var states = Set.of(state);
    phases.add(
        new Phase(
            seconds * TICKS_A_SECOND,
            () -> {
              if (state != State.ENDED) {
                cluster.witness().notWell(attempt.job());
              }
              what.run();
            },
            () -> {},
            attempt,
            states));
    phases.add(new Phase(random.nextInt(4, 200), () -> {}, () -> {}, attempt, states));
  }
}
