package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class JudgingShareTest {
  private static final long NOW = 1_790_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  private final JudgingShare share = new JudgingShare(1, Duration.ofSeconds(5));

  @Test
  void lastsForAsManyStartsAsAJobUsuallyHas() {
    for (int start = 0; start < 400; start++) {
      assertThat(share.lets("job", NOW)).isTrue();
      share.took("job", Duration.ofMillis(10).toNanos(), NOW);
    }
  }

  @Test
  void isASmallPartOfTheTimeThatPassesOnceItIsSpent() {
    share.took("job", 6 * SECOND, NOW);
    assertThat(share.lets("job", NOW)).isFalse();
    assertThat(share.lets("another", NOW)).isTrue();

    long taken = 0;
    for (long now = NOW; now < NOW + 3_600_000; now += 100) {
      if (share.lets("job", now)) {
        share.took("job", SECOND / 2, now);
        taken += SECOND / 2;
      }
    }
    assertThat(taken).isBetween(30 * SECOND, 37 * SECOND);
  }

  @Test
  void isNotGivenByAClockThatIsSet() {
    share.took("job", 6 * SECOND, NOW);

    assertThat(share.lets("job", NOW - 3_600_000)).isFalse();
    share.took("job", 0, NOW - 3_600_000);
    assertThat(share.lets("job", NOW - 3_599_000)).isFalse();
  }
}
