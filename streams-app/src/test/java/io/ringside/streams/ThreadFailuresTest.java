package io.ringside.streams;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ThreadFailuresTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-20T10:00:00Z"));
  private final ThreadFailures failures = new ThreadFailures(now::get);

  @Test
  void replacesAThreadThreeTimesAndThenGivesUp() {
    assertThat(failures.handle(new IllegalStateException("1"))).isEqualTo(REPLACE_THREAD);
    assertThat(failures.handle(new IllegalStateException("2"))).isEqualTo(REPLACE_THREAD);
    assertThat(failures.handle(new IllegalStateException("3"))).isEqualTo(REPLACE_THREAD);
    assertThat(failures.handle(new IllegalStateException("4"))).isEqualTo(SHUTDOWN_CLIENT);
    assertThat(failures.total()).isEqualTo(4);
  }

  @Test
  void forgetsFailuresAfterTenMinutes() {
    for (int i = 0; i < 5; i++) {
      assertThat(failures.handle(new IllegalStateException("now and then")))
          .isEqualTo(REPLACE_THREAD);
      now.set(now.get().plus(Duration.ofMinutes(4)));
    }
  }
}
