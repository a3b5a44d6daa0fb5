package io.ringside.standalone.broker;

import java.nio.file.Path;

/// A folder for the files of a running process: until it ends, or kept for the next time.
public sealed interface WorkFolder extends AutoCloseable permits KeptFolder, ScratchFolder {
  Path path();

  /// Releases the folder, with or without deleting its content.
  @Override
  void close();
}
