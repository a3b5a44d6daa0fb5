package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestTest {
  private static final long NOW = 1_000_000;

  private final Rest rest = new Rest();

  @Test
  void judgingMayBeginAtOnce() {
    assertThat(rest.over(0)).isTrue();
  }

  @Test
  void aShortJudgementRestsTenTimesAsLongAsItTook() {
    rest.came(NOW - 100);
    rest.begin(NOW, 20);

    assertThat(rest.over(NOW + 219)).isFalse();
    assertThat(rest.over(NOW + 220)).isTrue();
  }

  @Test
  void aLongerOneRestsASecond() {
    rest.came(NOW);
    rest.begin(NOW, 300);

    assertThat(rest.over(NOW + 1_299)).isFalse();
    assertThat(rest.over(NOW + 1_300)).isTrue();
  }

  @Test
  void theLongestRestsTwiceAsLongAsItTook() {
    rest.came(NOW);
    rest.begin(NOW, 4_000);

    assertThat(rest.over(NOW + 11_999)).isFalse();
    assertThat(rest.over(NOW + 12_000)).isTrue();
  }

  @Test
  void behindTheLinesItRestsLonger() {
    rest.came(NOW - 60_000);
    rest.came(NOW - 30_000);
    rest.begin(NOW, 100);

    assertThat(rest.over(NOW + 3_099)).isFalse();
    assertThat(rest.over(NOW + 3_100)).isTrue();
  }

  @Test
  void butNoLongerThanFiveSeconds() {
    rest.came(NOW - 30_000);
    rest.begin(NOW, 1_000);

    assertThat(rest.over(NOW + 6_000)).isTrue();
  }

  @Test
  void onceLinesAreFreshOrNoneComeItIsNotBehind() {
    rest.came(NOW - 30_000);
    rest.came(NOW - 50);
    rest.begin(NOW, 100);
    assertThat(rest.over(NOW + 1_100)).isTrue();

    rest.begin(NOW + 1_100, 100);
    assertThat(rest.over(NOW + 2_200)).isTrue();
  }
}
