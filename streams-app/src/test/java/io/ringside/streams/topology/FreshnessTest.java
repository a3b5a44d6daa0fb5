package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreshnessTest {
  private static final long NOW = 1_000_000;

  private final Freshness freshness = new Freshness();

  @Test
  void oldRecordsShowThatNotAllIsRead() {
    freshness.came(NOW - 60_000);
    freshness.came(NOW - 30_000);

    assertThat(freshness.behind(NOW)).isTrue();
  }

  @Test
  void onceRecordsAreFreshOrNoneComeItIsNotBehind() {
    freshness.came(NOW - 30_000);
    freshness.came(NOW - 50);
    assertThat(freshness.behind(NOW)).isFalse();

    freshness.came(NOW - 30_000);
    assertThat(freshness.behind(NOW)).isTrue();
    assertThat(freshness.behind(NOW + 1_100)).isFalse();
  }

  @Test
  void aRecordOfFiveSecondsIsNotOldYet() {
    freshness.came(NOW - 5_000);
    assertThat(freshness.behind(NOW)).isFalse();

    freshness.came(NOW - 5_001);
    assertThat(freshness.behind(NOW)).isTrue();
  }
}
