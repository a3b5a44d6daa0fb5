package io.ringside.shipper.config;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// What must not leave the node: in text that contains one of the words, whatever the group `secret`
/// of the pattern matches.
///
/// @param name what is hidden, for messages
/// @param words looked for first, as they are; an expression is tried only where one of them stands
/// @param regex for example `PASSWORD=(?<secret>\S+)`; it should not match across lines
public record MaskPattern(String name, List<String> words, String regex) {
  public MaskPattern {
    words = List.copyOf(words);
    if (words.isEmpty() || words.stream().anyMatch(word -> word.strip().length() < 2)) {
      throw new IllegalArgumentException(
          "words of mask '%s' must be words of two letters or more".formatted(name));
    }
    try {
      if (!Pattern.compile(regex).namedGroups().containsKey("secret")) {
        throw new IllegalArgumentException(
            "mask '%s' must have a group (?<secret>…)".formatted(regex));
      }
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "mask '%s' cannot be read: %s".formatted(regex, e.getDescription()), e);
    }
  }
}
