package io.ringside.streams.state.older;

import java.util.List;
import java.util.TreeMap;

/// State as it was.
public final class Kept {
  public long count = 7;
  public String dropped = "no longer kept";
  public Network network = Network.SOCKET;
  public TreeMap<String, Statement> byRank = new TreeMap<>();

  /// A choice as it was.
  public enum Network {
    SOCKET,
    EFA
  }

  /// A fact as it was.
  public record Statement(int rank, String text, List<Integer> peers) {}
}
