package io.ringside.shipper.mask;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.config.MaskPattern;
import io.ringside.shipper.source.log.EncodedChunk;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.serialization.Serde;

/// Puts `(masked)` in the place of secrets. Lines stay lines: their number, offsets and times do not
/// change. It is a net, not a wall: what no pattern knows passes. Thread-safe.
public final class Masking {
  static final String MASK = "(masked)";
  private static final String SECRET = "secret";

  private static final Serde<LogChunk> SERDE = Topics.LOGS.valueSerde();

  private record Rule(List<String> words, Pattern pattern) {}

  private final List<Rule> rules;
  private final LongAdder masked;

  /// @param masked counts what was hidden
  public Masking(List<MaskPattern> patterns, LongAdder masked) {
    this.rules =
        patterns.stream().map(p -> new Rule(p.words(), Pattern.compile(p.regex()))).toList();
    this.masked = masked;
  }

  /// The chunk without secrets; the same object if there were none.
  public LogChunk of(LogChunk chunk) {
    String text = of(chunk.text());
    return text.equals(chunk.text()) ? chunk : chunk.withText(text);
  }

  /// The chunk without secrets; the same object if there were none. Only a chunk with a suspicious word is
  /// decoded.
  public EncodedChunk of(EncodedChunk chunk) {
    var raw = new String(chunk.json(), StandardCharsets.ISO_8859_1);
    if (rules.stream().noneMatch(rule -> rule.words.stream().anyMatch(raw::contains))) {
      return chunk;
    }
    var decoded = SERDE.deserializer().deserialize(Topics.LOGS.name(), chunk.json());
    var clean = of(decoded);
    return clean == decoded
        ? chunk
        : new EncodedChunk(
            chunk.source(),
            chunk.lines(),
            SERDE.serializer().serialize(Topics.LOGS.name(), clean));
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
      if (from < 0 || from == to || text.indexOf('\n', from) >= 0 && text.indexOf('\n', from) < to) {
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
