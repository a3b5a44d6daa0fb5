package io.ringside.shipper.config;

/// Something in the configuration is wrong; the message names the key and what is allowed.
public final class BadConfig extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  BadConfig(String message) {
    super(message);
  }
}
