package io.ringside.standalone.input;

import io.ringside.shipper.source.log.file.ByteSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// The first bytes of a file, unpacked if its name ends with `.gz`, as the log reader does.
///
/// @param bytes up to {@link #SIZE}; only the begin of a long run of NULs
/// @param whole whether these are all bytes of the file
record Head(byte[] bytes, boolean whole) {
  /// Number of bytes that suffice to recognise a file.
  static final int SIZE = 64 * 1024;

  /// Bytes that are kept of a run of NULs. A log that was emptied under a program that continues at
  /// its old offset has a hole as long as everything that the program had printed before: the text
  /// behind it tells what the file is.
  static final int HOLE = 512;

  /// Least distance from the file's begin where the search for text behind holes stops.
  private static final long FURTHEST = 64L << 20;

  /// @throws ZipException if a `.gz` file is not gzip
  /// @throws IOException if the file cannot be read
  static Head of(Path file) throws IOException {
    try (var raw = Files.newInputStream(file);
        var in = ByteSource.isGzip(file) ? new GZIPInputStream(raw) : raw) {
      return read(in);
    }
  }

  /// The last bytes of a file that is not packed.
  static byte[] end(Path file, int most) throws IOException {
    try (var channel = FileChannel.open(file)) {
      long from = Math.max(0, channel.size() - most);
      var bytes = ByteBuffer.allocate((int) Math.min(most, channel.size() - from));
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
        // until everything is read
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  private static Head read(InputStream in) throws IOException {
    var bytes = in.readNBytes(SIZE);
    boolean ended = bytes.length < SIZE;
    int length = closed(bytes, bytes.length);
    for (long read = SIZE; !ended && length < SIZE && read < FURTHEST; ) {
      int wanted = SIZE - length;
      int more = in.readNBytes(bytes, length, wanted);
      ended = more < wanted;
      length = closed(bytes, length + more);
      read += more;
    }
    boolean whole = ended || length == SIZE && in.read() < 0;
    return new Head(length == bytes.length ? bytes : Arrays.copyOf(bytes, length), whole);
  }

  /// Shortens long holes in place.
  ///
  /// @return how many bytes are left
  private static int closed(byte[] bytes, int length) {
    int kept = 0;
    int hole = 0;
    for (int i = 0; i < length; i++) {
      hole = bytes[i] == 0 ? hole + 1 : 0;
      if (hole <= HOLE) {
        bytes[kept++] = bytes[i];
      }
    }
    return kept;
  }
}
