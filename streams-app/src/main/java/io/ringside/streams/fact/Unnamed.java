package io.ringside.streams.fact;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one process knows of a communicator that no line names: NCCL prints its commId since 2.16.2
/// (src/init.cc), RCCL since it took that over. Ranks of one communicator give it the same size,
/// and the same order if they have seen all of this size; which ranks are of one is for the job to
/// tell.
///
/// @param nranks its size
/// @param order 1 for the first of this size that the process's GPU came up in, 2 for the second …
public record Unnamed(int nranks, int order) {
  private static final String PREFIX = "of ";
  private static final String ORDER = " #";

  /// Whether this stands in the place of a communicator's name.
  public static boolean is(String comm) {
    return comm.startsWith(PREFIX);
  }

  /// What stands in the place of the name, if it is no name.
  public static Optional<Unnamed> of(@Nullable String comm) {
    if (comm == null || !is(comm)) {
      return Optional.empty();
    }
    int order = comm.indexOf(ORDER);
    return Optional.of(
        new Unnamed(
            Integer.parseInt(comm.substring(PREFIX.length(), order)),
            Integer.parseInt(comm.substring(order + ORDER.length()))));
  }

  /// Stands in the place of the name.
  public String text() {
    return PREFIX + nranks + ORDER + order;
  }
}
