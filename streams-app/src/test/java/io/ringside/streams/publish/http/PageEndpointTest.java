package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PageEndpointTest {
  private final PageEndpoint page = new PageEndpoint();

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

  private String text(String asset) {
    var path = asset.isEmpty() ? List.<String>of() : List.of(asset);
    var response = page.answer(new Request(path, Map.of(), "", "")).orElseThrow();
    return new String(response.body(), StandardCharsets.UTF_8);
  }
}
