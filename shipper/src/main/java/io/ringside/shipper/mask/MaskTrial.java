package io.ringside.shipper.mask;

import io.ringside.shipper.config.MaskPattern;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tries a mask on lines made to hurt: its words and what its expression spells out, over and over.
/// A search is linear in the line, but an expression may look to the line's end at each of its
/// finds. So what it looks at is counted, which no other program on the machine changes.
public final class MaskTrial {
  private static final int LINE = 1 << 14;

  /// At each character of the line; the shipped masks look ten times. What looks to the end at each
  /// find looks hundreds of times.
  private static final long MOST_LOOKS = 16;

  /// The same by the steps of the expression, which are all tried at each look; the shipped masks
  /// take half.
  private static final long MOST_STEPS = 50_000;

  private MaskTrial() {}

  /// The text which, over and over in a line, makes the mask slow, if there is one.
  public static Optional<String> slowOn(MaskPattern mask) {
    long most = LINE * Math.min(MOST_LOOKS, MOST_STEPS / mask.compiled().programSize());
    return units(mask).stream().filter(unit -> looksMore(mask, unit, most)).findFirst();
  }

  private static boolean looksMore(MaskPattern mask, String unit, long most) {
    var line = new Line(unit.repeat(LINE / unit.length()));
    var found = mask.compiled().matcher(line);
    while (line.looks <= most && found.find()) {
      found.end(mask.group()); // is looked for once it is asked for
    }
    return line.looks > most;
  }

  private static Set<String> units(MaskPattern mask) {
    var units = new LinkedHashSet<>(Spelled.by(mask.regex()));
    for (var sought : mask.sought()) {
      var word = sought.text();
      units.addAll(List.of(word, word + "-", word + "=\"", word + ": aB1"));
    }
    return units;
  }

  /// A line that counts how often a character of it is looked at.
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
