package io.ringside.streams.state;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Factory;

/// Bytes compressed as an LZ4 block, ten times as fast as {@link Deflated}: Kafka's clients bring
/// it along and would compress them on the way to the changelog anyway, but what the store holds in
/// memory would stay as it is.
final class Lz4 {
  private static final LZ4Factory LZ4 = LZ4Factory.fastestInstance();

  /// A byte of the format stands for 255 at the most.
  private static final long MOST_RATIO = 255;

  private Lz4() {}

  /// Four bytes of length, and the block.
  static byte[] pack(byte[] plain) {
    var packed = LZ4.fastCompressor().compress(plain);
    return ByteBuffer.allocate(Integer.BYTES + packed.length)
        .putInt(plain.length)
        .put(packed)
        .array();
  }

  static byte[] unpack(byte[] packed) {
    int length = ByteBuffer.wrap(packed).getInt();
    if (length < 0 || length > MOST_RATIO * packed.length) {
      throw new IllegalArgumentException(
          "%d bytes cannot be packed in %d".formatted(length, packed.length));
    }
    var plain = new byte[length];
    LZ4.safeDecompressor()
        .decompress(packed, Integer.BYTES, packed.length - Integer.BYTES, plain, 0);
    return plain;
  }
}
