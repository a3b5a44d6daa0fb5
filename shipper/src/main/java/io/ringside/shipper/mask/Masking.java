package io.ringside.shipper.mask;

import com.google.re2j.Matcher;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Text;
import io.ringside.shipper.config.MaskPattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Puts `(masked)` in the place of secrets. Lines stay lines: their number, offsets and times do not
/// change. It is a net, not a wall: what no pattern knows passes. Thread-safe.
///
/// A chunk is decoded only if one of the words stands in it, and an expression tried only on lines with one of its words. That
/// takes time in proportion to the line, whatever is in it; should the lines of a chunk take too long together, the rest
/// of those with such words is withheld: neither a secret leaves, nor does one pod keep the node's other logs waiting.
public final class Masking {
  static final String MASK = "(masked)";
  static final String WITHHELD = "(masked: this chunk took too long to search for secrets)";

  /// For one chunk of at most 64 KiB or one line; a usual one takes a millisecond.
  static final Duration BUDGET = Duration.ofMillis(500);

  /// A mask and those of its words that stand in the text.
  private record Due(MaskPattern mask, List<String> words) {
    boolean at(String line) {
      for (String word : words) {
        if (line.contains(word)) {
          return true;
        }
      }
      return false;
    }
  }

  private final List<MaskPattern> rules;
  private final WordFilter words;
  private final LongAdder masked;
  private final LongSupplier nanoTime;

  /// @param masked counts what was hidden
  public Masking(List<MaskPattern> patterns, LongAdder masked) {
    this(patterns, masked, System::nanoTime);
  }

  Masking(List<MaskPattern> patterns, LongAdder masked, LongSupplier nanoTime) {
    this.rules = List.copyOf(patterns);
    this.words = new WordFilter(patterns.stream().flatMap(p -> p.words().stream()).toList());
    this.masked = masked;
    this.nanoTime = nanoTime;
  }

  /// The chunk without secrets; the same object if there were none.
  public LogChunk of(LogChunk chunk) {
    if (!words.occurIn(chunk.text().utf8())) {
      return chunk;
    }
    String text = chunk.text().toString();
    String masked = of(text);
    return masked.equals(text) ? chunk : chunk.withText(Text.of(masked));
  }

  /// The text without secrets; the same object if there were none.
  public String of(String text) {
    var due = new ArrayList<Due>();
    for (var rule : rules) {
      var occurring = rule.words().stream().filter(text::contains).toList();
      if (!occurring.isEmpty()) {
        due.add(new Due(rule, occurring));
      }
    }
    if (due.isEmpty()) {
      return text;
    }
    boolean keys = due.stream().anyMatch(rule -> rule.words().contains(PrivateKeyLines.WORD));
    return masked(keys ? PrivateKeyLines.hidden(text, masked) : text, due);
  }

  private String masked(String text, List<Due> due) {
    long deadline = nanoTime.getAsLong() + BUDGET.toNanos();
    StringBuilder out = null;
    int done = 0;
    for (int start = 0; start <= text.length(); ) {
      int newline = text.indexOf('\n', start);
      int end = newline < 0 ? text.length() : newline;
      String line = text.substring(start, end);
      String hidden = line(line, due, deadline);
      if (!hidden.equals(line)) {
        out = out == null ? new StringBuilder(text.length()) : out;
        out.append(text, done, start).append(hidden);
        done = end;
      }
      start = end + 1;
    }
    return out == null ? text : out.append(text, done, text.length()).toString();
  }

  private String line(String line, List<Due> due, long deadline) {
    String result = line;
    for (var rule : due) {
      if (rule.at(result)) {
        if (nanoTime.getAsLong() - deadline > 0) {
          masked.increment();
          return WITHHELD;
        }
        result = hide(result, rule.mask(), deadline);
      }
    }
    return result;
  }

  private String hide(String text, MaskPattern rule, long deadline) {
    Matcher found = rule.compiled().matcher(text);
    StringBuilder out = null;
    int done = 0;
    while (found.find()) {
      if (nanoTime.getAsLong() - deadline > 0) {
        masked.increment();
        return WITHHELD;
      }
      var secret = Secret.in(text, found.start(rule.group()), found.end(rule.group()));
      if (secret.isEmpty()
          || secret.from() < done
          || text.startsWith("(masked", secret.from())
          || rule.sparesNumbers() && secret.isOrdinary(text)
          || rule.sparesWords() && !secret.isRandom(text)) {
        continue;
      }
      out = out == null ? new StringBuilder(text.length()) : out;
      out.append(text, done, secret.from()).append(MASK);
      done = secret.to();
      masked.increment();
    }
    return out == null ? text : out.append(text, done, text.length()).toString();
  }
}
