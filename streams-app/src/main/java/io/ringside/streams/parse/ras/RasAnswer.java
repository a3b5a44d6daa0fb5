package io.ringside.streams.parse.ras;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// One answer of RAS.
///
/// @param atNanos when it was asked, Unix epoch nanoseconds, 0 if unknown
/// @param text the lines that say most, for a report
/// @param last whether nothing came behind it in the log in which somebody left it
/// @param dead processes that it calls dead, where it is an event of RAS's monitor and no answer
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

  /// The same as the end of its log.
  RasAnswer atEnd() {
    return new RasAnswer(atNanos, comms, text, true, dead);
  }

  /// A process with which RAS lost all contact, for a minute by default: it asks it nothing more.
  ///
  /// @param host name or address, as RAS prints it
  public record Dead(int pid, String host) {
    public Dead {
      Objects.requireNonNull(host, "host");
    }
  }

  /// What it says of a communicator.
  ///
  /// @param commId `0x` and 16 hexadecimal digits
  /// @param size how many ranks it has, -1 if unknown
  /// @param missing ranks of which RAS has no data: dead, stopped or unreachable
  /// @param pids processes of the ranks that are named: no log line names the id of a communicator
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

    /// How many ranks it has as far as the answer tells: its size, or as many as an operation has
    /// counts and data are missing of.
    public int ranks() {
      var byOp = new HashMap<String, Integer>();
      counts.forEach(count -> byOp.merge(count.op(), count.ranks(), Integer::sum));
      int counted = byOp.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      return Math.max(size, counted + missing.size());
    }

    /// One that an answer does not complain of.
    static Comm silent(String commId) {
      return new Comm(commId, -1, List.of(), List.of(), Map.of());
    }
  }

  /// How many calls were launched.
  ///
  /// @param op `AllReduce`, empty for all operations together (before 2.26)
  /// @param rank of the communicator, -1 for `ranks` of them that are not named
  public record Count(String op, int rank, int ranks, long launched) {
    public Count {
      Objects.requireNonNull(op, "op");
    }
  }
}
