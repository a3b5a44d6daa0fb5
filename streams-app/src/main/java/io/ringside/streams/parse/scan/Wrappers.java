package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.RankHint;
import org.jspecify.annotations.Nullable;

/// What launchers, runtimes and terminals write in front of a line: `[default0]:` and `[rank0]:` (torch), `[1,26]<stdout>:`
/// (mpirun), `(RayTrainWorker pid=1, ip=10.0.0.1) ` (Ray), `0: ` (Slurm), `2024-12-04T05:27:44.079Z stdout F ` (CRI, kubectl,
/// CloudWatch), `[pod/name/container] ` (kubectl), colours.
public final class Wrappers {

  private static final int MOST = 8;

  private Wrappers() {}

  /// Index of the first char behind all wrappers; blanks stay.
  public static int skip(Text text, int start, int end) {
    var at = start;
    for (var i = 0; i < MOST; i++) {
      var next = one(text, at, end);
      if (next <= at) {
        break;
      }
      at = next;
    }
    return at;
  }

  /// The rank that the wrappers of a range name, or null; the last one in them wins.
  public static @Nullable RankHint hint(Text text, int start, int end) {
    RankHint hint = null;
    var at = start;
    for (var i = 0; i < MOST; i++) {
      var next = one(text, at, end);
      if (next <= at) {
        break;
      }
      var here = hintOf(text, at, next);
      hint = here == null ? hint : here;
      at = next;
    }
    return hint;
  }

  private static int one(Text text, int at, int end) {
    if (at >= end) {
      return at;
    }
    var c = text.charAt(at);
    return switch (c) {
      case '[' -> bracket(text, at, end);
      case '(' -> ray(text, at, end);
      case 0x1b -> colour(text, at, end);
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(text, at, end);
      default -> at;
    };
  }

  /// `[rank0]:`, `[default0]:`, `[1,26]<stdout>:` and `[pod/name/container] `.
  private static int bracket(Text text, int at, int end) {
    if (Chars.at(text, at, end, "[pod/")) {
      var close = Chars.find(text, at, end, ']');
      return close < 0 ? at : afterBlank(text, close + 1, end);
    }
    var p = at + 1;
    while (p < end
        && (Chars.isLetter(text.charAt(p)) || text.charAt(p) == '_' || text.charAt(p) == '-')) {
      p++;
    }
    var digits = Chars.skipDigits(text, p, end);
    if (digits == p || digits >= end) {
      return at;
    }
    if (p == at + 1) {
      return text.charAt(digits) == ',' ? mpirun(text, at, digits + 1, end) : at;
    }
    return Chars.at(text, digits, end, "]:") ? afterBlank(text, digits + 2, end) : at;
  }

  private static int mpirun(Text text, int at, int from, int end) {
    var digits = Chars.skipDigits(text, from, end);
    if (digits == from || !Chars.at(text, digits, end, "]<std")) {
      return at;
    }
    var close = Chars.find(text, digits, Math.min(end, digits + 12), ">:");
    return close < 0 ? at : close + 2;
  }

  private static int ray(Text text, int at, int end) {
    var close = Chars.find(text, at, Math.min(end, at + 120), ')');
    var pid = close < 0 ? -1 : Chars.find(text, at, close, " pid=");
    return pid < 0 ? at : afterBlank(text, close + 1, end);
  }

  private static int colour(Text text, int at, int end) {
    if (at + 1 >= end || text.charAt(at + 1) != '[') {
      return at + 1;
    }
    var p = at + 2;
    while (p < end && !Chars.isLetter(text.charAt(p))) {
      p++;
    }
    return Math.min(end, p + 1);
  }

  /// `2024-12-04T05:27:44.079Z `, then perhaps `stdout F `; or `3: `.
  private static int number(Text text, int at, int end) {
    var digits = Chars.skipDigits(text, at, end);
    if (Chars.at(text, digits, end, ": ") && digits - at <= 6) {
      return digits + 2;
    }
    if (digits - at != 4
        || end - at < 20
        || text.charAt(digits) != '-'
        || text.charAt(at + 10) != 'T') {
      return at;
    }
    var blank = Chars.find(text, at, Math.min(end, at + 40), ' ');
    if (blank < 0 || Chars.find(text, at, blank, ':') < 0) {
      return at;
    }
    var stream = blank + 1;
    if (Chars.at(text, stream, end, "stdout ") || Chars.at(text, stream, end, "stderr ")) {
      var tag = Chars.find(text, stream + 7, Math.min(end, stream + 20), ' ');
      return tag < 0 ? stream : tag + 1;
    }
    return stream;
  }

  private static int afterBlank(Text text, int at, int end) {
    return at < end && text.charAt(at) == ' ' ? at + 1 : at;
  }

  private static @Nullable RankHint hintOf(Text text, int at, int next) {
    var c = text.charAt(at);
    if (c == '[' && Chars.isDigit(text.charAt(at + 1))) {
      var comma = Chars.find(text, at, next, ',');
      return comma < 0 ? null : new RankHint(numberAt(text, comma + 1, next), false);
    }
    if (c == '[' && text.charAt(at + 1) != 'p') {
      var p = at + 1;
      while (p < next && !Chars.isDigit(text.charAt(p))) {
        p++;
      }
      return new RankHint(numberAt(text, p, next), !Chars.at(text, at, next, "[rank"));
    }
    if (Chars.isDigit(c) && Chars.at(text, Chars.skipDigits(text, at, next), next, ": ")) {
      return new RankHint(numberAt(text, at, next), false);
    }
    return null;
  }

  private static int numberAt(Text text, int from, int end) {
    return Chars.smallDigits(text, from, Chars.skipDigits(text, from, end));
  }
}
