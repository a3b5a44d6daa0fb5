package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A switch over what is sealed has no `default`, in any module: when a variant arrives the compiler
/// lists who must decide.
class SealedSwitchTest {
  private static final Pattern COMMENT = Pattern.compile("//[^\\n]*");
  private static final Pattern SEALED = Pattern.compile("sealed interface (\\w+)");
  private static final Pattern SWITCH = Pattern.compile("\\bswitch \\([^{]*\\{");

  /// The first name of a pattern: `case NcclEvent.Edge edge ->`, `case Tick(var now) ->`,
  /// `case Edge _ when …`.
  private static final Pattern CASE = Pattern.compile("\\bcase (\\w+)(\\.\\w+)?(?: \\w+|\\()");

  private static final Pattern VARIANT =
      Pattern.compile("(?:record|class|interface) (\\w+)[^{;]*?(?:implements|extends) (\\w+)");

  @Test
  void hasNoDefault() {
    var sources = sources();
    assertThat(sources).hasSizeGreaterThan(1_000);
    var labels = labels(sources.values());
    var found =
        sources.entrySet().stream()
            .flatMap(
                source ->
                    SWITCH
                        .matcher(source.getValue())
                        .results()
                        .map(at -> own(block(source.getValue(), at.end() - 1)))
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

  /// Texts without comments, by file.
  private static Map<String, String> sources() {
    var texts = new TreeMap<String, String>();
    Repository.javaFiles("src/main")
        .forEach(
            file ->
                texts.put(
                    Repository.ROOT.relativize(file).toString(),
                    COMMENT.matcher(Repository.text(file)).replaceAll("")));
    return texts;
  }

  /// What stands between the brace at this index and the one that closes it; braces in strings come
  /// in pairs.
  private static String block(String text, int brace) {
    int depth = 0;
    for (int at = brace; at < text.length(); at++) {
      if (text.charAt(at) == '{') {
        depth++;
      } else if (text.charAt(at) == '}' && --depth == 0) {
        return text.substring(brace + 1, at);
      }
    }
    return text.substring(brace + 1);
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
