package io.ringside.streams.fact;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one process tells of a communicator whose init lines were not seen, since its log begins
/// later: a pointer, which is valid in this process alone, and a size. Which ranks are of one
/// communicator is for the job to tell.
///
/// @param pointer in the process's memory
/// @param nranks its size, as each COLL line says (src/enqueue.cc, 2.4 and later)
public record Unseen(String pointer, int nranks) {
  private static final String PREFIX = "at ";
  private static final String OF = " of ";

  /// Whether this stands in the place of a communicator's name.
  public static boolean is(String comm) {
    return comm.startsWith(PREFIX);
  }

  /// What stands in the place of the name, if it is no name.
  public static Optional<Unseen> of(@Nullable String comm) {
    if (comm == null || !is(comm)) {
      return Optional.empty();
    }
    int size = comm.indexOf(OF);
    return Optional.of(
        new Unseen(
            comm.substring(PREFIX.length(), size),
            Integer.parseInt(comm.substring(size + OF.length()))));
  }

  /// Stands in the place of the name.
  public String text() {
    return PREFIX + pointer + OF + nranks;
  }
}
