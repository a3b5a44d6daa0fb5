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

/// One log that is complete, chunk by chunk: first an empty chunk that announces it, at last one
/// with `end`. The parts that rotation made of it are read as if they had never been cut. Not
/// thread-safe; one thread may begin and another go on.
public final class RecordedReader implements Closeable {
  /// When a recording is read says nothing about when it was written; one value keeps equal input
  /// equal.
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

  /// The chunk before all others.
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

  /// Hands on up to so many chunks.
  ///
  /// @return false if the last one was among them
  /// @throws IOException names the file that cannot be read on
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
                  // what is left of the buffer may be less than a chunk: how much is read ahead
                  // must not tell
                  // where chunks end
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

  /// The chunk after all others, where reading on is given up.
  public LogChunk closing(Workspace work) throws IOException {
    close();
    return reader.closing(work, READ_AT, true);
  }

  /// The newest part, by whose name the log goes.
  public Path file() {
    return log.file();
  }

  /// What kept the end of a compressed file from being unpacked, once the last chunk was handed on.
  public Optional<IOException> damage() {
    return Optional.ofNullable(damage);
  }

  /// Where each part begins that was reached so far, in bytes from the beginning of the first.
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
