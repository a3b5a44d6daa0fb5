package io.ringside.streams.fact;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Placeholder for a communicator whose init lines were not seen because the log begins later, as
/// one process knows it: a pointer, which is valid in this process only, and a size. The job
/// decides which ranks share one communicator.
///
/// @param pointer address of the communicator in the process's memory
/// @param nranks size of the communicator, as each COLL line says (src/enqueue.cc, 2.4 and later)
public record UnseenComm(String pointer, int nranks) {
  private static final String PREFIX = "at ";
  private static final String OF = " of ";

  /// Whether the text is such a placeholder.
  public static boolean is(String comm) {
    return comm.startsWith(PREFIX);
  }

  /// Parses a placeholder; empty for a real name.
  public static Optional<UnseenComm> of(@Nullable String comm) {
    if (comm == null || !is(comm)) {
      return Optional.empty();
    }
    int size = comm.indexOf(OF);
    return Optional.of(
        new UnseenComm(
            comm.substring(PREFIX.length(), size),
            Integer.parseInt(comm.substring(size + OF.length()))));
  }

  /// The placeholder as text.
  public String text() {
    return PREFIX + pointer + OF + nranks;
  }
}
