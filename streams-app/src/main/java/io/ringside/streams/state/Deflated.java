package io.ringside.streams.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// Compresses bytes at the JDK's fastest level.
final class Deflated {
  /// Samples shrink to a quarter, so one buffer of that size is enough. A buffer of 64 KiB for each
  /// sample made up a seventh of all that the service allocates.
  private static final int PIECE_SHARE = 4;

  private static final int LEAST_PIECE = 512;

  private Deflated() {}

  static byte[] deflate(byte[] plain) {
    var deflater = new Deflater(Deflater.BEST_SPEED);
    var out = new ByteArrayOutputStream(plain.length / 8 + 64);
    int piece = Math.max(LEAST_PIECE, plain.length / PIECE_SHARE);
    try (var packed = new DeflaterOutputStream(out, deflater, piece)) {
      packed.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  static byte[] inflate(byte[] packed) {
    try (var in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
