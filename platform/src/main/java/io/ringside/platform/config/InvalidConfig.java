package io.ringside.platform.config;

/// The configuration cannot be used. The message contains the key's path and the reason; it is
/// meant for users and needs no stack trace.
public final class InvalidConfig extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidConfig(String message) {
    super(message);
  }

  public InvalidConfig(String message, Throwable cause) {
    super(message, cause);
  }
}
