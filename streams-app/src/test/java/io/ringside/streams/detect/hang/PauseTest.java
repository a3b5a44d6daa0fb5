package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.Severity.CRITICAL;
import static io.ringside.schemas.event.Severity.INFO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseTest {
  private static final Duration LEAST = Pause.CRITICAL_AFTER;

  @Test
  void takesNoteWhileRankZeroMaySave() {
    assertThat(Pause.severity(ofSeconds(31), LEAST, ofSeconds(1))).isEqualTo(INFO);
    // the job has come back from thirty seconds before
    assertThat(Pause.severity(ofSeconds(80), LEAST, ofSeconds(30))).isEqualTo(INFO);
  }

  @Test
  void isCriticalOnceItIsLongerThanAnythingBefore() {
    assertThat(Pause.severity(ofSeconds(61), LEAST, ofSeconds(1))).isEqualTo(CRITICAL);
    assertThat(Pause.severity(ofSeconds(91), LEAST, ofSeconds(30))).isEqualTo(CRITICAL);
  }

  @Test
  void saysWhoWaitsForWhom() {
    assertThat(Pause.summary(INFO, ofSeconds(14), 7, 8, "rank 0"))
        .isEqualTo("paused: 7 ranks have waited for rank 0 for 14 s");
    assertThat(Pause.summary(CRITICAL, ofSeconds(100), 7, 8, "rank 0"))
        .isEqualTo(
            "the job hangs: nobody made a call for 1 min 40 s, and 7 of 8 ranks wait for rank 0");
  }
}
