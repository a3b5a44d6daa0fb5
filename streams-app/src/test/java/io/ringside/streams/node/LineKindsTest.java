package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineKindsTest {
  private final LineKinds kinds = new LineKinds();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "gpu0 util=100% pwr=119W temp=41C; gpu0 util=0% pwr=72.5W temp=9C",
        "2026-06-02T21:28:00.211832-08:00 scrape ok, 4 targets; 2026-11-12T01:08:07.9-08:00 scrape ok, 16 targets",
        "10.12.0.1 - - \"GET /healthz HTTP/1.1\" 200; 10.244.9.51 - - \"GET /healthz HTTP/1.1\" 503",
      })
  void areAlikeWhereOnlyNumbersDiffer(String line, String other) {
    assertThat(isNew(line)).isTrue();
    assertThat(isNew(other)).isFalse();
  }

  @Test
  void differByTheirWords() {
    assertThat(isNew("saving checkpoint at iteration 400")).isTrue();
    assertThat(isNew("loading checkpoint of iteration 400")).isTrue();
  }

  @Test
  void areAllNewBeyondTheLimit() {
    for (int kind = 0; kind < 600; kind++) {
      isNew("" + (char) ('a' + kind / 26) + (char) ('a' + kind % 26));
    }

    assertThat(isNew("something else")).isTrue();
    assertThat(isNew("something else")).isTrue();
  }

  private boolean isNew(String line) {
    return kinds.isNew(Text.of(line), 0, line.length());
  }
}
