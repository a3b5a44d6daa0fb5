package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads one GPU recording, some samples ahead of the reader. Either a worker or the reader uses
/// it, never both at once.
final class SamplesAhead {
  /// Number of samples read at once: a quarter of an hour at one per second.
  private static final int AHEAD = 900;

  private final GpuRecording recording;
  private GpuRecording.@Nullable Samples open;
  private @Nullable Future<List<GpuSample>> reading;
  private @Nullable IOException failure;
  private long count;
  private boolean over;

  SamplesAhead(GpuRecording recording) {
    this.recording = recording;
  }

  /// Begins to read more, unless a read is running.
  void begin(Workers workers) {
    if (reading == null && !over) {
      reading = workers.begin(this::read);
    }
  }

  private List<GpuSample> read() {
    var samples = new ArrayList<GpuSample>();
    try {
      var from = open == null ? recording.open() : open;
      open = from;
      while (samples.size() < AHEAD) {
        var next = from.next();
        if (next.isEmpty()) {
          over = true;
          break;
        }
        samples.add(next.get());
      }
    } catch (IOException e) {
      failure = e;
      over = true;
    }
    count += samples.size();
    return samples;
  }

  /// Hands on the samples read. Returns false if they were the last. Call {@link #begin} before.
  boolean takeNext(Consumer<GpuSample> sink) throws InterruptedException {
    if (reading != null) {
      var read = Workers.result(reading);
      reading = null;
      read.forEach(sink);
    }
    if (over) {
      close();
    }
    return !over;
  }

  /// Number of samples.
  ///
  /// @throws IOException if they could not be read to their end
  long count() throws IOException {
    if (failure != null) {
      throw failure;
    }
    return count;
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
