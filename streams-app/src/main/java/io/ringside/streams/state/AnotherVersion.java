package io.ringside.streams.state;

import org.apache.kafka.common.errors.SerializationException;

/// State that another version of the service wrote, and whose fields may mean something else here.
/// It is set aside, as an update and its way back bring it, and is no fault of anybody's.
public final class AnotherVersion extends SerializationException {
  private static final long serialVersionUID = 1;

  /// @param of what was written, as its class is called
  /// @param version that wrote it; {@code 1} for all before versions were written down
  /// @param own that is understood here
  AnotherVersion(String of, int version, int own) {
    super("a %s of version %d, this is %d".formatted(of, version, own));
  }
}
