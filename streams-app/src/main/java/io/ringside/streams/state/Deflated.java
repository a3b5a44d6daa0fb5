package io.ringside.streams.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// Bytes compressed as fast as the JDK can.
final class Deflated {
  private Deflated() {}

  static byte[] deflate(byte[] plain) {
    var deflater = new Deflater(Deflater.BEST_SPEED);
    var out = new ByteArrayOutputStream(plain.length / 8 + 64);
    try (var packed = new DeflaterOutputStream(out, deflater, 64 << 10)) {
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
