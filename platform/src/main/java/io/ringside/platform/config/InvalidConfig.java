package io.ringside.platform.config;

/// The configuration cannot be used. The message names the key's path and says why; it is meant for
/// people and needs no stack trace.
public final class InvalidConfig extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidConfig(String message) {
    super(message);
  }

  public InvalidConfig(String message, Throwable cause) {
    super(message, cause);
  }
}
