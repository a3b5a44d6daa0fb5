package io.ringside.shipper.mask;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.serde.EventJson;
import io.ringside.shipper.config.MaskPattern;
import io.ringside.shipper.source.log.chunk.EncodedChunk;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Puts `(masked)` in the place of secrets. Lines stay lines: their number, offsets and times do not
/// change. It is a net, not a wall: what no pattern knows passes. Thread-safe.
///
/// A chunk is decoded only if one of the words stands in it.
public final class Masking {
  static final String MASK = "(masked)";
  private static final String SECRET = "secret";

  private record Rule(List<String> words, Pattern pattern) {}

  private final List<Rule> rules;
  private final WordFilter words;
  private final LongAdder masked;

  /// @param masked counts what was hidden
  public Masking(List<MaskPattern> patterns, LongAdder masked) {
    this.rules =
        patterns.stream().map(p -> new Rule(p.words(), Pattern.compile(p.regex()))).toList();
    this.words = new WordFilter(patterns.stream().flatMap(p -> p.words().stream()).toList());
    this.masked = masked;
  }

  /// The chunk without secrets; the same object if there were none.
  public EncodedChunk of(EncodedChunk chunk) {
    if (!words.occurIn(chunk.json())) {
      return chunk;
    }
    var decoded = EventJson.MAPPER.readValue(chunk.json(), LogChunk.class);
    String text = decoded.text().toString();
    String masked = of(text);
    return masked.equals(text)
        ? chunk
        : new EncodedChunk(
            chunk.source(),
            chunk.lines(),
            EventJson.MAPPER.writeValueAsBytes(decoded.withText(Text.of(masked))));
  }

  /// The text without secrets.
  public String of(String text) {
    String result = text;
    for (Rule rule : rules) {
      if (rule.words.stream().anyMatch(result::contains)) {
        result = hide(result, rule.pattern.matcher(result));
      }
    }
    return result;
  }

  private String hide(String text, Matcher found) {
    StringBuilder out = null;
    int done = 0;
    while (found.find()) {
      int from = found.start(SECRET);
      int to = found.end(SECRET);
      if (from < 0
          || from == to
          || text.indexOf('\n', from) >= 0 && text.indexOf('\n', from) < to) {
        continue;
      }
      if (out == null) {
        out = new StringBuilder(text.length());
      }
      out.append(text, done, from).append(MASK);
      done = to;
      masked.increment();
    }
    return out == null ? text : out.append(text, done, text.length()).toString();
  }
}
