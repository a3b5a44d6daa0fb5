package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.recorded.Recorded;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PageEndpointTest {
  private final PageEndpoint page = new PageEndpoint("https://wiki.example.org/runbooks");

  static Stream<String> everything() {
    return Stream.concat(Stream.of("", "app.css"), scripts());
  }

  static Stream<String> scripts() {
    return PageEndpoint.scripts().stream();
  }

  @ParameterizedTest
  @MethodSource("everything")
  void needsNothingFromElsewhere(String asset) {
    assertThat(text(asset).replace("http://www.w3.org/2000/svg", ""))
        .doesNotContainPattern("(https?:)?//[a-z0-9-]+\\.[a-z]")
        .doesNotContain("@import");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void neverMakesMarkupOutOfText(String asset) {
    assertThat(text(asset))
        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
  }

  @Test
  void hasOnePaletteForDarkWhetherTheSystemOrTheReaderAsksForIt() {
    Matcher palettes =
        Pattern.compile("\\{\\s*color-scheme: dark;(.*?)\\}", Pattern.DOTALL)
            .matcher(text("app.css"));
    assertThat(palettes.find()).isTrue();
    var bySystem = palettes.group(1).replaceAll("\\s+", " ");
    assertThat(palettes.find()).isTrue();
    var byReader = palettes.group(1).replaceAll("\\s+", " ");

    assertThat(byReader).isEqualTo(bySystem);
  }

  /// A word that nobody explains would be shown without its meaning.
  @Test
  void explainsEveryKindOfFindingEveryStateAndEveryCheck() {
    var terms = text("terms.js");
    for (var kind : FindingKind.values()) {
      assertThat(terms).contains("\n  \"" + kind.label() + "\": \"");
    }
    for (var state : RunSummary.State.values()) {
      assertThat(terms).contains("\n  \"" + state.label() + "\": \"");
    }
    var run = Recorded.in(Path.of("..", "examples", "recordings", "healthy")).judged().runs();
    assertThat(run.getFirst().checklist())
        .isNotEmpty()
        .allSatisfy(check -> assertThat(terms).contains("\n  \"" + check.name() + "\": \""));
    assertThat(text("links.json"))
        .isEqualTo("{\"runbooks\":\"https://wiki.example.org/runbooks\"}");
  }

  /// Every word with a bubble is one of those on the page of words.
  @ParameterizedTest
  @MethodSource("scripts")
  void asksForNoMeaningThatIsNotThere(String asset) {
    var terms = text("terms.js");
    var asked = Pattern.compile("\\bterm\\(\"([^\"]+)\"").matcher(text(asset)).results();

    assertThat(asked.map(it -> it.group(1)))
        .allSatisfy(word -> assertThat(terms).contains("\n  \"" + word + "\": \""));
  }

  private String text(String asset) {
    var path = asset.isEmpty() ? List.<String>of() : List.of(asset);
    var response = page.answer(new Request(path, Map.of(), "", "")).orElseThrow();
    return new String(response.body(), StandardCharsets.UTF_8);
  }
}
