package io.ringside.streams.state;

import org.apache.kafka.common.errors.SerializationException;

/// State that another version of the service wrote, so its fields may have another meaning here. It
/// is set aside. Updates and rollbacks cause this; it is nobody's fault.
public final class StateVersionMismatch extends SerializationException {
  private static final long serialVersionUID = 1;

  /// @param of simple class name of what was written
  /// @param version format version of the bytes; {@code 1} for all bytes from before versions were
  ///     written
  /// @param own version that this service understands
  StateVersionMismatch(String of, int version, int own) {
    super("a %s of version %d, this is %d".formatted(of, version, own));
  }
}
