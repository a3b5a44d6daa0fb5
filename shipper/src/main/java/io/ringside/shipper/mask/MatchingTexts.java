package io.ringside.shipper.mask;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Short texts that an expression matches, used to build test lines. Spells out every alternative
/// at the top level and the first alternative of each group. Takes the first usual character of a
/// class and the fewest repetitions.
final class MatchingTexts {
  private static final String USUAL = "aA0-_ x=:.\"'/+~!";
  private static final int MOST_REPEATED = 64;

  private final String regex;

  /// Whether optional parts are included.
  private final boolean full;

  private int at;

  private MatchingTexts(String regex, boolean full) {
    this.regex = regex;
    this.full = full;
  }

  /// The texts both without and with the optional parts.
  static Set<String> of(String regex) {
    var texts = new LinkedHashSet<>(new MatchingTexts(regex, false).alternatives());
    texts.addAll(new MatchingTexts(regex, true).alternatives());
    texts.remove("");
    return texts;
  }

  private List<String> alternatives() {
    var all = new ArrayList<String>();
    do {
      all.add(sequence());
    } while (skip('|'));
    return all;
  }

  private String sequence() {
    var text = new StringBuilder();
    while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
      text.append(repeated(atom()));
    }
    return text.toString();
  }

  private String repeated(String atom) {
    if (skip('?') || skip('*')) {
      skip('?');
      return full ? atom : "";
    }
    if (skip('+')) {
      skip('?');
      return atom;
    }
    int end = regex.indexOf('}', at);
    if (end > 0 && regex.substring(at, end + 1).matches("\\{\\d{1,4}(,\\d*)?}")) {
      var least = regex.substring(at + 1, end).split(",", 2)[0];
      at = end + 1;
      skip('?');
      int times = Math.min(MOST_REPEATED, Integer.parseInt(least));
      return atom.repeat(full ? Math.max(1, times) : times);
    }
    return atom;
  }

  private String atom() {
    if (skip('(')) {
      if (skip('?')) {
        int name = regex.indexOf('>', at);
        boolean named = regex.startsWith("<", at) || regex.startsWith("P<", at);
        at = named ? name + 1 : flags();
      }
      var first = alternatives().getFirst();
      skip(')');
      return first;
    }
    int from = at;
    if (skip('[')) {
      skip('^');
      skip(']');
      while (at < regex.length() && regex.charAt(at) != ']') {
        at += regex.charAt(at) == '\\' ? 2 : 1;
      }
    } else if (regex.charAt(at) == '\\') {
      at++;
    }
    at = Math.min(regex.length(), at + 1);
    return member(regex.substring(from, at));
  }

  /// Where the flags end: after their colon, or before the closing parenthesis.
  private int flags() {
    int end = at;
    while (end < regex.length() && regex.charAt(end) != ':' && regex.charAt(end) != ')') {
      end++;
    }
    return end < regex.length() && regex.charAt(end) == ':' ? end + 1 : end;
  }

  /// A character that the expression matches; empty for a position such as the line's end.
  private static String member(String expression) {
    if (expression.length() == 1 && ".^$".indexOf(expression.charAt(0)) < 0) {
      return expression;
    }
    try {
      var pattern = Pattern.compile(expression);
      var candidates = USUAL + expression;
      for (int i = 0; i < candidates.length(); i++) {
        var candidate = candidates.substring(i, i + 1);
        if (pattern.matches(candidate)) {
          return candidate;
        }
      }
    } catch (PatternSyntaxException e) {
      return ""; // a part that is not valid on its own
    }
    return "";
  }

  private boolean skip(char c) {
    boolean there = at < regex.length() && regex.charAt(at) == c;
    at += there ? 1 : 0;
    return there;
  }
}
