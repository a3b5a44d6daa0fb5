package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogSource;
import java.util.Arrays;
import java.util.Objects;

/// A chunk as it goes to the broker: the JSON of an `io.ringside.schemas.event.LogChunk`.
///
/// @param lines how many it holds
/// @param json must not be changed
public record EncodedChunk(LogSource source, int lines, byte[] json) {
  public EncodedChunk {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(json, "json");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EncodedChunk that
        && source.equals(that.source)
        && Arrays.equals(json, that.json);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(json);
  }

  @Override
  public String toString() {
    return "EncodedChunk[%s, %d lines, %d bytes]".formatted(source.id(), lines, json.length);
  }
}
