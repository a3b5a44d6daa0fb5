package io.ringside.benchmarks.service;

import java.io.IOException;
import java.util.HashMap;

/// Puts lines on the topics, by file, a line each 50 µs of event time.
///
/// @param singly whether each line becomes a record of its own as well
record Filling(BenchTopics topics, Turns source, boolean singly) {
  private static final long BEGIN = 1_764_000_000_000_000_000L;
  private static final long STEP = 50_000;

  void fill(int lines) throws IOException {
    var files = new HashMap<String, Chunker>();
    long at = BEGIN;
    int taken = 0;
    while (taken < lines) {
      var turn = source.next();
      var file =
          files.computeIfAbsent(turn.pod(), _ -> new Chunker(turn.host(), turn.job(), turn.pod()));
      for (var line : turn.lines()) {
        file.add(line, at).ifPresent(chunk -> topics.send(chunk, singly));
        at += STEP;
        taken++;
      }
    }
    for (var file : files.values()) {
      if (!file.isEmpty()) {
        topics.send(file.take(), singly);
      }
    }
  }
}
