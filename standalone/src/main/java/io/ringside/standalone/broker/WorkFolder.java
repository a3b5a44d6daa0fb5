package io.ringside.standalone.broker;

import java.nio.file.Path;

/// Where a process keeps its files while it runs: until it ends, or for the next time.
public sealed interface WorkFolder extends AutoCloseable permits KeptFolder, ScratchFolder {
  Path path();

  /// Lets go of it, with or without what is in it.
  @Override
  void close();
}
