package io.ringside.streams.recorded;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What may happen to lines on their way, or be done to them: cut, repeated, lost, put elsewhere,
/// their digits changed and their numbers made as large as they go. The same seed does the same.
final class Mutation {
  private static final int LINES_A_CHUNK = 200;
  private static final Pattern NUMBER = Pattern.compile("-?\\d+");
  private static final Pattern FIELD = Pattern.compile("[A-Za-z]\\w*[ =:/]{1,2}-?\\d+");
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "1",
          "131072",
          "2147483647",
          "2147483648",
          "-2147483648",
          "9223372036854775807",
          "-9223372036854775808",
          "99999999999999999999999");
  private static final long SECOND = 1_000_000_000L;
  private static final long[] SKEWS = {
    1, -SECOND, 300 * SECOND, 74 * 365 * 86_400L * SECOND, -50 * 365 * 86_400L * SECOND
  };

  private final RandomGenerator random;

  /// One line of so many is changed.
  private final int oneOf;

  Mutation(RandomGenerator random, int oneOf) {
    this.random = random;
    this.oneOf = oneOf;
  }

  private record Line(String text, long nanos) {}

  /// The same files with one field of a line, such as `nranks 4`, said otherwise wherever it
  /// stands.
  List<List<LogChunk>> everywhere(List<List<LogChunk>> files) {
    var fields = new ArrayList<String>();
    for (var file : files) {
      for (var chunk : file) {
        FIELD.matcher(chunk.text().toString()).results().forEach(f -> fields.add(f.group()));
      }
    }
    if (fields.isEmpty()) {
      return files;
    }
    var field = fields.get(random.nextInt(fields.size()));
    var number = NUMBERS.get(random.nextInt(NUMBERS.size()));
    var other = field.replaceFirst("-?\\d+$", Matcher.quoteReplacement(number));
    return files.stream()
        .map(
            file ->
                file.stream()
                    .map(c -> c.withText(Text.of(c.text().toString().replace(field, other))))
                    .toList())
        .toList();
  }

  /// The same file, changed.
  List<LogChunk> of(List<LogChunk> file) {
    var lines = new ArrayList<Line>();
    for (var chunk : file) {
      var texts = chunk.text().toString().split("\n", -1);
      for (int i = 0; i < chunk.lines(); i++) {
        var line = new Line(texts[i], chunk.timeNanos(i));
        if (random.nextInt(oneOf) == 0) {
          change(line, lines);
        } else {
          lines.add(line);
        }
      }
    }
    return chunks(file.getFirst(), lines);
  }

  private void change(Line line, List<Line> into) {
    switch (random.nextInt(8)) {
      case 0 -> {}
      case 1 -> into.addAll(List.of(line, line));
      case 2 -> into.add(random.nextInt(into.size() + 1), line);
      case 3 -> into.add(new Line(cut(line.text()), line.nanos()));
      case 4 -> into.add(new Line(otherDigit(line.text()), line.nanos()));
      case 5 -> into.add(new Line(line.text(), later(line.nanos())));
      default -> into.add(new Line(otherNumber(line.text()), line.nanos()));
    }
  }

  private String cut(String text) {
    return text.substring(0, random.nextInt(text.length() + 1));
  }

  private String otherDigit(String text) {
    var changed = new StringBuilder(text);
    for (int tries = 0; tries < 20 && !text.isEmpty(); tries++) {
      int at = random.nextInt(text.length());
      if (Character.isDigit(text.charAt(at))) {
        changed.setCharAt(at, (char) ('0' + random.nextInt(10)));
      }
    }
    return changed.toString();
  }

  private String otherNumber(String text) {
    long numbers = NUMBER.matcher(text).results().count();
    if (numbers == 0) {
      return text;
    }
    long[] left = {random.nextLong(numbers)};
    return NUMBER
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    left[0]-- == 0 ? NUMBERS.get(random.nextInt(NUMBERS.size())) : found.group()));
  }

  private long later(long nanos) {
    return nanos == LogChunk.NO_TIME ? nanos : nanos + SKEWS[random.nextInt(SKEWS.length)];
  }

  private static List<LogChunk> chunks(LogChunk first, List<Line> lines) {
    var chunks = new ArrayList<LogChunk>();
    long offset = 0;
    for (int from = 0; from < lines.size(); from += LINES_A_CHUNK) {
      var part = lines.subList(from, Math.min(lines.size(), from + LINES_A_CHUNK));
      var offsets = new int[part.size()];
      int at = 0;
      for (int i = 0; i < part.size(); i++) {
        offsets[i] = at;
        at += part.get(i).text().length() + 1;
      }
      boolean timed = part.stream().allMatch(line -> line.nanos() != LogChunk.NO_TIME);
      chunks.add(
          new LogChunk(
              first.source(),
              first.epoch(),
              chunks.size(),
              offset,
              offset + at,
              first.readAt(),
              false,
              from + LINES_A_CHUNK >= lines.size(),
              Text.of(String.join("\n", part.stream().map(Line::text).toList())),
              offsets,
              0,
              timed ? part.stream().mapToLong(Line::nanos).toArray() : new long[0],
              new int[0]));
      offset += at;
    }
    return chunks;
  }
}
