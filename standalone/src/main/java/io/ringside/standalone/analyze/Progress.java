package io.ringside.standalone.analyze;

/// Hears how an analysis gets on. Called from one thread at a time.
interface Progress {
  /// So many bytes of all files were read so far.
  void read(long bytes, long of);

  /// So many records were judged so far; `of` may still grow.
  void judged(long records, long of);

  /// Nothing more comes.
  void done();
}
