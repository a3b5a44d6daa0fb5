package io.ringside.standalone.analyze;

import io.ringside.standalone.input.Inputs;
import java.io.IOException;

/// Judges recorded files.
interface Analyzer {
  /// @throws IOException when a file cannot be read after all
  /// @throws InterruptedException when the user does not want to wait
  Analysis analyze(Inputs inputs, Labels labels, Progress progress)
      throws IOException, InterruptedException;
}
