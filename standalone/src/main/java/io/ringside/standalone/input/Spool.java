package io.ringside.standalone.input;

import io.ringside.standalone.broker.ScratchFolder;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Holds input that is unpacked or comes through a pipe until it is read, in a temporary folder
/// that is deleted on close. Its size is limited. Not thread-safe.
public final class Spool implements AutoCloseable {
  /// Limit of the bytes of all inputs together.
  static final long MOST_BYTES = 16L << 30;

  static final int MOST_FILES = 200_000;

  /// Bytes that must stay free on the disk.
  private static final long LEFT_FREE = 256L << 20;

  /// Limit of unpacked to packed size. Logs pack to a tenth or a fiftieth; more than this is an
  /// archive bomb.
  static final int MOST_TIMES = 400;

  /// Unpacked bytes below which the ratio is not checked.
  private static final long SMALL = 64L << 20;

  private static final int BUFFER = 128 << 10;

  private final InputStream stdin;
  private final long mostBytes;
  private final byte[] buffer = new byte[BUFFER];
  private @Nullable ScratchFolder scratch;
  private long bytes;
  private int files;
  private int folders;

  /// @param stdin input for the name `-`
  public Spool(InputStream stdin) {
    this(stdin, MOST_BYTES);
  }

  /// @param mostBytes limit of bytes held
  Spool(InputStream stdin, long mostBytes) {
    this.stdin = stdin;
    this.mostBytes = mostBytes;
  }

  InputStream stdin() {
    return stdin;
  }

  /// A new empty folder.
  Path folder() throws IOException {
    if (scratch == null) {
      scratch = ScratchFolder.create("ringside-input-");
    }
    return Files.createDirectories(scratch.path().resolve(String.valueOf(folders++)));
  }

  /// Writes the whole stream into a file.
  ///
  /// @param packed size of the packed data in bytes, 0 if it is not packed
  /// @throws TooMuch if it exceeds a limit
  long take(InputStream in, Path file, long packed) throws IOException {
    countFile();
    long taken = 0;
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        taken += n;
        check(n, taken, packed, file);
        out.write(buffer, 0, n);
      }
    }
    return taken;
  }

  /// Opens a new file, whose bytes count as held.
  ///
  /// @return a stream that throws [TooMuch] if a limit is exceeded
  OutputStream file(Path file) throws IOException {
    countFile();
    return new FilterOutputStream(new BufferedOutputStream(Files.newOutputStream(file))) {
      @Override
      public void write(byte[] from, int at, int length) throws IOException {
        check(length, 0, 0, file);
        out.write(from, at, length);
      }
    };
  }

  private void countFile() throws TooMuch {
    if (++files > MOST_FILES) {
      throw new TooMuch("it holds more than %,d files".formatted(MOST_FILES));
    }
  }

  private void check(int more, long taken, long packed, Path file) throws IOException {
    bytes += more;
    if (packed > 0 && taken > SMALL && taken > packed * MOST_TIMES) {
      throw new TooMuch(
          "it unpacks to more than %d times its size, as an archive bomb does"
              .formatted(MOST_TIMES));
    }
    boolean full =
        bytes % (16 << 20) < more && Files.getFileStore(file).getUsableSpace() < LEFT_FREE;
    if (bytes > mostBytes || full) {
      throw new TooMuch(
          full
              ? "the temporary folder has no room for it (java.io.tmpdir)"
              : "it takes more than %,d MB of temporary space".formatted(mostBytes >> 20));
    }
  }

  @Override
  public void close() {
    if (scratch != null) {
      scratch.close();
    }
  }

  /// A limit is exceeded; the message says which.
  static final class TooMuch extends IOException {
    private static final long serialVersionUID = 1L;

    TooMuch(String message) {
      super(message);
    }
  }
}
