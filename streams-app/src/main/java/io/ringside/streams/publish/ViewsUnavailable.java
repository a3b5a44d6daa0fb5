package io.ringside.streams.publish;

/// The results cannot be read at the moment; the message says why and whether it is worth waiting.
public final class ViewsUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ViewsUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
