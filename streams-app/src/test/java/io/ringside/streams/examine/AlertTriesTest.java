package io.ringside.streams.examine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.examine.NextSteps.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What an alert says to try is what its kind of finding says. An alert knows no pod, process or
/// GPU; the page does.
class AlertTriesTest {
  private static final Path RULES = Path.of("..", "deploy/prometheus/rules/ringside.yaml");

  private static final Pattern ALERT =
      Pattern.compile(
          "- alert: (\\w+)(?:(?!- alert: )[\\s\\S])*? by \\(([^)]*)\\)(?:(?!- alert: )[\\s\\S])*?\\{kind=~?\"([^\"]*)\"(?:(?!- alert: )[\\s\\S])*?\\n *try: '((?:[^'\\n]|'')*)'\\n");

  private static final Pattern BLOCK =
      Pattern.compile(
          "\\{\\{ (?:with \\$labels\\.namespace|if eq \\$labels\\.kind `([a-z-]+)`) }}((?:(?!\\{\\{ (?:with|if|end) ?).)*)\\{\\{ end }}");

  /// @param ofNamespaces whether it tells jobs of several namespaces apart
  /// @param kinds that the alert stands for
  record Alert(String name, boolean ofNamespaces, List<FindingKind> kinds, String tries) {
    private static Alert of(MatchResult match) {
      return new Alert(
          match.group(1),
          match.group(2).contains("namespace"),
          Arrays.stream(match.group(3).split("\\|")).map(Alert::kind).toList(),
          match.group(4).replace("''", "'"));
    }

    private static FindingKind kind(String label) {
      return Arrays.stream(FindingKind.values())
          .filter(it -> it.label().equals(label))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Alert> alerts() throws IOException {
    return ALERT.matcher(Files.readString(RULES)).results().map(Alert::of);
  }

  @ParameterizedTest
  @MethodSource("alerts")
  void sayWhatTheFindingSays(Alert alert) {
    for (var kind : alert.kinds()) {
      for (var namespace : alert.ofNamespaces() ? List.of("ml", "") : List.of("")) {
        var step = NextSteps.of(kind, new Place(namespace, "", "<node>", 0, "<gpu>")).getFirst();
        assertThat(rendered(alert.tries(), kind, namespace))
            .as("%s of %s in namespace '%s'", kind, alert, namespace)
            .isIn(step, "page_url says what to run for %s".formatted(kind.label()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("alerts")
  void giveACommandUnlessTheyStandForMoreThanTwoKinds(Alert alert) {
    assertThat(alert.tries().startsWith("page_url")).isEqualTo(alert.kinds().size() > 2);
  }

  /// As Prometheus has it: blocks from the inside out.
  private static String rendered(String template, FindingKind kind, String namespace) {
    var text = template;
    for (var block = BLOCK.matcher(text); block.find(); block = BLOCK.matcher(text)) {
      boolean holds =
          block.group(1) == null ? !namespace.isEmpty() : block.group(1).equals(kind.label());
      var branches = block.group(2).split("\\{\\{ else }}", 2);
      var branch = holds ? branches[0] : branches.length > 1 ? branches[1] : "";
      text = text.substring(0, block.start()) + branch + text.substring(block.end());
    }
    return text.replace("{{ . }}", namespace).replace("{{ $labels.kind }}", kind.label());
  }
}
