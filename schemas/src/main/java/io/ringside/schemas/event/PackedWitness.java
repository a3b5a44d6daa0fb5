package io.ringside.schemas.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// What a witness said, as one line of a chunk: packed, so that whoever sends it need not understand it.
///
/// `ringside-witness 1 RAS H4sIA…`: the kind, and the bytes packed and in base 64.
public final class PackedWitness {
  /// How such a line begins.
  public static final String START = "ringside-witness 1 ";

  /// NCCL's RAS, what it answered.
  public static final String RAS = "RAS";

  /// What a line may hold once unpacked.
  public static final int LARGEST = 32 * 1024 * 1024;

  /// What it may have packed: a record of Kafka carries about a megabyte.
  public static final int LARGEST_PACKED = 600_000;

  private PackedWitness() {}

  /// The line, nothing if it would be too long to travel.
  ///
  /// @param kind capital letters and `_`
  public static Optional<String> line(String kind, byte[] bytes) {
    if (bytes.length > LARGEST) {
      return Optional.empty();
    }
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return packed.size() > LARGEST_PACKED
        ? Optional.empty()
        : Optional.of(
            START + kind + " " + Base64.getEncoder().encodeToString(packed.toByteArray()));
  }
}
