package io.ringside.streams.parse.ras;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.DateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Finds answers of RAS among the lines of a file of answers, or of a log, after prefixes of any
/// kind. Keeps only what RAS wrote. Memory is bounded: an answer that grows too large counts as
/// damaged.
public final class RasReader {
  private static final Pattern TITLE =
      Pattern.compile("NCCL version \\d\\S{0,60} compiled with CUDA \\S{1,20}\\s*$");

  private static final Pattern BEGIN = Pattern.compile("(\\{\\s{0,8})?\"nccl_version\"\\s{0,4}:");

  private static final Pattern MEMBERS =
      Pattern.compile(
          "(?<![^\\s:>|])(?:[{}\\[\\],\\s]{0,64}\"\\w{1,60}\"\\s{0,4}:|[{}\\[\\],]{1,16}\\s*$)");

  private static final Pattern TIMESTAMP =
      Pattern.compile("\"timestamp\"\\s{0,4}:\\s{0,4}\"([^\"]{19,40})\"");

  private static final Pattern STATEMENT =
      Pattern.compile(
          "#\\d{1,7}-\\d{1,7} \\([0-9a-fA-F]{16}\\) |Communicator ranks have |\\d{1,7} ranks? ha(?:ve|s) "
              + "|Rank \\d{1,7} (?:--|has|reported) |Missing communicator data|The missing rank"
              + "|(?<![^\\s:>|])(?:Job summary|Errors|Warnings)\\s*$|Communicators\\.\\.\\.");

  private static final Pattern DATE =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d");

  /// Highest number of lines of one answer: some ten thousand ranks as JSON, with 16 lines each.
  private static final int MOST_LINES = 262_144;

  private static final int LONGEST = 1 << 24;

  /// Longest answer in a log, in chars: an open one is stored with the state of its log.
  private static final int LONGEST_IN_LOG = 1 << 20;

  /// An answer ends after this many lines that do not belong to it. Its tables are shorter.
  private static final int MOST_OTHERS = 1_024;

  /// How many lines may follow an answer at the end of a log: blank lines, a prompt.
  private static final int MOST_BEHIND = 8;

  /// How many communicators are remembered. An answer that no longer names one reports no problem
  /// with it.
  private static final int MOST_NAMED = 256;

  private final RasEvents events = new RasEvents();
  private final int longest;
  private final List<String> lines = new ArrayList<>();
  private final Set<String> named = new TreeSet<>();
  private boolean open;
  private boolean part;
  private boolean json;
  private long at;
  private int depth;
  private int others;
  private int length;
  private boolean told;
  private int damaged;

  /// For the lines of a log.
  public RasReader() {
    this(LONGEST_IN_LOG);
  }

  private RasReader(int longest) {
    this.longest = longest;
  }

  /// For a part of one answer in text, which has no title and may end anywhere.
  static RasReader ofPart() {
    var reader = new RasReader(LONGEST);
    reader.open = true;
    reader.part = true;
    return reader;
  }

  /// For a file that holds only answers.
  static RasReader ofFile() {
    return new RasReader(LONGEST);
  }

  /// Whether an answer in JSON or an event may begin in this line.
  public static boolean mayBegin(Text text, int from, int to) {
    return Chars.find(text, from, to, "\"nccl_version\"") >= 0
        || Chars.find(text, from, to, RasEvents.DEAD) >= 0;
  }

  /// Whether an answer has begun and has not ended.
  public boolean open() {
    return open || events.open();
  }

  /// Number of answers so far that were cut or unreadable.
  public int damaged() {
    return damaged;
  }

