package io.ringside.shipper.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Objects;

/// A secret that must not leave the node. In lines that contain one of the words, it hides the
/// match of the pattern's group `secret`; or of the group `word`, unless that is a number or a
/// value such as `none`; or of the group `random`, if it looks random.
///
/// Expressions use the RE2 syntax, with neither lookaround nor back-references. RE2 takes time in
/// proportion to the line, whatever the expression.
public final class MaskPattern {
  private static final String SECRET = "secret";
  private static final String WORD = "word";
  private static final String RANDOM = "random";

  private final String name;
  private static final String BOUNDARY = "\\b";

  private final List<String> words;
  private final List<Word> sought;
  private final Pattern compiled;

  /// A word searched for before the expression is tried.
  ///
  /// @param begins whether the word counts only if no letter, digit or `_` stands before it: `sk-`
  ///     is in `task-0`
  public record Word(String text, boolean begins) {}

  /// @param name kind of secret, for messages
  /// @param words searched for literally; a leading `\b` means that the word must begin a name. The
  ///     expression is tried only on lines that contain one of them
  /// @param regex for example `PASSWORD=(?<secret>\S+)`
  @JsonCreator
  public MaskPattern(
      @JsonProperty("name") String name,
      @JsonProperty("words") List<String> words,
      @JsonProperty("regex") String regex) {
    this.name = name;
    this.words = List.copyOf(words);
    this.sought =
        words.stream()
            .map(
                word ->
                    word.startsWith(BOUNDARY)
                        ? new Word(word.substring(BOUNDARY.length()), true)
                        : new Word(word, false))
            .toList();
    if (words.isEmpty() || sought.stream().anyMatch(word -> word.text().strip().length() < 2)) {
      throw new IllegalArgumentException(
          "words of mask '%s' must be words of two letters or more".formatted(name));
    }
    try {
      compiled = Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "mask '%s' cannot be read: %s (RE2: no lookaround, no back-references)"
              .formatted(regex, e.getDescription()),
          e);
    }
    if (!has(SECRET) && !has(WORD) && !has(RANDOM)) {
      throw new IllegalArgumentException(
          "mask '%s' must have a group (?<secret>…)".formatted(regex));
    }
  }

  @JsonProperty
  public String name() {
    return name;
  }

  @JsonProperty
  public List<String> words() {
    return words;
  }

  /// The words without their `\b` prefix, which becomes {@link Word#begins()}.
  @JsonIgnore
  public List<Word> sought() {
    return sought;
  }

  @JsonProperty
  public String regex() {
    return compiled.pattern();
  }

  public Pattern compiled() {
    return compiled;
  }

  /// Name of the group whose match is hidden.
  public String group() {
    return has(SECRET) ? SECRET : has(WORD) ? WORD : RANDOM;
  }

  /// Whether numbers are left visible.
  public boolean sparesNumbers() {
    return group().equals(WORD);
  }

  /// Whether a match is hidden only if it looks random.
  public boolean sparesWords() {
    return group().equals(RANDOM);
  }

  private boolean has(String group) {
    return compiled.namedGroups().containsKey(group);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MaskPattern that
        && name.equals(that.name)
        && words.equals(that.words)
        && regex().equals(that.regex());
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, words, regex());
  }
}
