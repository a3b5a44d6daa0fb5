package io.ringside.streams.parse.ras;

import io.ringside.streams.parse.plain.Document;
import io.ringside.streams.parse.plain.Json;
import io.ringside.streams.parse.plain.Plain;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads what `ncclras` or RAS's socket answered, in text (NCCL 2.24.3 and later) or JSON (2.28.7 and later), one
/// answer after another. Before an answer may stand a line `### <Unix seconds> …` that says when it was asked.
public final class RasAnswers {
  /// `### 1795336403.225 text 0.001s`.
  private static final Pattern ASKED = Pattern.compile("###\\s+(\\d{9,11})(\\.\\d{1,9})?\\b.*");

  private static final Pattern TITLE = Pattern.compile("NCCL version \\S+ compiled with CUDA.*");

  /// What NCCL 2.28.9 forgets in front of a missing rank's status (src/ras/client_support.cc): without it no reader of JSON
  /// takes the answer in which a rank is gone.
  private static final Pattern NO_COMMA =
      Pattern.compile("(\"nvml_dev\":\\s{0,4}-?\\d{1,9})(\\s{1,64}\"status\")");

  /// What shows that a job's log follows: it is read as one then, whatever RAS said before it.
  private static final List<String> LOG =
      List.of(
          " NCCL INFO ", " NCCL WARN ", "ProcessGroupNCCL", "Traceback (most recent call last)");

  /// Answers that are read of a file: a day's, asked each ten seconds.
  private static final int MOST = 10_000;

  private RasAnswers() {}

  /// Whether a text that begins like this holds answers.
  public static boolean recognises(String head) {
    var start = head.stripLeading();
    boolean begins =
        ASKED.matcher(firstLine(start)).matches()
            || TITLE.matcher(firstLine(start)).matches()
            || start.startsWith("{");
    return begins
        && LOG.stream().noneMatch(head::contains)
        && ((head.contains("Job summary") && head.contains("Communicators..."))
            || (head.contains("\"communicators_count\"") && head.contains("\"nccl_version\"")));
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return (end < 0 ? text : text.substring(0, end)).strip();
  }

  /// All answers of a text, in its order. Those that say nothing of a communicator are left out.
  public static List<RasAnswer> of(String text) {
    var answers = new ArrayList<RasAnswer>();
    var block = new StringBuilder();
    long at = 0;
    for (var line : (Iterable<String>) text.lines()::iterator) {
      var asked = ASKED.matcher(line.strip());
      boolean begins = asked.matches();
      if ((begins || TITLE.matcher(line.strip()).matches()) && answers.size() < MOST) {
        read(block.toString(), at, answers);
        block.setLength(0);
      }
      if (begins) {
        at = nanos(asked.group(1), asked.group(2));
      } else if (!line.startsWith("# ") && !line.startsWith("OK") && !line.startsWith("SERVER ")) {
        block.append(line).append('\n');
      }
    }
    read(block.toString(), at, answers);
    return answers;
  }

  private static long nanos(String seconds, @Nullable String fraction) {
    double part = fraction == null ? 0 : Double.parseDouble(fraction);
    return Long.parseLong(seconds) * 1_000_000_000L + Math.round(part * 1e9);
  }

  private static void read(String block, long at, List<RasAnswer> answers) {
    var body = block.strip();
    if (body.isEmpty()) {
      return;
    }
    var answer = body.startsWith("{") ? json(body, at) : RasText.read(body, at);
    if (!answer.comms().isEmpty()) {
      answers.add(answer);
    }
  }

  private static RasAnswer json(String body, long at) {
    var comms = new ArrayList<RasAnswer.Comm>();
    if (Json.read(NO_COMMA.matcher(body).replaceAll("$1,$2")) instanceof Document.Read(var root)) {
      root.field("communicators").items().forEach(said -> comms.add(comm(said)));
    }
    return new RasAnswer(at, comms, "");
  }

  private static RasAnswer.Comm comm(Plain said) {
    var counts = new ArrayList<RasAnswer.Count>();
    var missing = new TreeSet<Integer>();
    var pids = new TreeMap<Integer, Integer>();
    for (var rank : said.field("ranks").items()) {
      int number = (int) rank.field("rank").whole(-1);
      pids.put(number, (int) rank.field("pid").whole(-1));
      rank.field("collective_counts")
          .fields()
          .forEach((op, count) -> counts.add(new RasAnswer.Count(op, number, 1, count.whole(0))));
    }
    for (var rank : said.field("missing_ranks").items()) {
      missing.add((int) rank.field("rank").whole(rank.whole(-1)));
      pids.put((int) rank.field("rank").whole(-1), (int) rank.field("pid").whole(-1));
    }
    var hash = said.field("hash").text();
    return new RasAnswer.Comm(
        hash.startsWith("0x") ? hash : "0x" + hash,
        (int) said.field("size").whole(-1),
        counts,
        missing.stream().filter(rank -> rank >= 0).toList(),
        pids);
  }
}
