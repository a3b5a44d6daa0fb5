package io.ringside.benchmarks.service;

import java.io.IOException;
import java.util.List;

/// Lines of many files in the order in which they were written.
interface Turns extends AutoCloseable {
  /// Some lines that one rank wrote at once.
  ///
  /// @param host index of its node
  record Turn(int host, String job, String pod, List<String> lines) {}

  /// The next lines; endless.
  Turn next() throws IOException;

  @Override
  void close() throws IOException;
}
