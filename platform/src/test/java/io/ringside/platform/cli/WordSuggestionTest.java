package io.ringside.platform.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordSuggestionTest {
  private static final List<String> KNOWN = List.of("analyze", "demo", "up", "--format", "--json");

  @ParameterizedTest
  @CsvSource({
    "analyse, analyze",
    "anlayze, analyze",
    "ANALYZ, analyze",
    "dmeo, demo",
    "--fromat, --format",
    "--jason, --json",
  })
  void knowsWhatWasMeant(String typed, String meant) {
    assertThat(WordSuggestion.of(typed, KNOWN)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"dance", "x", "--", "-", "''", "--verbose"})
  void guessesNothingFarAway(String typed) {
    assertThat(WordSuggestion.of(typed, KNOWN)).isEmpty();
  }

  @Test
  void asks() {
    assertThat(WordSuggestion.question("deno", KNOWN)).isEqualTo("; did you mean demo?");
    assertThat(WordSuggestion.question("dance", KNOWN)).isEmpty();
  }
}
