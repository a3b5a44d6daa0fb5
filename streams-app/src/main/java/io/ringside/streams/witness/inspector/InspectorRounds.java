package io.ringside.streams.witness.inspector;

import io.ringside.streams.parse.inspector.InspectorTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The rounds of all communicators of a run as measured by their ranks' Inspectors. Complete rounds
/// are folded into counts at once; a limited number of incomplete ones is kept. Not thread-safe.
public final class InspectorRounds {
  /// Waits shorter than 20 ms are ignored.
  static final int SLOW_MICROS = 20_000;

  /// Most incomplete rounds of one communicator and operation.
  private static final int MOST_OPEN = 65_536;

  private static final int MOST_COMMS = 1_024;

  /// Most ranks times open rounds, over all open rounds together.
  private static final long MOST_TIMES = 8_000_000;

  private final Map<String, Late> late = new TreeMap<>();
  private final Map<String, TreeMap<Long, Round>> open = new TreeMap<>();

  /// The newest complete round, by communicator and operation.
  private final Map<String, Long> whole = new TreeMap<>();

  private final GroupSpeeds speeds = new GroupSpeeds();

  private long times;

  /// Adds a rank's measurements.
  public void add(InspectorTimes said) {
    if (said.nranks() < 2 || said.nranks() > 65_536) {
      return;
    }
    var key = said.comm() + " " + said.op();
    if (!open.containsKey(key) && open.size() >= MOST_COMMS) {
      return;
    }
    var rounds = open.computeIfAbsent(key, _ -> new TreeMap<>());
    for (int i = 0; i < said.sequences().length; i++) {
      var round = rounds.get(said.sequences()[i]);
      if (round == null) {
        if (times + said.nranks() > MOST_TIMES) {
          return;
        }
        round = new Round(said.nranks());
        times += said.nranks();
        rounds.put(said.sequences()[i], round);
      }
      round.reached(said.busGBps()[i], said.bytes()[i]);
      if (round.add(said.rank(), said.micros()[i], said.atMicros()[i])) {
        rounds.remove(said.sequences()[i]);
        times -= said.nranks();
        whole.merge(key, said.sequences()[i], Math::max);
        late.computeIfAbsent(said.comm(), _ -> new Late(said.nranks())).count(round);
        speeds.add(
            said.comm(),
            said.nranks(),
            said.nnodes(),
            said.op(),
            round.bytes,
            round.busGBps,
            round.atMicros);
      }
    }
    while (rounds.size() > MOST_OPEN) {
      times -= rounds.pollFirstEntry().getValue().micros.length;
    }
  }

  /// Number of rounds for which a rank's measurement is lost, because all ranks have reported a
  /// later one. The plugin's ring silently drops what is not written in time.
  public long lost() {
    return open.entrySet().stream()
        .mapToLong(
            rounds -> rounds.getValue().headMap(whole.getOrDefault(rounds.getKey(), 0L)).size())
        .sum();
  }

  /// Whether nothing was measured.
  public boolean isEmpty() {
    return late.isEmpty();
  }

  /// The verdicts, by communicator.
  public List<InspectorVerdict> verdicts() {
    var verdicts = new ArrayList<InspectorVerdict>();
    late.forEach((comm, counts) -> verdicts.add(counts.verdict(comm)));
    return verdicts;
  }

  /// Communicators whose calls became slower, or are slower than those of their peers, although no
  /// rank is waited for.
  public List<SlowGroup> slow() {
    return speeds.slow();
  }

  /// One call of all ranks.
  static final class Round {
    int[] micros = new int[0];
    int ranks;
    long atMicros;

    /// Bandwidth of the rank that came last: it did not wait for any rank.
    float busGBps;

    long bytes;

    Round() {}

    Round(int nranks) {
      micros = new int[nranks];
      Arrays.fill(micros, -1);
    }

    void reached(float gbps, long size) {
      busGBps = Math.max(busGBps, gbps);
      bytes = Math.max(bytes, size);
    }

    /// @return whether all ranks have reported
    boolean add(int rank, int duration, long at) {
      if (rank >= micros.length || micros[rank] >= 0) {
        return false;
      }
      micros[rank] = duration;
      atMicros = Math.max(atMicros, at);
      return ++ranks == micros.length;
    }
  }

  /// Counts how often each rank was late on one communicator.
  static final class Late {
    int[] rounds = new int[0];
    long[] lostMicros = new long[0];
    long[] waitedMicros = new long[0];
    long[] firstMicros = new long[0];
    long[] lastMicros = new long[0];
    int all;
    int slow;
    long beganMicros = Long.MAX_VALUE;
    long endedMicros;

    Late() {}

    Late(int nranks) {
      rounds = new int[nranks];
      lostMicros = new long[nranks];
      waitedMicros = new long[nranks];
      firstMicros = new long[nranks];
      lastMicros = new long[nranks];
    }

    void count(Round round) {
      all++;
      beganMicros = Math.min(beganMicros, round.atMicros);
      endedMicros = Math.max(endedMicros, round.atMicros);
      int shortest = 0;
      int longest = 0;
      int second = Integer.MAX_VALUE;
      for (int rank = 0; rank < round.micros.length; rank++) {
        if (round.micros[rank] < round.micros[shortest]) {
          shortest = rank;
        }
        longest = Math.max(longest, round.micros[rank]);
      }
      for (int rank = 0; rank < round.micros.length; rank++) {
        if (rank != shortest) {
          second = Math.min(second, round.micros[rank]);
        }
      }
      int wait = longest - round.micros[shortest];
      // only if all others waited: two ranks that are late together cannot be told apart
      if (wait >= SLOW_MICROS) {
        slow++;
        for (int rank = 0; rank < round.micros.length; rank++) {
          waitedMicros[rank] += round.micros[rank] - round.micros[shortest];
        }
        if (second - round.micros[shortest] >= wait / 2) {
          if (rounds[shortest]++ == 0) {
            firstMicros[shortest] = round.atMicros;
          }
          lastMicros[shortest] = Math.max(lastMicros[shortest], round.atMicros);
          lostMicros[shortest] += wait;
        }
      }
    }

    InspectorVerdict verdict(String comm) {
      int worst = 0;
      for (int rank = 1; rank < rounds.length; rank++) {
        if (lostMicros[rank] > lostMicros[worst]) {
          worst = rank;
        }
      }
      return new InspectorVerdict(
          comm,
          rounds.length,
          all,
          slow,
          worst,
          rounds[worst],
          lostMicros[worst] / 1e6,
          firstMicros[worst],
          lastMicros[worst],
          Arrays.stream(waitedMicros).mapToObj(micros -> micros / 1e6).toList(),
          beganMicros,
          endedMicros);
    }
  }
}
