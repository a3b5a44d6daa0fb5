package io.ringside.benchmarks.parse;

import io.ringside.streams.parse.LineParser;
import io.ringside.streams.parse.event.EventSink;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/// What a line costs the parser, warm, in processor time of its thread: unlike JMH's wall time it
/// can be taken beside other work. Prints nanoseconds a line, the best of several passes, for what
/// disturbs only adds.
final class ParserTime {
  private static final int LINES = 500_000;
  private static final int PASSES = 16;

  private ParserTime() {}

  /// @param args a file whose lines are read; made-up lines without one
  public static void main(String[] args) throws IOException {
    var chunks = Corpus.of(args.length == 0 ? "" : args[0], LINES).chunks();
    var thread = ManagementFactory.getThreadMXBean();
    long[] events = {0};
    EventSink sink = (head, event, start, end) -> events[0]++;
    long best = Long.MAX_VALUE;
    for (int pass = 0; pass < PASSES; pass++) {
      long begun = thread.getCurrentThreadCpuTime();
      for (var text : chunks) {
        var parser = new LineParser(text);
        for (int start = 0; start < text.length(); ) {
          int end = parser.lineEnd(start);
          parser.parse(start, end, sink);
          start = end + 1;
        }
      }
      best = Math.min(best, thread.getCurrentThreadCpuTime() - begun);
    }
    if (events[0] == 0) {
      throw new IllegalStateException("the parser found nothing");
    }
    System.out.printf("%.1f%n", (double) best / LINES);
  }
}
