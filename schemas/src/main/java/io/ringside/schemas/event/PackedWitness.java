package io.ringside.schemas.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// A witness's answer packed into one line of a chunk, so that the sender need not understand it.
///
/// The form is `ringside-witness 1 RAS H4sIA…`: the kind, then the bytes gzipped and in base 64.
public final class PackedWitness {
  /// Beginning of such a line.
  public static final String START = "ringside-witness 1 ";

  /// An answer of NCCL's RAS.
  public static final String RAS = "RAS";

  private static final String MEMORY = "memory cannot fail";

  /// Most bytes of a line after unpacking.
  public static final int LARGEST = 32 * 1024 * 1024;

  /// Most bytes after packing: a Kafka record holds about a megabyte.
  public static final int LARGEST_PACKED = 600_000;

  /// A dump of PyTorch's flight recorder.
  public static final String FLIGHT_RECORDER = "FLIGHT_RECORDER";

  /// Lines of NCCL Inspector.
  public static final String INSPECTOR = "INSPECTOR";

  /// Bytes sent of a dump that is too large: enough to see that it is a dump. Its rank then counts
  /// as one that cannot be read, not as one without a dump, which could be blamed for that.
  public static final int BEGINNING = 1024;

  private PackedWitness() {}

  /// The line; empty if it would be too long for a record.
  ///
  /// @param kind capital letters and `_`
  public static Optional<String> line(String kind, byte[] bytes) {
    var packing = new Packing();
    packing.add(bytes, bytes.length);
    return packing.line(kind);
  }

  /// Packs bytes block by block, and holds no more than a line may have. Not thread-safe.
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

    /// The line; empty if it would be too long for a record.
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
