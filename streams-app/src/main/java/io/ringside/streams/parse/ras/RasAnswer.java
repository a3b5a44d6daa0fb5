package io.ringside.streams.parse.ras;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// One answer of RAS, NCCL's service for reliability, availability and serviceability.
///
/// @param atNanos time of the query, Unix epoch nanoseconds, 0 if unknown
/// @param text the most important lines, for a report
/// @param last whether the answer ends the log in which it was found
/// @param dead processes reported as dead, if this is an event of RAS's monitor and not an answer
public record RasAnswer(
    long atNanos, List<Comm> comms, String text, boolean last, List<Dead> dead) {
  public RasAnswer {
    comms = List.copyOf(comms);
    dead = List.copyOf(dead);
    Objects.requireNonNull(text, "text");
  }

  public RasAnswer(long atNanos, List<Comm> comms, String text) {
    this(atNanos, comms, text, false, List.of());
  }

  /// The same answer, as the end of its log.
  RasAnswer atEnd() {
    return new RasAnswer(atNanos, comms, text, true, dead);
  }

  /// A process that RAS has lost all contact with, by default for a minute. RAS no longer queries
  /// it.
  ///
  /// @param host name or address, as RAS prints it
  public record Dead(int pid, String host) {
    public Dead {
      Objects.requireNonNull(host, "host");
    }
  }

  /// The part of an answer about one communicator.
  ///
  /// @param commId `0x` and 16 hexadecimal digits
  /// @param size number of ranks, -1 if unknown
  /// @param missing ranks that RAS has no data from: dead, stopped or unreachable
  /// @param pids processes of the named ranks, because no log line gives the id of a communicator
  ///   that was split off
  public record Comm(
      String commId,
      int size,
      List<Count> counts,
      List<Integer> missing,
      Map<Integer, Integer> pids) {
    public Comm {
      Objects.requireNonNull(commId, "commId");
      counts = List.copyOf(counts);
      missing = List.copyOf(missing);
      pids = Map.copyOf(pids);
    }

    /// Number of ranks as far as the answer shows it: the size, or the ranks with a count for one
    /// operation plus those with missing data.
    public int ranks() {
      var byOp = new HashMap<String, Integer>();
      counts.forEach(count -> byOp.merge(count.op(), count.ranks(), Integer::sum));
      int counted = byOp.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      return Math.max(size, counted + missing.size());
    }

    /// A communicator that an answer reports no problem with.
    static Comm silent(String commId) {
      return new Comm(commId, -1, List.of(), List.of(), Map.of());
    }
  }

  /// How many calls one rank or several ranks have launched.
  ///
  /// @param op `AllReduce`, empty for all operations together (before 2.26)
  /// @param rank rank in the communicator, -1 if the count stands for `ranks` unnamed ranks
  public record Count(String op, int rank, int ranks, long launched) {
    public Count {
      Objects.requireNonNull(op, "op");
    }
  }
}
