package io.ringside.streams.parse.flightrecorder;

import java.util.List;
import java.util.Objects;

/// A process group as described by one rank's dump. Sequence numbers are -1 where the dump does not
/// give them.
///
/// @param name `0`, `35`: the same on all ranks
/// @param description `default_pg`, `TENSOR_MODEL_PARALLEL_GROUP`
/// @param ranks global ranks in the order of the group, empty if unknown
/// @param enqueued number of the last call that the program has made
/// @param started number of the last call that the GPU has begun
/// @param completed number of the last call that is done
public record Group(
    String name,
    String description,
    List<Integer> ranks,
    long enqueued,
    long started,
    long completed) {

  /// An unknown group.
  public static final Group NONE = new Group("", "", List.of(), -1, -1, -1);

  public Group {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    ranks = List.copyOf(ranks);
  }

  Group described(String words) {
    return new Group(name, words, ranks, enqueued, started, completed);
  }

  /// Identifies the group on all its ranks. The name alone may repeat if ranks create groups
  /// separately.
  public String key() {
    return name + " " + ranks;
  }

  /// The global rank of a rank within the group, -1 if unknown.
  public int global(int local) {
    return local >= 0 && local < ranks.size() ? ranks.get(local) : -1;
  }

  /// The group's name for a report.
  public String words() {
    return description.isEmpty() || description.equals("undefined") ? "group " + name : description;
  }
}
