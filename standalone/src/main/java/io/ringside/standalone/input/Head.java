package io.ringside.standalone.input;

import io.ringside.shipper.source.log.file.ByteSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// The first bytes of a file, unpacked if its name ends with `.gz`, as the log reader does.
///
/// @param bytes up to {@link #SIZE}
/// @param whole whether these are all bytes of the file
record Head(byte[] bytes, boolean whole) {
  /// Number of bytes that suffice to recognise a file.
  static final int SIZE = 64 * 1024;

  /// @throws ZipException if a `.gz` file is not gzip
  /// @throws IOException if the file cannot be read
  static Head of(Path file) throws IOException {
    try (var raw = Files.newInputStream(file);
        var in = ByteSource.isGzip(file) ? new GZIPInputStream(raw) : raw) {
      return read(in);
    }
  }

  private static Head read(InputStream in) throws IOException {
    var bytes = in.readNBytes(SIZE);
    return new Head(bytes, bytes.length < SIZE || in.read() < 0);
  }
}
