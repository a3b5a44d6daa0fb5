package io.ringside.standalone.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Marks in a line of a log what it is shown for.
final class KeyWords {
  private static final Pattern WORDS =
      Pattern.compile(
          "No eligible providers|Unable to find a protocol[^.]*|Initializing plugin failed|initialization failed"
              + "|Using network \\S+|via \\S+|NCCL (?:WARN|ERROR)|\\b(?:[A-Z]\\w*Error|Error|ERROR|error|FAILED|failed|timeout"
              + "|timed out)\\b|out of memory|Xid[^,:]*: \\d+|No space left on device|No device found"
              + "|(?:AllReduce|AllGather|ReduceScatter|Broadcast|Reduce|Send|Recv|AlltoAll|Gather|Scatter)(?=: opCount)"
              + "|nNodes \\d+|localRanks \\d+|OpType=\\w+|SeqNum=\\d+");

  private KeyWords() {}

  /// What is marked; the page marks the same (keywords.js).
  static String pattern() {
    return WORDS.pattern();
  }

  /// The line in pieces, key words in another ink.
  static List<Span> marked(String line) {
    var pieces = new ArrayList<Span>();
    var matcher = WORDS.matcher(line);
    int from = 0;
    while (matcher.find()) {
      if (matcher.start() > from) {
        pieces.add(Span.plain(line.substring(from, matcher.start())));
      }
      pieces.add(Span.strong(matcher.group()));
      from = matcher.end();
    }
    if (from < line.length() || line.isEmpty()) {
      pieces.add(Span.plain(line.substring(from)));
    }
    return pieces;
  }
}
