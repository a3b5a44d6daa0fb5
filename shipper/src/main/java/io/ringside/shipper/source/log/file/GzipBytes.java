package io.ringside.shipper.source.log.file;

import io.ringside.shipper.source.export.Export;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// Reads a file that must be decoded, because it is compressed or exported from a log store. It is
/// decoded once, from its beginning. The last buffer is kept, since the line at its end may be read
/// again.
public final class GzipBytes implements ByteSource {
  private final CountedBytes disk;
  private final InputStream unpacked;
  private byte[] kept = {};
  private int keptLength;
  private @Nullable IOException damage;

  /// Offset of `kept[0]`.
  private long keptFrom;

  GzipBytes(Path file, LinkOption... links) throws IOException {
    this(file, null, links);
  }

  /// @param export format of the content, null for a plain log
  GzipBytes(Path file, @Nullable Export export, LinkOption... links) throws IOException {
    disk = new CountedBytes(Files.newInputStream(file, links));
    try {
      InputStream plain = ByteSource.isGzip(file) ? new GZIPInputStream(disk, 32 << 10) : disk;
      unpacked = export == null ? plain : export.lines(plain);
    } catch (IOException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  @Override
  public int read(byte[] into, long position) throws IOException {
    skipTo(position);
    int again = (int) (keptFrom + keptLength - position);
    System.arraycopy(kept, keptLength - again, into, 0, again);
    int read = again + unpack(into, again);
    if (kept.length < read) {
      kept = Arrays.copyOf(into, read);
    } else {
      System.arraycopy(into, 0, kept, 0, read);
    }
    keptFrom = position;
    keptLength = read;
    return read;
  }

  /// Fills the rest of the buffer. A truncated file ends at the damage.
  private int unpack(byte[] into, int from) throws IOException {
    int at = from;
    try {
      while (at < into.length && damage == null) {
        int n = unpacked.read(into, at, into.length - at);
        if (n < 0) {
          break;
        }
        at += n;
      }
    } catch (EOFException | ZipException e) {
      damage = e;
    }
    return at - from;
  }

  @Override
  public @Nullable IOException damage() {
    return damage;
  }

  private void skipTo(long position) throws IOException {
    if (position < keptFrom) {
      throw new IllegalArgumentException("offset %d was unpacked before".formatted(position));
    }
    long ahead = position - keptFrom - keptLength;
    if (ahead > 0) {
      unpacked.skipNBytes(ahead);
      keptFrom = position;
      keptLength = 0;
    }
  }

  @Override
  public long diskBytes() {
    return disk.count;
  }

  @Override
  public void close() throws IOException {
    unpacked.close();
  }

  private static final class CountedBytes extends FilterInputStream {
    private long count;

    CountedBytes(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      count += b < 0 ? 0 : 1;
      return b;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int n = super.read(into, from, length);
      count += Math.max(n, 0);
      return n;
    }
  }
}
