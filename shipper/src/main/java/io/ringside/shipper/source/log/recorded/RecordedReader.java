package io.ringside.shipper.source.log.recorded;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.ChunkReader;
import io.ringside.shipper.source.log.chunk.LineDecoder;
import io.ringside.shipper.source.log.chunk.Workspace;
import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.file.JoinedBytes;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Reads one complete log chunk by chunk: first an empty chunk that announces it, at last one with
/// `end`. The parts of a rotated log are read as one. Not thread-safe, but threads may take turns.
public final class RecordedReader implements Closeable {
  /// Constant read time: the time at which a recording is read says nothing about when it was
  /// written, and a constant makes equal input give equal chunks.
  private static final Instant READ_AT = Instant.EPOCH;

  private final RecordedLog log;
  private final ChunkReader reader;
  private final boolean keepOpen;
  private @Nullable ByteSource bytes;
  private @Nullable IOException damage;
  private long diskBytes;
  private long[] starts = {0};

  /// @param keepOpen whether the file stays open between chunks; a compressed one always does
  public RecordedReader(RecordedLog log, ChunkLimits limits, LineCounts counts, boolean keepOpen) {
    this.log = log;
    this.reader = new ChunkReader(log.source(), 0, limits, counts);
    this.keepOpen =
        keepOpen || log.parts().size() > 1 || log.parts().stream().anyMatch(ByteSource::isGzip);
  }

  /// The empty first chunk.
  ///
  /// @throws IOException if the log cannot be read
  public LogChunk announcement(Workspace work) throws IOException {
    for (var part : log.parts()) {
      if (!Files.isRegularFile(part) || !Files.isReadable(part)) {
        throw new IOException("cannot read " + part + reason(part));
      }
    }
    return reader.announcement(work, READ_AT);
  }

  private static String reason(Path part) {
    if (!Files.exists(part)) {
      return ": no such file";
    }
    return Files.isDirectory(part) ? ": it is a directory" : ": permission denied";
  }

  /// Hands on up to the given number of chunks.
  ///
  /// @return false if the last chunk was among them
  /// @throws IOException with the file's name, if it cannot be read further
  public boolean next(Workspace work, int most, Consumer<LogChunk> sink, LongConsumer progress)
      throws IOException {
    int[] left = {most};
    work.readAhead(keepOpen ? most : 1);
    try {
      while (left[0] > 0) {
        var found =
            reader.read(
                open(),
                work,
                LineDecoder.Flush.ALL,
                READ_AT,
                false,
                chunk -> {
                  left[0]--;
                  sink.accept(chunk);
                  // stop after each chunk: the rest of the buffer may be less than a chunk, and
                  // where chunks end must not depend on how much is read ahead
                  return false;
                });
        report(progress);
        if (found == ChunkReader.Found.END) {
          damage = open().damage();
          sink.accept(closing(work));
          return false;
        }
      }
      if (!keepOpen) {
        close();
      }
      return true;
    } catch (IOException e) {
      throw new IOException("cannot read " + log.file() + ": " + e.getMessage(), e);
    }
  }

  /// The last chunk, if the rest of the log is not read.
  public LogChunk closing(Workspace work) throws IOException {
    close();
    return reader.closing(work, READ_AT, true);
  }

  /// The newest part, whose name stands for the log.
  public Path file() {
    return log.file();
  }

  /// The error that prevented unpacking the end of a compressed file. Known once the last chunk was
  /// handed on.
  public Optional<IOException> damage() {
    return Optional.ofNullable(damage);
  }

  /// Start offset of each part reached so far, in bytes from the beginning of the first.
  public long[] partStarts() {
    return bytes instanceof JoinedBytes joined ? joined.starts() : starts;
  }

  private ByteSource open() throws IOException {
    if (bytes == null) {
      bytes =
          log.parts().size() == 1 ? ByteSource.recorded(log.file()) : new JoinedBytes(log.parts());
    }
    return bytes;
  }

  private void report(LongConsumer progress) {
    if (bytes != null) {
      long read = keepOpen ? bytes.diskBytes() : reader.position();
      if (read > diskBytes) {
        progress.accept(read - diskBytes);
        diskBytes = read;
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (bytes != null) {
      starts = partStarts();
      bytes.close();
      bytes = null;
    }
  }
}
