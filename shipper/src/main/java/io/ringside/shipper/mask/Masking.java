package io.ringside.shipper.mask;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Text;
import io.ringside.shipper.config.MaskPattern;
import io.ringside.shipper.source.log.line.LineScan;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Replaces secrets by `(masked)`. The number of lines, their offsets and their times do not
/// change. This is a best effort: secrets that match no pattern pass. Thread-safe.
///
/// One pass over a chunk finds which words of which expressions occur in which lines. Only these
/// lines are decoded, and only these expressions are tried on them. That takes time in proportion
/// to the line, whatever its content. If the lines of one chunk together take too long, the
/// remaining lines with such words are withheld: no secret leaves the node, and one pod does not
/// delay the node's other logs.
public final class Masking {
  static final String MASK = "(masked)";
  static final String WITHHELD = "(masked: this chunk took too long to search for secrets)";

  /// Time limit for one chunk of at most 64 KiB or for one line. A usual chunk takes a millisecond.
  static final Duration BUDGET = Duration.ofMillis(500);

  private final List<MaskPattern> rules;
  private final WordFilter words;

  /// Index of the rule of each word.
  private final int[] rule;

  /// Words that count only at the beginning of a name.
  private final BitSet begins = new BitSet();

  /// Words of rules that hide private keys.
  private final BitSet ofKeys = new BitSet();

  private final LongAdder masked;
  private final LongSupplier nanoTime;

  /// @param masked counts the secrets hidden
  public Masking(List<MaskPattern> patterns, LongAdder masked) {
    this(patterns, masked, System::nanoTime);
  }

  Masking(List<MaskPattern> patterns, LongAdder masked, LongSupplier nanoTime) {
    this.rules = List.copyOf(patterns);
    var sought = new ArrayList<String>();
    var rule = IntStream.builder();
    for (int at = 0; at < rules.size(); at++) {
      boolean keys = rules.get(at).words().contains(PrivateKeyLines.WORD);
      for (var word : rules.get(at).sought()) {
        begins.set(sought.size(), word.begins());
        ofKeys.set(sought.size(), keys);
        sought.add(word.text());
        rule.add(at);
      }
    }
    this.words = new WordFilter(sought);
    this.rule = rule.build().toArray();
    this.masked = masked;
    this.nanoTime = nanoTime;
  }

  /// The chunk without secrets; the same object if there were none.
  public LogChunk of(LogChunk chunk) {
    byte @Nullable [] masked = masked(chunk.text().utf8());
    return masked == null ? chunk : chunk.withText(Text.of(masked));
  }

  /// The text without secrets; the same object if there were none.
  public String of(String text) {
    byte @Nullable [] masked = masked(text.getBytes(UTF_8));
    return masked == null ? text : new String(masked, UTF_8);
  }

  /// The text without secrets, null if there were none.
  private byte @Nullable [] masked(byte[] text) {
    var lines = new Lines(text);
    if (!lines.keys) {
      return lines.masked();
    }
    String whole = new String(text, UTF_8);
    String hidden = PrivateKeyLines.hidden(whole, masked);
    if (hidden.equals(whole)) {
      return lines.masked();
    }
    byte[] rest = hidden.getBytes(UTF_8);
    return Objects.requireNonNullElse(new Lines(rest).masked(), rest);
  }

  /// The lines of a text that contain words. Words are reported in the order of their lines.
  private final class Lines implements WordFilter.Found {
    private final byte[] text;
    private final BitSet due = new BitSet();
    private final List<Line> found = new ArrayList<>();
    private int start;
    private int end = -1;
    private boolean keys;

    private Lines(byte[] text) {
      this.text = text;
      words.find(text, this);
      close();
    }

    @Override
    public void word(int index, int at) {
      if (begins.get(index) && at > 0 && isWord(text[at - 1])) {
        return;
      }
      if (at >= end) {
        close();
        start = at;
        while (start > 0 && text[start - 1] != '\n') {
          start--;
        }
        int newline = LineScan.indexOf(text, (byte) '\n', at, text.length);
        end = newline < 0 ? text.length : newline;
      }
      due.set(rule[index]);
      keys |= ofKeys.get(index);
    }

    private void close() {
      if (!due.isEmpty()) {
        found.add(new Line(start, end, due.stream().toArray()));
        due.clear();
      }
    }

    /// The text without secrets, null if there were none.
    private byte @Nullable [] masked() {
      if (found.isEmpty()) {
        return null;
      }
      long deadline = nanoTime.getAsLong() + BUDGET.toNanos();
      ByteArrayOutputStream out = null;
      int done = 0;
      for (var place : found) {
        var line = new String(text, place.from, place.to - place.from, UTF_8);
        var hidden = line(line, place.rules, deadline);
        if (!hidden.equals(line)) {
          out = out == null ? new ByteArrayOutputStream(text.length) : out;
          out.write(text, done, place.from - done);
          out.writeBytes(hidden.getBytes(UTF_8));
          done = place.to;
        }
      }
      if (out == null) {
        return null;
      }
      out.write(text, done, text.length - done);
      return out.toByteArray();
    }
  }

  /// The same characters as RE2's `\w`.
  private static boolean isWord(byte c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
  }

  /// A line and the rules whose words occur in it.
  private record Line(int from, int to, int[] rules) {}

  private String line(String line, int[] due, long deadline) {
    String result = line;
    for (int at : due) {
      if (nanoTime.getAsLong() - deadline > 0) {
        masked.increment();
        return WITHHELD;
      }
      result = hide(result, rules.get(at), deadline);
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
