package io.ringside.standalone.demo;

import io.ringside.schemas.event.GpuSample;

/// Something that was recorded and when it is played again.
sealed interface Played {
  /// After the start of the incident.
  long nanos();

  /// The same at another moment.
  Played at(long nanos);

  /// A line of a log.
  ///
  /// @param folder the pod's
  /// @param text without the container runtime's stamp: `stdout F …`
  record Line(String folder, long nanos, String text) implements Played {
    @Override
    public Line at(long nanos) {
      return new Line(folder, nanos, text);
    }
  }

  /// One poll of nvidia-smi.
  record Gpus(long nanos, GpuSample sample) implements Played {
    @Override
    public Gpus at(long nanos) {
      return new Gpus(nanos, sample);
    }
  }
}
