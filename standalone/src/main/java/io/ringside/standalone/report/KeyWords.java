package io.ringside.standalone.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Highlights in a log line the words that it is shown for.
final class KeyWords {
  private static final Pattern WORDS =
      Pattern.compile(
          "No eligible providers|Unable to find a protocol[^.]*|Initializing plugin failed|initialization failed"
              + "|Using network \\S+|via \\S+|NCCL (?:WARN|ERROR)|\\b(?:[A-Z]\\w*Error|Error|ERROR|error|FAILED|failed|timeout"
              + "|timed out)\\b|out of memory|Xid[^,:]*: \\d+|No space left on device|No device found"
              + "|(?:AllReduce|AllGather|ReduceScatter|Broadcast|Reduce|Send|Recv|AlltoAll|Gather|Scatter)(?=: opCount)"
              + "|nNodes \\d+|localRanks \\d+|OpType=\\w+|SeqNum=\\d+");

  private KeyWords() {}

  /// The pattern of highlighted words. The page highlights the same words (keywords.js).
  static String pattern() {
    return WORDS.pattern();
  }

  /// The line in pieces, with key words highlighted.
  static List<ColouredText> marked(String line) {
    var pieces = new ArrayList<ColouredText>();
    var matcher = WORDS.matcher(line);
    int from = 0;
    while (matcher.find()) {
      if (matcher.start() > from) {
        pieces.add(ColouredText.plain(line.substring(from, matcher.start())));
      }
      pieces.add(ColouredText.strong(matcher.group()));
      from = matcher.end();
    }
    if (from < line.length() || line.isEmpty()) {
      pieces.add(ColouredText.plain(line.substring(from)));
    }
    return pieces;
  }
}
