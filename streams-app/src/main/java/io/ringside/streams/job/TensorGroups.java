package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.TorchEvent;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which ranks of a job share each layer, as far as lines state it: PyTorch's lines about its
/// groups, whose names the program chose, or Megatron-LM's lines about their size. Other groups may
/// have the same size.
public final class TensorGroups {
  /// Number of groups that a job of {@link Run#MAX_RANKS} ranks has at least.
  private static final int MOST = 1 << 15;

  /// Names in Megatron-LM (core/parallel_state.py) and in PyTorch's device mesh (`mesh_tp`). Not
  /// `TENSOR_AND_DATA_PARALLEL_GROUP`, which is larger.
  private static final Pattern NAMES =
      Pattern.compile("TENSOR(?:_MODEL)?_PARALLEL_GROUP|(?:mesh_)?tp");

  /// Global ranks by the number of their group and its size.
  private final Map<String, Named> named = new TreeMap<>();

  private final Set<Integer> sizes = new TreeSet<>();
  private boolean distinct;
  private @Nullable Evidence proof;

  TensorGroups() {}

  /// A group that lines name.
  record Named(int size, Set<Integer> ranks) {}

  void note(TorchEvent.GroupOptions options, Evidence line) {
    if (options.rank() >= 0
        && options.size() > 1
        && !options.group().isEmpty()
        && NAMES.matcher(options.description()).matches()) {
      note(options.group() + "/" + options.size(), options.size(), List.of(options.rank()), line);
    }
  }

  void note(MegatronEvent.TensorGroups groups, Evidence line) {
    groups.ranks().forEach(ranks -> note(ranks.toString(), ranks.size(), ranks, line));
  }

  private void note(String key, int size, List<Integer> ranks, Evidence line) {
    if (size > Run.MAX_RANKS || named.size() >= MOST && !named.containsKey(key)) {
      return;
    }
    var group = named.computeIfAbsent(key, _ -> new Named(size, new TreeSet<>())).ranks();
    if (group.size() <= size) { // a rank too many shows that it is no such group
      group.addAll(ranks);
    }
    proof = proof == null ? line : proof;
  }

  void note(MegatronEvent.TensorParallel told, Evidence line) {
    if (sizes.size() < MOST) {
      sizes.add(told.size());
      distinct |= told.distinct();
      proof = proof == null ? line : proof;
    }
  }

  /// The line that states them, null if none does.
  public @Nullable Evidence proof() {
    return proof;
  }

  /// The tensor groups among a run's groups, as global ranks; empty if that is not certain. If only
  /// a size is known, they are the only groups of that size, or groups of neighbours: Megatron-LM
  /// counts ranks through a tensor group first (core/parallel_state.py, orders `tp-cp-ep-dp-pp` and
  /// `tp-cp-ep-pp-dp`).
  ///
  /// @param nranks number of ranks of the run
  public Set<Set<Integer>> among(Collection<Set<Integer>> groups, int nranks) {
    if (!named.isEmpty()) {
      var complete =
          named.values().stream()
              .filter(group -> group.ranks().size() == group.size())
              .map(Named::ranks)
              .collect(Collectors.toSet());
      if (complete.stream().mapToInt(Set::size).sum()
          != complete.stream().flatMap(Set::stream).distinct().count()) {
        return Set.of(); // each rank is in only one of them
      }
      return groups.stream().filter(complete::contains).collect(Collectors.toSet());
    }
    if (sizes.size() != 1) {
      return Set.of();
    }
    int size = sizes.iterator().next();
    var alike = groups.stream().filter(it -> it.size() == size).collect(Collectors.toSet());
    var covered = new HashSet<Integer>();
    alike.forEach(covered::addAll);
    boolean only = covered.size() == nranks && alike.size() * size == nranks;
    return distinct && only
        ? alike
        : alike.stream().filter(TensorGroups::neighbours).collect(Collectors.toSet());
  }

  private static boolean neighbours(Set<Integer> ranks) {
    int first = ranks.stream().mapToInt(Integer::intValue).min().orElse(0);
    int last = ranks.stream().mapToInt(Integer::intValue).max().orElse(0);
    return first % ranks.size() == 0 && last - first == ranks.size() - 1;
  }
}
