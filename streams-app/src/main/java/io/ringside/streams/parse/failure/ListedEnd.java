package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent.Reported;

/// What one line of a scheduler's listing says of a pod or a job.
///
/// @param line its number in the listing
public record ListedEnd(int line, Reported event) {
  private static final String STANDS = "listed ";

  /// One that ended otherwise than well.
  ///
  /// @param proven whether nothing else in the listing says that the work goes on or was done
  /// @param only whether the listing is of nobody else
  static ListedEnd of(
      int line, String object, FailureClass failure, String words, boolean proven, boolean only) {
    return new ListedEnd(
        line, new Reported(object, failure, Statements.shortened(words), proven, only, false));
  }

  /// One that runs, or has completed: of whom the listing is, and that an end told before is past.
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

  /// The same of a container in whose place another one runs.
  ListedEnd before() {
    return new ListedEnd(
        line,
        new Reported(
            event.object(), event.failureClass(), event.words(), event.end(), event.ofOwn(), true));
  }

  /// Whether a listing says so, not an event or an agent.
  public static boolean is(Reported reported) {
    var words = reported.words();
    return words.startsWith("pod ")
        || words.startsWith("container ")
        || words.startsWith("Slurm job ")
        || stands(reported);
  }

  /// Whether it is of one that did not end.
  public static boolean stands(Reported reported) {
    return reported.words().startsWith(STANDS);
  }
}
