package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.shipper.source.gpu.NvidiaSmiCsv;
import io.ringside.standalone.input.InputFile;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/// A file of `nvidia-smi --format=csv` as samples of its node.
record GpuRecording(InputFile file, Labels labels) {

  /// Gives every sample in order; returns how many there were.
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
        new NvidiaSmiCsv(labels.cluster(), file.node(), labels.zone()),
        RecordedText.open(file.path()));
  }

  /// The file while it is read. Not thread-safe.
  static final class Samples implements AutoCloseable {
    private final NvidiaSmiCsv csv;
    private final RecordedText text;

    private Samples(NvidiaSmiCsv csv, RecordedText text) {
      this.csv = csv;
      this.text = text;
    }

    /// The next sample; empty at the end of the file.
    Optional<GpuSample> next() throws IOException {
      for (var line = text.next(); line.isPresent(); line = text.next()) {
        var sample = csv.line(line.get());
        if (sample.isPresent()) {
          return sample;
        }
      }
      return csv.finish();
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }
}
