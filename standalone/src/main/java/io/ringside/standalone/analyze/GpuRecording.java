package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.shipper.source.gpu.SmiText;
import io.ringside.standalone.input.InputFile;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/// A file with output of nvidia-smi, read as samples of its node.
record GpuRecording(InputFile file, Labels labels) {

  /// Passes on every sample in order; returns their number.
  long forEach(Consumer<GpuSample> sink) throws IOException {
    try (var samples = open()) {
      long count = 0;
      for (var next = samples.next(); next.isPresent(); next = samples.next()) {
        sink.accept(next.get());
        count++;
      }
      return count;
    }
  }

  /// The first sample, without reading further.
  Optional<GpuSample> first() throws IOException {
    try (var samples = open()) {
      return samples.next();
    }
  }

  Samples open() throws IOException {
    return new Samples(
        new SmiText(labels.cluster(), file.node(), labels.zone()), RecordedText.open(file.path()));
  }

  /// An open recording. Not thread-safe.
  static final class Samples implements AutoCloseable {
    private final SmiText smi;
    private final RecordedText text;

    private Samples(SmiText smi, RecordedText text) {
      this.smi = smi;
      this.text = text;
    }

    /// The next sample; empty at the end of the file.
    Optional<GpuSample> next() throws IOException {
      for (var line = text.next(); line.isPresent(); line = text.next()) {
        var sample = smi.line(line.get());
        if (sample.isPresent()) {
          return sample;
        }
      }
      return smi.finish();
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }
}
