package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import org.jspecify.annotations.Nullable;

/// The rank in front of a training script's own lines: `rank 3`, `Rank: 3`, `RANK=3`, `rank 3/8`,
/// `rank 3 of 8`, in brackets or before a colon, a bar or a dash. Each method returns the index
/// after it, or the given index if there is none.
final class RankWords {
  private static final String WORD = "rank";
  private static final String[] OF = {"/", " of "};

  private RankWords() {}

  /// `[rank 3] `, `(Rank 3/8): `.
  static int bracketed(Text text, int at, int end, char close, @Nullable FoundOrigin found) {
    var number = number(text, at + 1, end);
    var behind = number < 0 ? -1 : behind(text, number, end);
    if (behind < 0 || behind >= end || text.charAt(behind) != close) {
      return at;
    }
    var next = Chars.skipBlanks(text, behind + 1, end);
    var parted = isPart(text, next, end) ? Chars.skipBlanks(text, next + 1, end) : next;
    return parted == behind + 1 ? at : found(number, text, end, parted, found);
  }

  /// `rank 3: `, `Rank 3/8 | `.
  static int bare(Text text, int at, int end, @Nullable FoundOrigin found) {
    var number = number(text, at, end);
    var behind = number < 0 ? -1 : Chars.skipBlanks(text, behind(text, number, end), end);
    return behind >= 0 && isPart(text, behind, end) && Chars.at(text, behind + 1, end, " ")
        ? found(number, text, end, Chars.skipBlanks(text, behind + 1, end), found)
        : at;
  }

  private static int found(int number, Text text, int end, int next, @Nullable FoundOrigin found) {
    if (found != null) {
      found.rank(number, Chars.skipDigits(text, number, end));
    }
    return next;
  }

  /// Where the number begins, or -1 if the word is not here or has no number.
  private static int number(Text text, int at, int end) {
    for (var i = 0; i < WORD.length(); i++) {
      if (at + i >= end || (text.charAt(at + i) | 0x20) != WORD.charAt(i)) {
        return -1;
      }
    }
    var from = at + WORD.length();
    while (from < end && " :=#".indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    return Chars.skipDigits(text, from, end) == from ? -1 : from;
  }

  private static int behind(Text text, int number, int end) {
    var digits = Chars.skipDigits(text, number, end);
    for (var of : OF) {
      if (Chars.at(text, digits, end, of)) {
        return Chars.skipDigits(text, digits + of.length(), end);
      }
    }
    return digits;
  }

  private static boolean isPart(Text text, int at, int end) {
    return at < end && ":|-".indexOf(text.charAt(at)) >= 0;
  }
}
