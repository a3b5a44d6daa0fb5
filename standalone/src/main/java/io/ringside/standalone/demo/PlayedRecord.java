package io.ringside.standalone.demo;

import io.ringside.schemas.event.GpuSample;

/// A recorded record and the time at which it is played.
sealed interface PlayedRecord {
  /// Nanoseconds after the start of the incident.
  long nanos();

  /// The same record at another time.
  PlayedRecord at(long nanos);

  /// A log line.
  ///
  /// @param folder the pod's folder
  /// @param text without the container runtime's timestamp: `stdout F …`
  record Line(String folder, long nanos, String text) implements PlayedRecord {
    @Override
    public Line at(long nanos) {
      return new Line(folder, nanos, text);
    }
  }

  /// One poll of nvidia-smi.
  record Gpus(long nanos, GpuSample sample) implements PlayedRecord {
    @Override
    public Gpus at(long nanos) {
      return new Gpus(nanos, sample);
    }
  }
}
