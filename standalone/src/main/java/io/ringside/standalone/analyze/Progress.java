package io.ringside.standalone.analyze;

/// Receives the progress of an analysis. Called from one thread at a time.
interface Progress {
  /// The given number of bytes of all files has been read.
  void read(long bytes, long of);

  /// The given number of records has been judged; `of` may still grow.
  void judged(long records, long of);

  /// The analysis is finished.
  void done();
}
