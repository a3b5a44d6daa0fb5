package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads torchrun's `error.json`, into which a process writes the exception that ends it (torch's
/// distributed/elastic/multiprocessing/errors/error_handler.py, `record_exception`):
///
/// ```text
///   {"message": {"message": "KeyError: 'a'",
///     "extraInfo": {"py_callstack": "Traceback …", "timestamp": "1779256957"}}}
/// ```
///
/// Not thread-safe.
final class ErrorFile implements Export.Source {
  private static final Pattern BEGIN =
      Pattern.compile("\\{\\s*\"message\"\\s*:\\s*\\{\\s*\"message\"\\s*:\\s*\"");

  private static final int LONGEST = 1 << 20;

  /// Added to a time given in whole seconds, since the process's log lines within that second came
  /// before the exception.
  private static final long ALMOST_A_SECOND = 999_000_000L;

  private final InputStream in;
  private boolean read;

  ErrorFile(InputStream in) {
    this.in = in;
  }

  /// Whether a text begins like such a file.
  static boolean recognises(String text) {
    return BEGIN.matcher(text).lookingAt() && text.contains("\"py_callstack\"");
  }

  @Override
  public @Nullable Entry next() throws IOException {
    if (read) {
      return null;
    }
    read = true;
    var document =
        Entries.parsed(new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip());
    var message = document == null ? null : document.path("message");
    return message == null ? null : entry(message);
  }

  private static @Nullable Entry entry(JsonNode message) {
    var words = message.path("message").asString("").lines().findFirst().orElse("");
    var info = message.path("extraInfo");
    if (words.isBlank()) {
      return null;
    }
    long nanos = Times.nanos(info.path("timestamp"));
    var raised = dotted(words, info.path("py_callstack").asString("").lines().toList());
    return new Entry(
        "torchelastic: a process raised " + raised,
        nanos == NO_TIME || nanos > Long.MAX_VALUE - ALMOST_A_SECOND
            ? NO_TIME
            : nanos + ALMOST_A_SECOND,
        Labels.NONE);
  }

  /// The words with the exception's module before its name, which only the traceback contains.
  private static String dotted(String words, List<String> traceback) {
    return traceback.stream()
        .filter(line -> line.endsWith("." + words) && line.indexOf(' ') != 0)
        .filter(line -> line.substring(0, line.length() - words.length()).matches("[\\w.]+"))
        .reduce((_, last) -> last)
        .orElse(words);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
