package io.ringside.standalone.input;

/// The user pointed at something that cannot be read. The message is one sentence for the user: it
/// names the path and the way out.
public final class UnusableInput extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnusableInput(String message) {
    super(message);
  }

  public UnusableInput(String message, Throwable cause) {
    super(message, cause);
  }
}
