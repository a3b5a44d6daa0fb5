package io.ringside.standalone.input;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;

/// An input of the user that cannot be read. The message is one sentence for the user: it contains
/// the path and what to do.
public final class UnusableInput extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnusableInput(String message) {
    super(message);
  }

  public UnusableInput(String message, Throwable cause) {
    super(message, cause);
  }

  /// Explains why a file or folder cannot be read.
  static UnusableInput unreadable(Path path, IOException reason) {
    return reason instanceof AccessDeniedException
        ? new UnusableInput(
            "%s may not be read by this user; run as one who may, or leave it out.".formatted(path),
            reason)
        : new UnusableInput("%s cannot be read: %s.".formatted(path, words(reason)), reason);
  }

  /// The same in a few words, without the path.
  static String reason(IOException failure) {
    return failure instanceof AccessDeniedException
        ? "this user may not read it"
        : "it cannot be read: " + words(failure);
  }

  private static String words(IOException reason) {
    var message = reason.getMessage();
    return message == null ? reason.getClass().getSimpleName() : message;
  }
}
