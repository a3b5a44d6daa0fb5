package io.ringside.streams.parse.ras;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One answer in text format. Its table counts communicators. Only those with a problem are named,
/// in blocks like
///
/// ```
/// #0-0 (fa93daea854b060b) MISMATCH
///   Communicator ranks have different AllGather operation counts
///   30 ranks have launched up to operation 640
///   2 ranks have launched up to operation 641
///   Rank 12 -- GPU 4 managed by process 323032 on node 10.137.190.124
/// ```
///
/// A single rank has its count on its own line. Ranks that do not answer follow as `Rank 1 -- …`
/// after `Missing communicator data from 1 rank`. Source: src/ras/client_support.cc.
final class RasText {
  private static final Pattern HEAD =
      Pattern.compile("#\\d+-\\d+ \\(([0-9a-fA-F]{16})\\) ([A-Z, ]+)");
  private static final Pattern DIFFERENT =
      Pattern.compile("Communicator ranks have different (\\S+) operation counts");
  private static final Pattern MANY =
      Pattern.compile("(\\d{1,7}) ranks? ha(?:ve|s) launched up to operation (\\d{1,18})");
  private static final Pattern MANY_NONE =
      Pattern.compile("(\\d{1,7}) ranks? ha(?:ve|s) not launched any operations?");
  private static final Pattern ONE =
      Pattern.compile("Rank (\\d{1,7}) has launched up to operation (\\d{1,18}) -- .*");
  private static final Pattern ONE_NONE =
      Pattern.compile("Rank (\\d{1,7}) has not launched any operations? -- .*");
  private static final Pattern NAMED = Pattern.compile("Rank (\\d{1,7}) -- (?:GPU|\\[process) .*");
  private static final Pattern GONE =
      Pattern.compile("Missing communicator data from \\d{1,7} ranks?");
  private static final Pattern MISSING = Pattern.compile("The missing ranks?: ([0-9, ]{1,4000}).*");
  private static final Pattern PID =
      Pattern.compile("Rank (\\d{1,7}) .*managed by process (\\d{1,9}) .*");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,7}");

  private final Map<String, List<RasAnswer.Count>> counts = new LinkedHashMap<>();
  private final Map<String, List<Integer>> missing = new LinkedHashMap<>();
  private final Map<String, Map<Integer, Integer>> pids = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private String comm = "";
  private String op = "";
  private long launched = -1;
  private boolean gone;

  private RasText() {}

  static RasAnswer read(List<String> lines, long at) {
    var text = new RasText();
    lines.forEach(text::line);
    var comms = new ArrayList<RasAnswer.Comm>();
    text.counts.forEach(
        (id, counts) ->
            comms.add(
                new RasAnswer.Comm(
                    id,
                    -1,
                    counts,
                    text.missing.getOrDefault(id, List.of()),
                    text.pids.getOrDefault(id, Map.of()))));
    return new RasAnswer(at, comms, String.join(" / ", text.lines));
  }

  private void line(String line) {
    var head = match(HEAD, line);
    if (head != null) {
      comm = "0x" + head.group(1);
      counts.computeIfAbsent(comm, _ -> new ArrayList<>());
      op = "";
      launched = -1;
      gone = false;
      say(line);
      return;
    }
    if (comm.isEmpty()) {
      return;
    }
    var process = match(PID, line);
    if (process != null) {
      pids.computeIfAbsent(comm, _ -> new LinkedHashMap<>())
          .put(Integer.parseInt(process.group(1)), Integer.parseInt(process.group(2)));
    }
    if (match(GONE, line) != null) {
      gone = true;
      say(line);
      return;
    }
    var different = match(DIFFERENT, line);
    if (different != null) {
      op = different.group(1).equals("collective") ? "" : different.group(1);
      launched = -1;
      gone = false;
      say(line);
      return;
    }
    if (!many(match(MANY, line), line)
        && !many(match(MANY_NONE, line), line)
        && !one(match(ONE, line), line)
        && !one(match(ONE_NONE, line), line)
        && !named(match(NAMED, line))) {
      lost(match(MISSING, line), line);
    }
  }

  private boolean many(@Nullable MatchResult match, String line) {
    if (match == null) {
      return false;
    }
    launched = match.groupCount() > 1 ? Long.parseLong(match.group(2)) : 0;
    count(-1, Integer.parseInt(match.group(1)), launched);
    say(line);
    return true;
  }

  private boolean one(@Nullable MatchResult match, String line) {
    if (match == null) {
      return false;
    }
    count(
        Integer.parseInt(match.group(1)),
        1,
        match.groupCount() > 1 ? Long.parseLong(match.group(2)) : 0);
    say(line);
    return true;
  }

  /// Reads one of the ranks that the line before counted; it then no longer counts as unnamed.
  private boolean named(@Nullable MatchResult match) {
    if (match != null && gone) {
      missing.computeIfAbsent(comm, _ -> new ArrayList<>()).add(Integer.parseInt(match.group(1)));
      return true;
    }
    if (match == null || launched < 0) {
      return match != null;
    }
    var own = counts.getOrDefault(comm, List.of());
    for (int i = own.size() - 1; i >= 0; i--) {
      var said = own.get(i);
      if (said.rank() < 0 && said.op().equals(op) && said.launched() == launched) {
        if (said.ranks() > 1) {
          own.set(i, new RasAnswer.Count(op, -1, said.ranks() - 1, launched));
        } else {
          own.remove(i);
        }
        break;
      }
    }
    count(Integer.parseInt(match.group(1)), 1, launched);
    return true;
  }

  private void lost(@Nullable MatchResult match, String line) {
    if (match == null) {
      return;
    }
    var numbers = NUMBER.matcher(match.group(1));
    while (numbers.find()) {
      missing.computeIfAbsent(comm, _ -> new ArrayList<>()).add(Integer.parseInt(numbers.group()));
    }
    say(line);
  }

  private void count(int rank, int ranks, long number) {
    var own = counts.get(comm);
    if (own != null && own.size() < 100_000) {
      own.add(new RasAnswer.Count(op, rank, ranks, number));
    }
  }

  private void say(String line) {
    if (lines.size() < 12) {
      lines.add(line);
    }
  }

  private static @Nullable MatchResult match(Pattern pattern, String line) {
    var matcher = pattern.matcher(line);
    return matcher.matches() ? matcher.toMatchResult() : null;
  }
}
