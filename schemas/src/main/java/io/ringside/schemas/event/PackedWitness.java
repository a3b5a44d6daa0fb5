package io.ringside.schemas.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// What a witness said, as one line of a chunk: packed, so that whoever sends it need not
/// understand it.
///
/// `ringside-witness 1 RAS H4sIA…`: the kind, and the bytes packed and in base 64.
public final class PackedWitness {
  /// How such a line begins.
  public static final String START = "ringside-witness 1 ";

  /// NCCL's RAS, what it answered.
  public static final String RAS = "RAS";

  private static final String MEMORY = "memory cannot fail";

  /// What a line may hold once unpacked.
  public static final int LARGEST = 32 * 1024 * 1024;

  /// What it may have packed: a record of Kafka carries about a megabyte.
  public static final int LARGEST_PACKED = 600_000;

  /// A dump of PyTorch's flight recorder.
  public static final String FLIGHT_RECORDER = "FLIGHT_RECORDER";

  /// Lines of NCCL Inspector.
  public static final String INSPECTOR = "INSPECTOR";

  /// Of a dump that is too large: enough to see that it is one. Its rank is mute then, and not
  /// missing: a rank without a dump may be accused for that.
  public static final int BEGINNING = 1024;

  private PackedWitness() {}

  /// The line, nothing if it would be too long to travel.
  ///
  /// @param kind capital letters and `_`
  public static Optional<String> line(String kind, byte[] bytes) {
    var packing = new Packing();
    packing.add(bytes, bytes.length);
    return packing.line(kind);
  }

  /// Packs what comes in blocks, and holds no more than a line may. Not thread-safe.
  public static final class Packing {
    private final ByteArrayOutputStream packed = new ByteArrayOutputStream();
    private final GZIPOutputStream out;
    private long bytes;

    public Packing() {
      try {
        out = new GZIPOutputStream(packed);
      } catch (IOException e) {
        throw new UncheckedIOException(MEMORY, e);
      }
    }

    /// Takes the next bytes.
    ///
    /// @return whether there is room for more
    public boolean add(byte[] block, int length) {
      bytes += length;
      if (fits()) {
        try {
          out.write(block, 0, length);
        } catch (IOException e) {
          throw new UncheckedIOException(MEMORY, e);
        }
      }
      return fits();
    }

    private boolean fits() {
      return bytes <= LARGEST && packed.size() <= LARGEST_PACKED;
    }

    /// The line, nothing if it would be too long to travel.
    public Optional<String> line(String kind) {
      try {
        out.close();
      } catch (IOException e) {
        throw new UncheckedIOException(MEMORY, e);
      }
      return fits()
          ? Optional.of(
              START + kind + " " + Base64.getEncoder().encodeToString(packed.toByteArray()))
          : Optional.empty();
    }
  }
}
