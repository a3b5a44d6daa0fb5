package io.ringside.streams.state;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Factory;

/// Compresses bytes as an LZ4 block, ten times as fast as {@link Deflated}. The library comes with
/// Kafka's clients. They would compress the bytes on the way to the changelog anyway, but the store
/// would hold them in memory uncompressed.
final class Lz4 {
  private static final LZ4Factory LZ4 = LZ4Factory.fastestInstance();

  /// One byte of the format stands for at most 255 plain bytes.
  private static final long MOST_RATIO = 255;

  private Lz4() {}

  /// Returns four bytes for the plain length, then the block.
  static byte[] pack(byte[] plain) {
    var packed = LZ4.fastCompressor().compress(plain);
    return ByteBuffer.allocate(Integer.BYTES + packed.length)
        .putInt(plain.length)
        .put(packed)
        .array();
  }

  static byte[] unpack(byte[] packed) {
    return unpack(packed, 0);
  }

  /// The same of what begins at this index.
  static byte[] unpack(byte[] packed, int from) {
    int length = ByteBuffer.wrap(packed).getInt(from);
    if (length < 0 || length > MOST_RATIO * packed.length) {
      throw new IllegalArgumentException(
          "%d bytes cannot be packed in %d".formatted(length, packed.length));
    }
    var plain = new byte[length];
    int unpacked =
        LZ4.safeDecompressor()
            .decompress(
                packed, from + Integer.BYTES, packed.length - from - Integer.BYTES, plain, 0);
    if (unpacked != length) {
      throw new IllegalArgumentException("%d of %d bytes".formatted(unpacked, length));
    }
    return plain;
  }
}
