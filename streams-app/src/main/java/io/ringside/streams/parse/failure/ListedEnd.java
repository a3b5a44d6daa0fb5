package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent.Reported;

/// What one line of a scheduler's listing reports about a pod or a job.
///
/// @param line number of the line in the listing
public record ListedEnd(int line, Reported event) {
  private static final String STANDS = "listed ";

  /// A pod or job that did not end well.
  ///
  /// @param proven whether nothing else in the listing shows that the work continues or was
  ///   completed
  /// @param only whether the listing contains no other job
  static ListedEnd of(
      int line, String object, FailureClass failure, String words, boolean proven, boolean only) {
    return new ListedEnd(
        line, new Reported(object, failure, Statements.shortened(words), proven, only, false));
  }

  /// A pod or job that runs or has completed. It shows whose listing this is, and that an earlier
  /// end is past.
  static ListedEnd stands(int line, String object, String words) {
    return new ListedEnd(
        line,
        new Reported(
            object,
            FailureClass.UNKNOWN,
            Statements.shortened(STANDS + words),
            false,
            false,
            false));
  }

  /// The same, for a container that another one has replaced.
  ListedEnd before() {
    return new ListedEnd(
        line,
        new Reported(
            event.object(), event.failureClass(), event.words(), event.end(), event.ofOwn(), true));
  }

  /// Whether the report comes from a listing, not from an event or an agent.
  public static boolean is(Reported reported) {
    var words = reported.words();
    return words.startsWith("pod ")
        || words.startsWith("container ")
        || words.startsWith("Slurm job ")
        || stands(reported);
  }

  /// Whether the report is about a pod or job that did not fail.
  public static boolean stands(Reported reported) {
    return reported.words().startsWith(STANDS);
  }
}
