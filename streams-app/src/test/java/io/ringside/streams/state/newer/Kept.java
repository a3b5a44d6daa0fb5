package io.ringside.streams.state.newer;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// State as it is: a field less, a field more.
public final class Kept {
  public long count = 1;
  public @Nullable String added;
  public int[] alsoAdded = {1, 2};
  public Network network = Network.EFA;
  public TreeMap<String, Statement> byRank = new TreeMap<>();

  /// A choice as it is.
  public enum Network {
    EFA,
    INFINIBAND,
    SOCKET
  }

  /// A fact as it is: a component more.
  public record Statement(int rank, String text, double seconds, List<Integer> peers) {}
}
