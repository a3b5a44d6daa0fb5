package io.ringside.streams.witness.dump;

import io.ringside.streams.parse.flightrecorder.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds calls with the same number in the same group that differ. NCCL pairs calls by their order
/// alone, so such calls hang or give wrong numbers.
record Mismatches(RunDumps dumps) {
  /// The first call of a group that ranks make differently.
  ///
  /// @param odd ranks that differ from more than half of all; empty without such a majority
  /// @param words the calls of each side, as text
  record Mismatch(Set<Integer> odd, Set<Integer> all, String words) {}

  static List<Mismatch> of(RunDumps dumps) {
    var found = new ArrayList<Mismatch>();
    for (var group : dumps.groups()) {
      new Mismatches(dumps).first(group).ifPresent(found::add);
    }
    return found;
  }

  private Optional<Mismatch> first(String group) {
    var byNumber = new TreeMap<Long, Map<Integer, List<Call>>>();
    for (int rank : dumps.ranks()) {
      for (var call : dumps.calls(rank, group)) {
        if (!call.p2p() && call.collective() > 0) {
          byNumber
              .computeIfAbsent(call.collective(), _ -> new TreeMap<>())
              .computeIfAbsent(rank, _ -> new ArrayList<>())
              .add(call);
        }
      }
    }
    for (var entry : byNumber.entrySet()) {
      var calls = entry.getValue();
      // a call that all ranks completed did no visible harm
      if (calls.values().stream().anyMatch(own -> own.stream().anyMatch(Call::pending))) {
        var sides = sides(calls);
        if (sides.size() > 1) {
          return Optional.of(mismatch(group, entry.getKey(), sides, byNumber));
        }
      }
    }
    return Optional.empty();
  }

  private static Map<String, Set<Integer>> sides(Map<Integer, List<Call>> calls) {
    var sides = new LinkedHashMap<String, Set<Integer>>();
    // if dumps hold different parts of a coalesced group, only its first call can be compared
    boolean even = calls.values().stream().map(List::size).distinct().count() == 1;
    calls.forEach(
        (rank, own) ->
            sides
                .computeIfAbsent(
                    signature(even ? own : List.of(own.getFirst())), _ -> new TreeSet<>())
                .add(rank));
    return sides;
  }

  private Mismatch mismatch(
      String group,
      long number,
      Map<String, Set<Integer>> sides,
      Map<Long, Map<Integer, List<Call>>> byNumber) {
    var all = new TreeSet<Integer>();
    sides.values().forEach(all::addAll);
    var most = sides.values().stream().filter(side -> 2 * side.size() > all.size()).findFirst();
    var odd = new TreeSet<Integer>();
    most.ifPresent(
        side -> {
          odd.addAll(all);
          odd.removeAll(side);
        });
    var here = byNumber.getOrDefault(number, Map.of());
    var words = new ArrayList<String>();
    sides.forEach(
        (_, side) ->
            words.add(
                here.getOrDefault(side.iterator().next(), List.of()).stream()
                    .findFirst()
                    .map(call -> "%s %s".formatted(RankPhrases.ranks(side), call.words()))
                    .orElse(RankPhrases.ranks(side))));
    var order = most.isPresent() && !odd.isEmpty() ? order(number, odd, most.get(), byNumber) : "";
    return new Mismatch(
        odd,
        all,
        "call %d of %s: %s%s"
            .formatted(number, dumps.words(group), String.join(", ", words), order));
  }

  /// Describes whether the odd rank made the same calls in another order, or left one out.
  private static String order(
      long number,
      Set<Integer> odd,
      Set<Integer> most,
      Map<Long, Map<Integer, List<Call>>> byNumber) {
    var next = byNumber.getOrDefault(number + 1, Map.of());
    var here = byNumber.getOrDefault(number, Map.of());
    int one = odd.iterator().next();
    int other = most.iterator().next();
    boolean late = same(here.get(other), next.get(one));
    boolean early = same(here.get(one), next.get(other));
    if (late && early) {
      return ", in crossed order";
    }
    return early ? ", which left out the call before" : late ? ", which made one call more" : "";
  }

  private static boolean same(@Nullable List<Call> a, @Nullable List<Call> b) {
    return a != null && b != null && signature(a).equals(signature(b));
  }

  /// The part of a call in which all ranks must agree. Sizes of some operations may differ between
  /// ranks.
  private static String signature(List<Call> calls) {
    var call = calls.getFirst();
    if (calls.size() > 1) {
      return calls.stream().map(Call::operation).toList().toString();
    }
    return sized(call.operation())
        ? "%s %s %d".formatted(call.operation(), call.dtype(), call.elements())
        : call.operation();
  }

  private static boolean sized(String operation) {
    return switch (operation) {
      case "all_reduce",
          "broadcast",
          "reduce",
          "all_gather",
          "_all_gather_base",
          "all_gather_into_tensor",
          "_reduce_scatter_base",
          "reduce_scatter_tensor" ->
          true;
      default -> false;
    };
  }
}
