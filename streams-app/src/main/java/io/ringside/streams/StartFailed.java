package io.ringside.streams;

/// The service cannot start in its environment; the message says what to change.
public final class StartFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
