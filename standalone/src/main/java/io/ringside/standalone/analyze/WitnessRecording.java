package io.ringside.standalone.analyze;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.Text;
import io.ringside.standalone.input.InputFile;
import io.ringside.streams.witness.WitnessFile;
import io.ringside.streams.witness.WitnessLine;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/// A witness's file as chunks of the jobs whose logs lie beside it. Dumps and RAS answers are sent
/// whole, the Inspector's lines in pieces.
record WitnessRecording(InputFile file, WitnessJobs jobs) {
  private static final int HEAD = 64 * 1024;

  /// Bytes of a piece of lines; packed they take a tenth.
  private static final int PIECE = 4 * 1024 * 1024;

  /// Passes on every chunk in order.
  ///
  /// @return false if the file is too large for a record
  boolean forEach(Consumer<LogChunk> sink) throws IOException {
    try (var in = open()) {
      in.mark(HEAD);
      var kind = WitnessFile.of(in.readNBytes(HEAD - 1));
      in.reset();
      if (kind.isEmpty()) {
        return false;
      }
      var lines = new ArrayList<String>();
      boolean fits =
          kind.get() == WitnessFile.INSPECTOR
              ? pieces(kind.get(), in, lines)
              : piece(kind.get(), in.readNBytes(WitnessLine.LARGEST + 1), lines);
      for (var source : jobs.of(file)) {
        ship(source, lines, sink);
      }
      return fits;
    }
  }

  private InputStream open() throws IOException {
    var raw = Files.newInputStream(file.path());
    return new BufferedInputStream(
        file.path().toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw, 2 * HEAD);
  }

  /// Splits the content at line ends.
  private static boolean pieces(WitnessFile kind, InputStream in, List<String> lines)
      throws IOException {
    boolean fits = true;
    var rest = new byte[0];
    while (true) {
      var read = in.readNBytes(PIECE);
      if (read.length == 0) {
        return piece(kind, rest, lines) && fits;
      }
      var all = Arrays.copyOf(rest, rest.length + read.length);
      System.arraycopy(read, 0, all, rest.length, read.length);
      int end = all.length;
      while (end > 0 && all[end - 1] != '\n') {
        end--;
      }
      fits &= piece(kind, Arrays.copyOf(all, end), lines);
      rest = Arrays.copyOfRange(all, end, all.length);
      if (rest.length > PIECE) {
        return false;
      }
    }
  }

  private static boolean piece(WitnessFile kind, byte[] bytes, List<String> lines) {
    if (bytes.length == 0) {
      return true;
    }
    var line = WitnessLine.of(kind, bytes);
    if (line.isEmpty() && kind == WitnessFile.FLIGHT_RECORDER) {
      WitnessLine.of(kind, Arrays.copyOf(bytes, PackedWitness.BEGINNING)).ifPresent(lines::add);
    }
    line.ifPresent(lines::add);
    return line.isPresent();
  }

  private static void ship(LogSource source, List<String> lines, Consumer<LogChunk> sink) {
    long offset = 0;
    for (int i = 0; i < lines.size(); i++) {
      var text = Text.of(lines.get(i));
      sink.accept(chunk(source, i, offset, text, new int[] {0}, false));
      offset += text.length() + 1;
    }
  }

  /// A chunk that marks the end of a job without logs.
  static LogChunk closing(LogSource job) {
    return chunk(job, 0, 0, Text.of(""), new int[0], true);
  }

  private static LogChunk chunk(
      LogSource source, long sequence, long offset, Text text, int[] offsets, boolean end) {
    return new LogChunk(
        source,
        0,
        sequence,
        offset,
        end ? offset : offset + text.length() + 1,
        Instant.EPOCH,
        false,
        end,
        text,
        offsets,
        0,
        new long[0],
        new int[0]);
  }
}
