package io.ringside.shipper.source.log.file;

import io.ringside.shipper.source.export.Export;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The bytes of one log file, uncompressed, by their offset.
public sealed interface ByteSource extends Closeable permits PlainBytes, GzipBytes, JoinedBytes {
  /// Opens a file. A file whose name ends with `.gz` is unpacked while it is read.
  static ByteSource open(Path file) throws IOException {
    return isGzip(file) ? new GzipBytes(file) : new PlainBytes(file);
  }

  /// Like {@link #open}, but fails if the path's last name is a symbolic link, even if it was
  /// replaced by one just now.
  static ByteSource openUnlinked(Path file) throws IOException {
    return isGzip(file)
        ? new GzipBytes(file, LinkOption.NOFOLLOW_LINKS)
        : new PlainBytes(file, LinkOption.NOFOLLOW_LINKS);
  }

  /// Opens a complete file. A file exported from a log store is read as the log lines it contains.
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

  /// Fills `into` with the bytes from `position` on. From call to call the position may stay or
  /// grow, but must not skip bytes.
  ///
  /// @return number of bytes read; fewer than `into` holds mean the current end of the file
  int read(byte[] into, long position) throws IOException;

  /// Bytes read from the disk so far; compressed bytes if the file is compressed.
  long diskBytes();

  /// The error that prevented unpacking the rest of a compressed file, null if there is none.
  default @Nullable IOException damage() {
    return null;
  }
}
