package io.ringside.shipper.mask;

import io.ringside.shipper.config.MaskPattern;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tries a mask on worst-case lines, which repeat the mask's words and the texts that its
/// expression spells out. A search takes time linear in the line, but an expression may read on to
/// the line's end at each match. So this class counts the characters read, a measure that does not
/// depend on the machine's load.
public final class MaskTrial {
  private static final int LINE = 1 << 14;

  /// Limit of reads per character of the line. The masks that ship with the agent need ten; an
  /// expression that reads to the line's end at each match needs hundreds.
  private static final long MOST_LOOKS = 16;

  /// Limit of reads per character times program size, since each read tries all steps of the
  /// expression. The masks that ship with the agent need half.
  private static final long MOST_STEPS = 50_000;

  private MaskTrial() {}

  /// The text that makes the mask slow when a line repeats it; empty if there is none.
  public static Optional<String> slowOn(MaskPattern mask) {
    long most = LINE * Math.min(MOST_LOOKS, MOST_STEPS / mask.compiled().programSize());
    return units(mask).stream().filter(unit -> looksMore(mask, unit, most)).findFirst();
  }

  private static boolean looksMore(MaskPattern mask, String unit, long most) {
    var line = new Line(unit.repeat(LINE / unit.length()));
    var found = mask.compiled().matcher(line);
    while (line.looks <= most && found.find()) {
      found.end(mask.group()); // the matcher finds the group only on request
    }
    return line.looks > most;
  }

  private static Set<String> units(MaskPattern mask) {
    var units = new LinkedHashSet<>(MatchingTexts.of(mask.regex()));
    for (var sought : mask.sought()) {
      var word = sought.text();
      units.addAll(List.of(word, word + "-", word + "=\"", word + ": aB1"));
    }
    return units;
  }

  /// A line that counts how often its characters are read.
  private static final class Line implements CharSequence {
    private final String text;
    private long looks;

    Line(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      looks++;
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
