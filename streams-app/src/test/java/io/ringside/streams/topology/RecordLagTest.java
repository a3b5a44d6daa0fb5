package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecordLagTest {
  private static final long NOW = 1_000_000;

  private final RecordLag lag = new RecordLag();

  @Test
  void oldRecordsShowThatNotAllIsRead() {
    lag.received(NOW - 60_000);
    lag.received(NOW - 30_000);

    assertThat(lag.isBehind(NOW)).isTrue();
  }

  @Test
  void onceRecordsAreFreshOrNoneComeItIsNotBehind() {
    lag.received(NOW - 30_000);
    lag.received(NOW - 50);
    assertThat(lag.isBehind(NOW)).isFalse();

    lag.received(NOW - 30_000);
    assertThat(lag.isBehind(NOW)).isTrue();
    assertThat(lag.isBehind(NOW + 1_100)).isFalse();
  }

  @Test
  void aRecordOfFiveSecondsIsNotOldYet() {
    lag.received(NOW - 5_000);
    assertThat(lag.isBehind(NOW)).isFalse();

    lag.received(NOW - 5_001);
    assertThat(lag.isBehind(NOW)).isTrue();
  }
}
