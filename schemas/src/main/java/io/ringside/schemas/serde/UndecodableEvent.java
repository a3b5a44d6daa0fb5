package io.ringside.schemas.serde;

import org.apache.kafka.common.errors.SerializationException;

/// Bytes on a topic that are not a valid record.
public final class UndecodableEvent extends SerializationException {
  private static final long serialVersionUID = 1L;

  UndecodableEvent(String message, Throwable cause) {
    super(message, cause);
  }
}
