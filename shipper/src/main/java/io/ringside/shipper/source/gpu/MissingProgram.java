package io.ringside.shipper.source.gpu;

import java.io.IOException;

/// The program cannot be started: it does not exist or may not be executed.
final class MissingProgram extends IOException {
  private static final long serialVersionUID = 1L;

  MissingProgram(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
