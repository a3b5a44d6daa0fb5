package io.ringside.platform.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Suggests the word that a user who mistyped may have meant.
public final class WordSuggestion {
  private WordSuggestion() {}

  /// The known word that is reached with the fewest letters added, left out, changed or swapped: at
  /// most one edit per three letters. Among equally near words the first one is taken. Case is
  /// ignored.
  public static Optional<String> of(String typed, Collection<String> known) {
    var word = typed.toLowerCase(Locale.ROOT);
    int most = Math.max(1, bare(word).length() / 3);
    return known.stream()
        .filter(each -> steps(word, each.toLowerCase(Locale.ROOT)) <= most)
        .min(Comparator.comparingInt(each -> steps(word, each.toLowerCase(Locale.ROOT))));
  }

  /// `; did you mean straggler?`, or an empty string.
  public static String question(String typed, Collection<String> known) {
    return of(typed, known).map("; did you mean %s?"::formatted).orElse("");
  }

  /// The word without the leading dashes of an option, which do not count as letters.
  private static String bare(String word) {
    return word.replaceFirst("^-+", "");
  }

  private static int steps(String from, String to) {
    var two = new int[to.length() + 1];
    var one = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      one[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      var row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], one[j]) + 1, one[j - 1] + change);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          row[j] = Math.min(row[j], two[j - 2] + 1);
        }
      }
      two = one;
      one = row;
    }
    return one[to.length()];
  }
}
