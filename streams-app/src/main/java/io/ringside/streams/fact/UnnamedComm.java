package io.ringside.streams.fact;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Placeholder for a communicator that no line names, as one process knows it. NCCL prints the
/// commId since 2.16.2 (src/init.cc); RCCL does so since it adopted that change. Ranks of one
/// communicator report the same size, and the same order if they have seen all communicators of
/// this size. The job decides which ranks share one.
///
/// @param nranks size of the communicator
/// @param order 1 for the first communicator of this size on the process's GPU, 2 for the second,
///   and so on
public record UnnamedComm(int nranks, int order) {
  private static final String PREFIX = "of ";
  private static final String ORDER = " #";

  /// Whether the text is such a placeholder.
  public static boolean is(String comm) {
    return comm.startsWith(PREFIX);
  }

  /// Parses a placeholder; empty for a real name.
  public static Optional<UnnamedComm> of(@Nullable String comm) {
    if (comm == null || !is(comm)) {
      return Optional.empty();
    }
    int order = comm.indexOf(ORDER);
    return Optional.of(
        new UnnamedComm(
            Integer.parseInt(comm.substring(PREFIX.length(), order)),
            Integer.parseInt(comm.substring(order + ORDER.length()))));
  }

  /// The placeholder as text.
  public String text() {
    return PREFIX + nranks + ORDER + order;
  }
}
