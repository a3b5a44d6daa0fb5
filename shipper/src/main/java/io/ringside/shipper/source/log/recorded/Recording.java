package io.ringside.shipper.source.log.recorded;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.chunk.ChunkForm;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.ChunkReader;
import io.ringside.shipper.source.log.chunk.LineDecoder;
import io.ringside.shipper.source.log.chunk.Workspace;
import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.file.GzipBytes;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ships log files that are complete, as fast as they are taken, and always in the same order: first
/// an empty chunk for each file, so that every source is known before any line is judged, then one
/// chunk of each file in turn until all are at their end. The last chunk of a file has `end`.
///
/// Memory does not depend on the size of files or lines: 64 KiB of a line are kept, the rest is
/// dropped and its chunk says so.
public final class Recording {
  /// Above this many files each is opened again for each chunk.
  private static final int KEPT_OPEN = 500;

  private Recording() {}

  /// Ships everything and returns when the sink has taken the last chunk. The epoch of each file is
  /// 0, `live` is false.
  ///
  /// @throws IOException names the file that cannot be read
  public static void ship(List<RecordedLog> logs, ChunkSink sink, ReadProgress progress)
      throws IOException {
    ship(logs, ChunkLimits.DEFAULT, sink, progress, new LineCounts());
  }

  /// The same with other limits, and counting.
  public static void ship(
      List<RecordedLog> logs,
      ChunkLimits limits,
      ChunkSink sink,
      ReadProgress progress,
      LineCounts counts)
      throws IOException {
    var work = new Workspace<>(ChunkForm.record(), limits, counts);
    var opened = new ArrayList<RecordedFile>();
    try {
      for (RecordedLog log : logs) {
        opened.add(new RecordedFile(log, limits, counts, logs.size() <= KEPT_OPEN));
        opened.getLast().announce(work, sink);
      }
      var turns = new ArrayDeque<>(opened);
      while (!turns.isEmpty()) {
        RecordedFile file = turns.removeFirst();
        if (file.shipNext(work, sink, progress)) {
          turns.addLast(file);
        }
      }
    } finally {
      for (RecordedFile file : opened) {
        file.close();
      }
    }
  }

  /// When a recording is read says nothing about when it was written; one value keeps equal input
  /// equal.
  private static final Instant READ_AT = Instant.EPOCH;

  private static final class RecordedFile {
    private final Path file;
    private final ChunkReader reader;
    private final boolean keepOpen;
    private @Nullable ByteSource bytes;
    private long diskBytes;

    RecordedFile(RecordedLog log, ChunkLimits limits, LineCounts counts, boolean keepOpen) {
      this.file = log.file();
      this.reader = new ChunkReader(log.source(), 0, limits, counts);
      this.keepOpen = keepOpen || ByteSource.isGzip(file);
    }

    void announce(Workspace<LogChunk> work, ChunkSink sink) throws IOException {
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        throw new IOException("cannot read " + file + reason());
      }
      sink.accept(reader.announcement(work, READ_AT));
    }

    private String reason() {
      if (!Files.exists(file)) {
        return ": no such file";
      }
      return Files.isDirectory(file) ? ": it is a directory" : ": permission denied";
    }

    /// Ships one chunk; false if it was the last.
    boolean shipNext(Workspace<LogChunk> work, ChunkSink sink, ReadProgress progress)
        throws IOException {
      boolean[] taken = {false};
      try {
        while (!taken[0]) {
          var found =
              reader.read(
                  open(),
                  work,
                  LineDecoder.Flush.ALL,
                  READ_AT,
                  false,
                  chunk -> {
                    taken[0] = true;
                    sink.accept(chunk);
                    return false;
                  });
          report(progress);
          if (found == ChunkReader.Found.END) {
            if (bytes instanceof GzipBytes packed) {
              packed.throwDamage();
            }
            sink.accept(reader.closing(work, READ_AT, true));
            close();
            return false;
          }
        }
        if (!keepOpen) {
          close();
        }
        return true;
      } catch (IOException e) {
        throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
      }
    }

    private ByteSource open() throws IOException {
      if (bytes == null) {
        bytes = ByteSource.open(file);
      }
      return bytes;
    }

    private void report(ReadProgress progress) {
      if (bytes != null) {
        long read = ByteSource.isGzip(file) ? bytes.diskBytes() : reader.position();
        if (read > diskBytes) {
          progress.read(read - diskBytes);
          diskBytes = read;
        }
      }
    }

    void close() throws IOException {
      if (bytes != null) {
        bytes.close();
        bytes = null;
      }
    }
  }
}
