package io.ringside.streams.parse.ras;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads what `ncclras` or RAS's socket answered, in text (NCCL 2.24.3 and later) or JSON (2.28.7 and later), one
/// answer after another. Before an answer may stand a line `### <Unix seconds> …` that says when it was asked.
public final class RasAnswers {
  /// `### 1795336403.225 text 0.001s`.
  private static final Pattern ASKED = Pattern.compile("###\\s+(\\d{9,11})(\\.\\d{1,9})?\\b.*");

  private static final Pattern TITLE =
      Pattern.compile(".{0,200}?NCCL version \\S+ compiled with CUDA.*|.{0,200}\\bncclras\\b.*");

  /// Lines before the first answer: the command that asked for it, and a brace.
  private static final int BEFORE = 4;

  /// What shows that a job's log follows: it is read as one then, whatever RAS said before it.
  private static final List<String> LOG =
      List.of(
          " NCCL INFO ", " NCCL WARN ", "ProcessGroupNCCL", "Traceback (most recent call last)");

  /// Answers that are read of a file: a day's, asked each ten seconds.
  private static final int MOST = 10_000;

  private RasAnswers() {}

  /// Whether a text that begins like this holds answers.
  public static boolean recognises(String head) {
    return head.lines().filter(line -> !line.isBlank()).limit(BEFORE).anyMatch(RasAnswers::begins)
        && LOG.stream().noneMatch(head::contains)
        && ((head.contains("Job summary") && head.contains("Communicators..."))
            || (head.contains("\"communicators_count\"") && head.contains("\"nccl_version\"")));
  }

  private static boolean begins(String line) {
    return ASKED.matcher(line).matches()
        || TITLE.matcher(line).matches()
        || line.contains("\"nccl_version\"");
  }

  /// All answers of a text, in its order. A line `### …` says when the next one was asked.
  public static Read of(String text) {
    var answers = new ArrayList<RasAnswer>();
    var reader = new RasReader();
    long asked = NO_TIME;
    for (var line : (Iterable<String>) text.lines()::iterator) {
      var ask = ASKED.matcher(line.strip());
      if (ask.matches()) {
        reader.end(answers);
        asked = nanos(ask.group(1), ask.group(2));
      } else if (answers.size() < MOST) {
        reader.line(line, asked, answers);
      }
    }
    reader.end(answers);
    return new Read(answers, reader.damaged());
  }

  /// What a text holds.
  ///
  /// @param damaged how many more are cut or cannot be read
  public record Read(List<RasAnswer> answers, int damaged) {
    public Read {
      answers = List.copyOf(answers);
    }
  }

  private static long nanos(String seconds, @Nullable String fraction) {
    double part = fraction == null ? 0 : Double.parseDouble(fraction);
    return Long.parseLong(seconds) * 1_000_000_000L + Math.round(part * 1e9);
  }
}
