package io.ringside.standalone.analyze;

import io.ringside.standalone.input.Inputs;
import java.io.IOException;

/// Judges recorded files.
interface Analyzer {
  /// @throws IOException if a file unexpectedly cannot be read
  /// @throws InterruptedException if the user stops the analysis
  Analysis analyze(Inputs inputs, Labels labels, Progress progress)
      throws IOException, InterruptedException;
}
