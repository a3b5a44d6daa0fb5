package io.ringside.streams.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A switch over what is sealed has no `default`: when a variant arrives the compiler lists who
/// must decide.
class SealedSwitchTest {
  private static final Pattern SEALED = Pattern.compile("sealed interface (\\w+)");
  private static final Pattern SWITCH = Pattern.compile("\\bswitch \\([^{]*\\{");

  /// The first name of a pattern: `case NcclEvent.Edge edge ->`, `case Tick(var now) ->`,
  /// `case Edge _ when …`.
  private static final Pattern CASE = Pattern.compile("\\bcase (\\w+)(\\.\\w+)?(?: \\w+|\\()");

  private static final Pattern VARIANT =
      Pattern.compile("(?:record|class|interface) (\\w+)[^{;]*?(?:implements|extends) (\\w+)");

  @Test
  void hasNoDefault() {
    var sources = Sources.all();
    var labels = labels(sources.values());
    var found =
        sources.entrySet().stream()
            .flatMap(
                source ->
                    SWITCH
                        .matcher(source.getValue())
                        .results()
                        .map(at -> own(Sources.block(source.getValue(), at.end() - 1)))
                        .filter(cases -> cases.contains("default ->"))
                        .filter(cases -> over(cases, labels))
                        .map(_ -> source.getKey()))
            .collect(Collectors.toSet());

    assertThat(found).isEmpty();
  }

  @Test
  void findsWhatItLooksFor() {
    assertThat(
            over(
                own(" case NcclEvent.Edge e -> { switch (e) { case A -> 1; } } default -> {}"),
                Set.of("NcclEvent.")))
        .isTrue();
    assertThat(over(own("case \"a\" -> 1; default -> 2;"), Set.of("NcclEvent."))).isFalse();
    assertThat(labels(List.of("sealed interface A {}", "record B(int c) implements A {}")))
        .containsExactlyInAnyOrder("A.", "B");
  }

  /// How labels name variants of what is sealed: by their own names, or behind that of the
  /// interface and a dot.
  private static Set<String> labels(Collection<String> sources) {
    var sealed = new HashSet<String>();
    for (var text : sources) {
      SEALED.matcher(text).results().forEach(found -> sealed.add(found.group(1)));
    }
    var labels = new HashSet<String>();
    sealed.forEach(name -> labels.add(name + "."));
    for (var text : sources) {
      VARIANT
          .matcher(text)
          .results()
          .filter(found -> sealed.contains(found.group(2)))
          .forEach(found -> labels.add(found.group(1)));
    }
    return labels;
  }

  private static boolean over(String cases, Set<String> labels) {
    return CASE.matcher(cases)
        .results()
        .anyMatch(label -> labels.contains(label.group(1) + (label.group(2) == null ? "" : ".")));
  }

  /// The block without blocks within it.
  private static String own(String block) {
    var own = new StringBuilder();
    int depth = 0;
    for (int at = 0; at < block.length(); at++) {
      char c = block.charAt(at);
      depth += c == '{' ? 1 : 0;
      if (depth == 0) {
        own.append(c);
      }
      depth -= c == '}' ? 1 : 0;
    }
    return own.toString();
  }
}
