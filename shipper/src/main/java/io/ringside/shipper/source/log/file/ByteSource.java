package io.ringside.shipper.source.log.file;

import io.ringside.shipper.source.export.Export;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The bytes of one log file, uncompressed, by their offset.
public sealed interface ByteSource extends Closeable permits PlainBytes, GzipBytes, JoinedBytes {
  /// Opens a file; one whose name ends with `.gz` is unpacked while it is read.
  static ByteSource open(Path file) throws IOException {
    return isGzip(file) ? new GzipBytes(file) : new PlainBytes(file);
  }

  /// The same for a path whose last name is no link: not even if it was replaced by one just now.
  static ByteSource openUnlinked(Path file) throws IOException {
    return isGzip(file)
        ? new GzipBytes(file, LinkOption.NOFOLLOW_LINKS)
        : new PlainBytes(file, LinkOption.NOFOLLOW_LINKS);
  }

  /// Opens a file that is complete; one that was exported from a log store reads as the lines that
  /// it holds.
  static ByteSource recorded(Path file) throws IOException {
    Export export;
    try (var bytes = open(file)) {
      byte[] head = new byte[Export.HEAD];
      export = Export.recognise(head, bytes.read(head, 0));
    }
    return export == null ? open(file) : new GzipBytes(file, export);
  }

  /// Whether this file is unpacked by {@link #open}.
  static boolean isGzip(Path file) {
    return file.toString().endsWith(".gz");
  }

  /// Fills `into` with what lies from `position` on. Positions may stay or grow from call to call,
  /// and a gap is never left.
  ///
  /// @return how many bytes there were; fewer than `into` has room for means the present end
  int read(byte[] into, long position) throws IOException;

  /// Bytes taken from the disk so far: compressed ones where the file is compressed.
  long diskBytes();

  /// What kept the rest of a compressed file from being unpacked, if something did.
  default @Nullable IOException damage() {
    return null;
  }
}