  /// Reads a line.
  ///
  /// @param nanos when it was written, NO_TIME if unknown
  /// @param sink receives the answers that this line completes
  public void line(String line, long nanos, List<RasAnswer> sink) {
    events.line(line, nanos, sink);
    var begin = BEGIN.matcher(line);
    if (begin.find()) {
      begin(true, line, nanos, sink);
      var braced = begin.group(1) != null;
      if (!braced) {
        keep("{");
      }
      member(line.substring(begin.start()), sink);
    } else if (TITLE.matcher(line).find()) {
      begin(false, line, nanos, sink);
    } else if (open) {
      var pattern = json ? MEMBERS : STATEMENT;
      var statement = pattern.matcher(line);
      if (!statement.find()) {
        if (++others > MOST_OTHERS) {
          end(sink);
        }
      } else if (json) {
        member(line.substring(statement.start()), sink);
      } else {
        keep(line.substring(statement.start()).strip());
      }
    }
  }

  private void begin(boolean ofJson, String line, long nanos, List<RasAnswer> sink) {
    end(sink);
    open = true;
    json = ofJson;
    at = nanos == NO_TIME ? date(line) : nanos;
  }

  /// Whether the line itself gives the time when it was written.
  static boolean dated(String line) {
    return DATE.matcher(line).find();
  }

  private static long date(String line) {
    var date = DATE.matcher(line);
    return date.find() ? DateTime.nanos(Text.of(line.substring(date.start())), 0) : 0;
  }

  private void member(String text, List<RasAnswer> sink) {
    keep(text);
    if (at == 0) {
      var stamp = TIMESTAMP.matcher(text);
      at = stamp.find() ? date(stamp.group(1)) : 0;
    }
    if (open && depth <= 0) {
      end(sink);
    }
  }

  private void keep(String text) {
    others = 0;
    told = false;
    length += text.length();
    lines.add(text);
    if (json) {
      boolean quoted = false;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        quoted ^= c == '"';
        if (!quoted) {
          depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        }
      }
    }
    if (lines.size() > MOST_LINES || length > longest) {
      damaged++;
      clear();
    }
  }

  /// Hands over an open answer in text if only its last lines can be missing, because no line marks
  /// its end. The same answer may follow again with the same time.
  public void soFar(List<RasAnswer> sink) {
    if (open && !json && !told && at > 0 && lines.contains("Warnings")) {
      sink.add(told(text()));
      told = true;
    }
  }

  /// Ends the open answer at the end of a log.
  public void endOfLog(List<RasAnswer> sink) {
    boolean last = others <= MOST_BEHIND;
    int before = sink.size();
    end(sink);
    if (last && sink.size() > before) {
      sink.add(sink.removeLast().atEnd());
    }
  }

  /// Ends the open answer, if there is one.
  public void end(List<RasAnswer> sink) {
    if (open && !told) {
      var answer =
          json ? RasJson.read(String.join("\n", lines), at) : whole() || part ? text() : null;
      if (answer != null) {
        sink.add(told(answer));
      } else if (json || lines.contains("Job summary")) {
        damaged++;
      }
    }
    clear();
  }

  private RasAnswer told(RasAnswer answer) {
    answer.comms().stream()
        .limit(MOST_NAMED - named.size())
        .forEach(comm -> named.add(comm.commId()));
    return answer;
  }

  private void clear() {
    lines.clear();
    open = false;
    told = false;
    depth = 0;
    others = 0;
    length = 0;
  }

  /// Whether an answer in text reaches its last section, as far as it has sections.
  private boolean whole() {
    return lines.contains("Warnings")
        || !lines.contains("Errors")
            && lines.stream().anyMatch(line -> line.startsWith("Communicators...") || head(line));
  }

  private static boolean head(String line) {
    return line.startsWith("#");
  }

  /// Reads the answer. A communicator that earlier answers named and this one does not has no
  /// problem any more.
  private RasAnswer text() {
    var answer = RasText.read(lines, at);
    var all = new ArrayList<>(answer.comms());
    for (var id : named) {
      if (all.stream().noneMatch(comm -> comm.commId().equals(id))) {
        all.add(RasAnswer.Comm.silent(id));
      }
    }
    return new RasAnswer(answer.atNanos(), all, answer.text());
  }
}
