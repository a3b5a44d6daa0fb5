package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "0.0001, < 1 ms",
    "0.1204, 120 ms",
    "0.9999, 1 s",
    "12.134, 12.1 s",
    "99.96, 1 min 40 s",
    "200, 3 min 20 s",
    "7500, 2 h 5 min",
  })
  void showsSecondsInTheUnitThatFits(double seconds, String text) {
    assertThat(Figures.seconds(seconds)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "999, 999 B", "12361, 12.4 kB", "999999, 1.0 MB", "1073741824, 1.1 GB"})
  void showsBytesInTheUnitThatFits(long bytes, String text) {
    assertThat(Figures.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void namesTheDayOfTheEndOnlyWhenItIsAnother() {
    var start = Instant.parse("2026-11-20T23:59:00Z");
    assertThat(Figures.span(start, start.plusSeconds(30)))
        .isEqualTo("2026-11-20 23:59:00 – 23:59:30 UTC (30 s)");
    assertThat(Figures.span(start, start.plusSeconds(120)))
        .isEqualTo("2026-11-20 23:59:00 – 2026-11-21 00:01:00 UTC (2 min)");
    assertThat(Figures.span(start, null)).isEqualTo("since 2026-11-20 23:59:00 UTC");
    assertThat(Figures.span(null, null)).isEmpty();
  }

  @Test
  void drawsBarsOfExactlyTheirWidth() {
    assertThat(TextBar.of(0.5, 8, true)).isEqualTo("████    ");
    assertThat(TextBar.of(0.3, 8, true)).isEqualTo("██▍     ");
    assertThat(TextBar.of(0.0001, 8, true)).isEqualTo("▏       ");
    assertThat(TextBar.of(Double.NaN, 8, false)).isEqualTo("        ");
    assertThat(TextBar.of(7, 8, false)).isEqualTo("########");
  }
}
