package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;
import org.apache.commons.io.input.ReaderInputStream;

/// How a file is packed, recognised by its first bytes regardless of its name. Text in UTF-16, as
/// PowerShell redirects it into files, counts as packed.
enum Packing {
  NONE,
  GZIP,
  ZSTD,
  BZIP2,
  UTF_16,
  TAR,
  ZIP;

  /// Offset of a tar archive's magic bytes.
  private static final int TAR_MAGIC_AT = 257;

  private static final int HEAD = 512;

  static Packing of(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return of(in.readNBytes(HEAD));
    }
  }

  static Packing of(byte[] head) {
    if (startsWith(head, 0, "\u001f\u008b")) {
      return GZIP;
    }
    if (startsWith(head, 0, "(\u00b5/\u00fd")) {
      return ZSTD;
    }
    if (startsWith(head, 0, "BZh")) {
      return BZIP2;
    }
    if (startsWith(head, 0, "\u00ff\u00fe") || startsWith(head, 0, "\u00fe\u00ff")) {
      return UTF_16;
    }
    if (startsWith(head, 0, "PK\u0003\u0004") || startsWith(head, 0, "PK\u0005\u0006")) {
      return ZIP;
    }
    return startsWith(head, TAR_MAGIC_AT, "ustar") ? TAR : NONE;
  }

  /// Whether the bytes at an offset equal the given magic bytes.
  static boolean startsWith(byte[] bytes, int at, String magic) {
    var wanted = magic.getBytes(ISO_8859_1);
    return bytes.length >= at + wanted.length
        && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length);
  }

  /// The file's bytes, unpacked if it is a single packed stream. The stream supports mark and
  /// reset.
  InputStream open(Path file) throws IOException {
    var raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      return switch (this) {
        case NONE, TAR, ZIP -> raw;
        // the JDK's reader returns what it has of a truncated file; the other library's does not
        case GZIP -> new BufferedInputStream(new GZIPInputStream(raw, 1 << 16), 1 << 16);
        case ZSTD -> new BufferedInputStream(new ZstdCompressorInputStream(raw), 1 << 16);
        case UTF_16 -> new BufferedInputStream(inUtf8(raw), 1 << 16);
        case BZIP2 -> new BufferedInputStream(new BZip2CompressorInputStream(raw, true), 1 << 16);
      };
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  private static InputStream inUtf8(InputStream raw) throws IOException {
    return ReaderInputStream.builder()
        .setReader(new InputStreamReader(raw, StandardCharsets.UTF_16))
        .setCharset(UTF_8)
        .get();
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether a tar archive follows in the stream. The stream's position does not change.
  static boolean holdsTar(InputStream in) throws IOException {
    in.mark(HEAD);
    var head = in.readNBytes(HEAD);
    in.reset();
    return of(head) == TAR;
  }
}
