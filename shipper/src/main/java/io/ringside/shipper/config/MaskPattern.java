package io.ringside.shipper.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Objects;

/// What must not leave the node: in lines that contain one of the words, whatever the group
/// `secret` of the pattern matches; or its group `word`, unless that is a number or none; or its
/// group `random`, if no person would write it.
///
/// Expressions are those of RE2, which takes time in proportion to the line whoever wrote it: they
/// have no lookaround and no back-references.
public final class MaskPattern {
  private static final String SECRET = "secret";
  private static final String WORD = "word";
  private static final String RANDOM = "random";

  private final String name;
  private static final String BOUNDARY = "\\b";

  private final List<String> words;
  private final List<Word> sought;
  private final Pattern compiled;

  /// What is looked for before an expression is tried.
  ///
  /// @param begins whether it counts only where neither a letter nor a digit nor
  ///   `_` stands before it: `sk-` is in `task-0`
  public record Word(String text, boolean begins) {}

  /// @param name what is hidden, for messages
  /// @param words looked for first, as they are, with `\b` before such as begin a name; an
  ///     expression is tried only where one of them stands
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

  /// The words without what is said of them.
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

  /// The group that is hidden.
  public String group() {
    return has(SECRET) ? SECRET : has(WORD) ? WORD : RANDOM;
  }

  /// Whether numbers are no secrets of this kind.
  public boolean sparesNumbers() {
    return group().equals(WORD);
  }

  /// Whether only what looks drawn by chance is a secret of this kind.
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
