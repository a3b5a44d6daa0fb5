package io.ringside.streams.examine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Nanos;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class KernelStampTest {
  @Test
  void aJournalsStampIsOfTheYearOfTheRunOrOfTheOneBefore() {
    var began = Nanos.of(Instant.parse("2026-01-05T09:00:00Z"));
    var error = " n7 kernel: NVRM: Xid (PCI:0000:3b:00): 48, pid=3048, name=python3, DBE";

    assertThat(KernelStamp.longBefore(began, "Dec 30 14:22:10" + error)).isTrue();
    assertThat(KernelStamp.longBefore(began, "Feb 29 14:22:10" + error)).isTrue();
    assertThat(KernelStamp.longBefore(began, "Jan 05 10:22:10" + error)).isFalse();
  }

  @Test
  void tellsHowFarTwoLinesOfOneKernelAreApart() {
    assertThat(KernelStamp.secondsApart("[ 4435.5] a", "4443.25] b")).isEqualTo(7.75);
    assertThat(
            KernelStamp.secondsApart(
                "Jan 05 10:22:10 n7 kernel: a", "Jan 05 10:23:11 n7 kernel: b"))
        .isEqualTo(61);
    assertThat(KernelStamp.secondsApart("[ 4435.5] a", "b")).isNaN();
  }
}
