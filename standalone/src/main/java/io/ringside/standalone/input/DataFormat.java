package io.ringside.standalone.input;

import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.input.Content.Data;
import io.ringside.standalone.input.Content.Useless;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/// Text that is data rather than a log: XML, JSON, CSV, a patch.
final class DataFormat {
  private static final Pattern XML = Pattern.compile("<(\\?xml|!DOCTYPE|html|svg)\\b");

  private static final Pattern TAG = Pattern.compile("\\s*</?[A-Za-z][^<>]*>");

  /// Share of lines that must begin with a tag in a document. A log pasted between two tags has
  /// fewer.
  private static final double MOST_TAGS = 0.5;

  /// Docker's json-file driver begins every line like this.
  private static final Pattern CONTAINER_LINE = Pattern.compile("\\{\\s*\"log\"\\s*:");

  private static final Pattern BAR = Pattern.compile("it/s|s/it");

  /// A cell of a word and its number. `342.36 W` and `NVIDIA L40S` are values instead.
  private static final Pattern NAMED_NUMBER =
      Pattern.compile(
          "(?:^|,)\\s*[A-Za-z_]+(?: |=|: )-?\\d+(?:\\.\\d+)?(?:[eE]-?\\d+)?\\s*(?:,|$)");

  /// An assignment, as in `rank=3 step=1 loss=3.19`.
  private static final Pattern SET = Pattern.compile("\\b[A-Za-z_]+=\\S");

  /// The comma in Python logging's `2026-03-04 09:00:01,804`: part of the timestamp, not a
  /// separator of cells.
  private static final Pattern DECIMAL_COMMA = Pattern.compile("\\d\\d:\\d\\d,\\d{3}\\b");

  private static final Pattern HUNK = Pattern.compile("@@ -\\d+(,\\d+)? \\+\\d+(,\\d+)? @@");

  /// Lines that git writes between hunks. A program that prints a patch and continues writes other
  /// lines as well.
  private static final Pattern OF_A_PATCH =
      Pattern.compile(
          "[-+ @\\\\].*|(diff --git|index|new file|deleted file|old mode|new mode|similarity|rename|copy"
              + "|Binary files|commit|Author:|Date:|From|Subject:|Merge:).*|");

  private static final int CSV_LINES = 20;

  private DataFormat() {}

  /// The kind of data, empty if the text is not data.
  ///
  /// @param whole whether the text is the whole file
  static Optional<Content> recognise(String text, boolean whole) {
    var start = text.stripLeading();
    if (XML.matcher(start).lookingAt() || isOfTags(start)) {
      return Optional.of(new Data("an XML document"));
    }
    if (start.startsWith("{") || start.startsWith("[")) {
      return isOneJsonDocument(start, whole)
          ? Optional.of(new Data("a JSON document"))
          : Optional.empty();
    }
    if (isPatch(start, whole)) {
      return Optional.of(new Useless("a patch: what it adds or removes was not printed by a job"));
    }
    return isCsv(text, whole)
        ? Optional.of(new Data("CSV data, but no nvidia-smi recording with its head line"))
        : Optional.empty();
  }

  private static boolean isPatch(String text, boolean whole) {
    if (!text.contains("diff --git ") && !text.startsWith("--- ")) {
      return false;
    }
    var lines = text.lines().toList();
    return lines.stream().anyMatch(line -> HUNK.matcher(line).lookingAt())
        && lines.stream()
            .limit(whole ? lines.size() : lines.size() - 1L)
            .allMatch(line -> OF_A_PATCH.matcher(line).matches());
  }

  private static boolean isOfTags(String text) {
    if (!TAG.matcher(text).lookingAt() || !text.contains("</")) {
      return false;
    }
    var lines = text.lines().filter(line -> !line.isBlank()).toList();
    long tags = lines.stream().filter(line -> TAG.matcher(line).lookingAt()).count();
    return tags > MOST_TAGS * lines.size();
  }

  /// Whether this is one document, rather than a log with a document per line or the only line of a
  /// container's log.
  private static boolean isOneJsonDocument(String text, boolean whole) {
    if (CONTAINER_LINE.matcher(text).lookingAt()) {
      return false;
    }
    try (var parser = EventJson.MAPPER.createParser(text)) {
      parser.nextToken();
      parser.skipChildren();
      return whole && parser.nextToken() == null;
    } catch (JacksonException e) {
      // cut off within the first value, which spans several lines: one large document
      return !whole && firstValueSpans(text);
    }
  }

  private static boolean firstValueSpans(String text) {
    var first = text.lines().findFirst().orElse("").strip();
    return first.length() <= 2 || first.equals(text.strip());
  }

  /// Whether every line has the same number of commas and there are at least two lines.
  private static boolean isCsv(String text, boolean whole) {
    List<String> lines = text.lines().limit(CSV_LINES + 1L).toList();
    int known = whole || lines.size() > CSV_LINES ? lines.size() : lines.size() - 1;
    var complete = lines.subList(0, Math.min(known, CSV_LINES));
    long commas = complete.isEmpty() ? 0 : commas(complete.getFirst());
    return commas > 0
        && complete.size() > 1
        && complete.stream().allMatch(line -> commas(line) == commas && !isProse(line));
  }

  /// Whether this is a log line rather than a row, since log lines of one kind also have equal
  /// numbers of commas: `Epoch 1, step 20, loss 2.31`, a bar with `[00:05<10:59,  1.11s/it]`.
  private static boolean isProse(String line) {
    return line.contains("NCCL")
        || line.indexOf('{') >= 0
        || line.contains(": ")
        || BAR.matcher(line).find()
        || SET.matcher(line).find()
        || NAMED_NUMBER.matcher(line).find();
  }

  private static long commas(String line) {
    return line.chars().filter(c -> c == ',').count()
        - DECIMAL_COMMA.matcher(line).results().count();
  }
}
