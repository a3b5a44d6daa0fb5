package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.standalone.input.InputFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The recordings of one node's GPUs, one file after the other, some samples ahead of whoever takes them. A worker has
/// it, or its taker, never both.
final class SamplesAhead {
  /// Samples that are read at once: a quarter of an hour at one a second.
  private static final int AHEAD = 900;

  private final Deque<GpuRecording> rest = new ArrayDeque<>();
  private final Map<InputFile, Long> counts = new HashMap<>();
  private final Map<InputFile, IOException> failures = new HashMap<>();
  private GpuRecording.@Nullable Samples open;
  private @Nullable Future<List<GpuSample>> reading;

  /// Takes another file.
  void add(GpuRecording recording) {
    rest.add(recording);
  }

  /// Reads on, unless that is being done.
  void begin(Workers workers) {
    if (reading == null && !rest.isEmpty()) {
      reading = workers.begin(this::read);
    }
  }

  private List<GpuSample> read() {
    var samples = new ArrayList<GpuSample>();
    while (samples.size() < AHEAD && !rest.isEmpty()) {
      var recording = rest.getFirst();
      try {
        var from = open == null ? recording.open() : open;
        open = from;
        for (var next = from.next(); next.isPresent(); next = from.next()) {
          samples.add(next.get());
          counts.merge(recording.file(), 1L, Long::sum);
          if (samples.size() == AHEAD) {
            return samples;
          }
        }
      } catch (IOException e) {
        failures.put(recording.file(), e);
      }
      close();
      rest.removeFirst();
    }
    return samples;
  }

  /// Hands on what was read; false if it was the last. Only after {@link #begin}.
  boolean takeNext(Consumer<GpuSample> sink) throws InterruptedException {
    if (reading != null) {
      var read = Workers.result(reading);
      reading = null;
      read.forEach(sink);
    }
    return !rest.isEmpty();
  }

  /// How many samples a file has.
  ///
  /// @throws IOException why it could not be read to its end
  long count(InputFile file) throws IOException {
    var failure = failures.get(file);
    if (failure != null) {
      throw failure;
    }
    return counts.getOrDefault(file, 0L);
  }

  void close() {
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      // it was only read
    }
    open = null;
  }
}
