package io.ringside.streams.witness.dump;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Graph of which ranks wait for which. A rank that others wait for and that waits for no rank
/// holds up the others. Ranks that wait for each other in a circle do so together.
final class WaitGraph {
  private final Map<Integer, List<Wait>> from = new TreeMap<>();
  private final Map<Integer, List<Wait>> onto = new TreeMap<>();

  void add(Wait wait) {
    from.computeIfAbsent(wait.rank(), _ -> new ArrayList<>()).add(wait);
    onto.computeIfAbsent(wait.on(), _ -> new ArrayList<>()).add(wait);
  }

  /// The waits of others for the rank.
  List<Wait> onto(int rank) {
    return onto.getOrDefault(rank, List.of());
  }

  List<Wait> from(int rank) {
    return from.getOrDefault(rank, List.of());
  }

  /// The ends of all chains: single ranks and circles.
  List<Set<Integer>> ends() {
    var ends = new ArrayList<Set<Integer>>();
    for (var circle : circles()) {
      boolean leaves =
          circle.stream().flatMap(r -> from(r).stream()).anyMatch(w -> !circle.contains(w.on()));
      boolean reached = circle.size() > 1 || !onto(circle.iterator().next()).isEmpty();
      if (!leaves && reached) {
        ends.add(circle);
      }
    }
    return ends;
  }

  /// Strongly connected components by Kosaraju's two passes, without recursion.
  private List<Set<Integer>> circles() {
    var finished = new ArrayDeque<Integer>();
    var seen = new HashSet<Integer>();
    for (int rank : nodes()) {
      walk(rank, seen, finished);
    }
    var parts = new ArrayList<Set<Integer>>();
    var taken = new HashSet<Integer>();
    while (!finished.isEmpty()) {
      int root = finished.pop();
      if (taken.contains(root)) {
        continue;
      }
      var part = new TreeSet<Integer>();
      var open = new ArrayDeque<>(List.of(root));
      while (!open.isEmpty()) {
        int rank = open.pop();
        if (taken.add(rank)) {
          part.add(rank);
          onto(rank).forEach(wait -> open.push(wait.rank()));
        }
      }
      parts.add(part);
    }
    return parts;
  }

  private void walk(int root, Set<Integer> seen, Deque<Integer> finished) {
    if (!seen.add(root)) {
      return;
    }
    var path = new ArrayDeque<>(List.of(root));
    var next = new HashMap<Integer, Integer>();
    while (!path.isEmpty()) {
      int rank = path.peek();
      var waits = from(rank);
      int at = next.merge(rank, 1, Integer::sum) - 1;
      if (at < waits.size()) {
        int on = waits.get(at).on();
        if (seen.add(on)) {
          path.push(on);
        }
      } else {
        finished.push(path.pop());
      }
    }
  }

  private Collection<Integer> nodes() {
    var nodes = new TreeSet<>(from.keySet());
    nodes.addAll(onto.keySet());
    return nodes;
  }
}
