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
    var csv = new NvidiaSmiCsv(labels.cluster(), file.node(), labels.zone());
    long samples = 0;
    try (var text = RecordedText.open(file.path())) {
      for (var line = text.next(); line.isPresent(); line = text.next()) {
        var sample = csv.line(line.get());
        sample.ifPresent(sink);
        samples += sample.isPresent() ? 1 : 0;
      }
    }
    var last = csv.finish();
    last.ifPresent(sink);
    return samples + (last.isPresent() ? 1 : 0);
  }

  /// The first sample, without reading further.
  Optional<GpuSample> first() throws IOException {
    var csv = new NvidiaSmiCsv(labels.cluster(), file.node(), labels.zone());
    try (var text = RecordedText.open(file.path())) {
      for (var line = text.next(); line.isPresent(); line = text.next()) {
        var sample = csv.line(line.get());
        if (sample.isPresent()) {
          return sample;
        }
      }
    }
    return csv.finish();
  }
}
