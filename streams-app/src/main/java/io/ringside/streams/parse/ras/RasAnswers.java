package io.ringside.streams.parse.ras;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.scan.DateTime;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the answers of `ncclras` or of RAS's socket, as text (NCCL 2.24.3 and later) or JSON
/// (2.28.7 and later), one after another. A line before an answer may give the time of the query.
public final class RasAnswers {
  /// `### 1795336403.225 text 0.001s`.
  private static final Pattern ASKED = Pattern.compile("###\\s+(\\d{9,11})(\\.\\d{1,9})?\\b.*");

  /// `### 2025-11-29T20:00:57.403Z ncclras -v`, `2025-11-29 20:00:57`.
  private static final Pattern DATED =
      Pattern.compile(
          "(?:#{1,8} *(?=.{0,80}$))?(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S{0,16})(?: (?:.*\\bncclras\\b.*|[A-Z]{1,5}))?");

  /// Output of `date`: `Sat Nov 29 20:00:57 UTC 2025`. Any zone is read as UTC, because only the
  /// distance between answers matters.
  private static final Pattern OF_DATE =
      Pattern.compile(
          "\\w{3} (\\w{3}) {1,2}(\\d{1,2} \\d\\d:\\d\\d:\\d\\d) [A-Z+\\-0-9]{1,5} (\\d{4})");

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  private static final Pattern TITLE =
      Pattern.compile(".{0,200}?NCCL version \\S+ compiled with CUDA.*|.{0,200}\\bncclras\\b.*");

  /// Heading of a section that was pasted without the answer's title.
  private static final Pattern SECTION =
      Pattern.compile("\\s*(?:Job summary|Communicators\\.\\.\\. \\(.*|Errors)\\s*");

  private static final Pattern MISSING =
      Pattern.compile(
          "^\\s*#\\d{1,7}-\\d{1,7} \\([0-9a-fA-F]{16}\\) INCOMPLETE\\b.*\\R\\s*Missing communicator data from",
          Pattern.MULTILINE);

  /// Highest number of lines before the first answer, such as the command and a brace.
  private static final int BEFORE = 4;

  /// Texts that show a job's log. The text is then read as a log, even if it begins with an answer
  /// of RAS.
  private static final List<String> LOG =
      List.of(
          " NCCL INFO ", " NCCL WARN ", "ProcessGroupNCCL", "Traceback (most recent call last)");

  /// Highest number of answers in a file: about a day's, at one every ten seconds.
  private static final int MOST = 10_000;

  private RasAnswers() {}

  /// Whether a text with this beginning holds answers.
  public static boolean recognises(String head) {
    return LOG.stream().noneMatch(head::contains)
        && (isWhole(head) || isPart(head) || RasEvents.recognises(head, BEFORE));
  }

  private static boolean isWhole(String head) {
    return head.lines().filter(line -> !line.isBlank()).limit(BEFORE).anyMatch(RasAnswers::begins)
        && ((head.contains("Job summary") && head.contains("Communicators..."))
            || (head.contains("\"communicators_count\"") && head.contains("\"nccl_version\"")));
  }

  /// Whether the text is a part of an answer that names missing ranks.
  private static boolean isPart(String head) {
    return head.lines()
            .filter(line -> !line.isBlank())
            .limit(1)
            .allMatch(line -> SECTION.matcher(line).matches())
        && MISSING.matcher(head).find();
  }

  private static boolean begins(String line) {
    return ASKED.matcher(line).matches()
        || TITLE.matcher(line).matches()
        || line.contains("\"nccl_version\"");
  }

  /// All answers of a text, in its order.
  public static Read of(String text) {
    var answers = new ArrayList<RasAnswer>();
    var reader = isWhole(text) || !isPart(text) ? RasReader.ofFile() : RasReader.ofPart();
    long asked = NO_TIME;
    for (var line : (Iterable<String>) text.lines()::iterator) {
      long told = asked(line.strip());
      if (told != NO_TIME) {
        // this line ends no answer: a prefix with a stamp also stands before blank lines
        asked = told;
      } else if (answers.size() < MOST) {
        reader.line(line, RasReader.dated(line) ? NO_TIME : asked, answers);
      }
    }
    reader.end(answers);
    return new Read(answers, reader.damaged());
  }

  /// The content of a text.
  ///
  /// @param damaged number of further answers that are cut or unreadable
  public record Read(List<RasAnswer> answers, int damaged) {
    public Read {
      answers = List.copyOf(answers);
    }
  }

  /// Time of the next answer's query, NO_TIME if the line does not give it.
  private static long asked(String line) {
    var ask = ASKED.matcher(line);
    if (ask.matches()) {
      return nanos(ask.group(1), ask.group(2));
    }
    var dated = DATED.matcher(line);
    if (dated.matches()) {
      return DateTime.nanos(Text.of(dated.group(1)), 0);
    }
    var date = OF_DATE.matcher(line);
    if (!date.matches()) {
      return NO_TIME;
    }
    try {
      var text = "%s %s %s".formatted(date.group(1), date.group(2), date.group(3));
      return Nanos.of(LocalDateTime.parse(text, FORM).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException _) {
      return NO_TIME;
    }
  }

  private static long nanos(String seconds, @Nullable String fraction) {
    double part = fraction == null ? 0 : Double.parseDouble(fraction);
    return Long.parseLong(seconds) * 1_000_000_000L + Math.round(part * 1e9);
  }
}
