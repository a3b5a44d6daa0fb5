package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.topology.RecordLag.Lag;
import org.junit.jupiter.api.Test;

class RecordLagTest {
  private static final long NOW = 1_000_000;

  private final RecordLag lag = new RecordLag();

  @Test
  void oldRecordsShowThatNotAllIsRead() {
    lag.received(NOW - 60_000);
    lag.received(NOW - 30_000);

    assertThat(lag.take(NOW)).isEqualTo(Lag.BEHIND);
  }

  @Test
  void onceRecordsAreFreshOrNoneComeItIsInTime() {
    lag.received(NOW - 30_000);
    lag.received(NOW - 50);
    assertThat(lag.take(NOW)).isEqualTo(Lag.IN_TIME);

    lag.received(NOW - 30_000);
    assertThat(lag.take(NOW)).isEqualTo(Lag.BEHIND);
    assertThat(lag.take(NOW + 1_100)).isEqualTo(Lag.IN_TIME);
  }

  @Test
  void aRecordOfASecondIsInTimeAndOneOfFiveOnlyLate() {
    lag.received(NOW - 1_000);
    assertThat(lag.take(NOW)).isEqualTo(Lag.IN_TIME);
    lag.received(NOW - 1_001);
    assertThat(lag.take(NOW)).isEqualTo(Lag.LATE);

    lag.received(NOW - 5_000);
    assertThat(lag.take(NOW)).isEqualTo(Lag.LATE);
    lag.received(NOW - 5_001);
    assertThat(lag.take(NOW)).isEqualTo(Lag.BEHIND);
  }

  @Test
  void theLargerLagCounts() {
    assertThat(Lag.LATE.or(Lag.BEHIND)).isEqualTo(Lag.BEHIND);
    assertThat(Lag.LATE.or(Lag.IN_TIME)).isEqualTo(Lag.LATE);
  }
}
