package io.ringside.streams.publish;

/// The results cannot be read at the moment; the message says why and whether waiting may help.
public final class ViewsUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ViewsUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
