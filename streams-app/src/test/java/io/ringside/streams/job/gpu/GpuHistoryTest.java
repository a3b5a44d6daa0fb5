package io.ringside.streams.job.gpu;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuReading;
import java.time.Instant;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GpuHistoryTest {
  private final GpuHistory history = new GpuHistory();

  @Test
  void givesReadingsBackAsTheyWere() {
    var whole = reading(7, 512.34, 0L, null);
    var lacking =
        new GpuReading(
            1,
            "0000:0b:00.0",
            "GPU-1",
            "H100",
            null,
            null,
            null,
            -0.5,
            null,
            null,
            null,
            null,
            null,
            null,
            "ERR!",
            null);
    history.add("b", at(10), whole);
    history.add("a", at(10), lacking);

    var second = second(10);
    assertThat(second.size()).isEqualTo(2);
    assertThat(second.get("b")).isEqualTo(whole);
    assertThat(second.get("a")).isEqualTo(lacking);
    assertThat(second.has("c")).isFalse();
    assertThat(second.get("c")).isNull();
  }

  @Test
  void forgetsWhatWasReadOfAProcessThatHadEnded() {
    history.add("a", at(10), reading(0, 100, 0L, null));
    history.add("b", at(11), reading(1, 100, 0L, null));
    history.add("a", at(11), reading(0, 100, 0L, null));
    history.add("a", at(12), reading(0, 100, 0L, null));

    history.forget("a", at(10) + 999_999_999);
    history.forget("c", at(10));

    assertThat(history.bySecond()).containsOnlyKeys(10L, 11L);
    assertThat(second(10).has("a")).isTrue();
    assertThat(second(11).has("a")).isFalse();
    assertThat(second(11).size()).isEqualTo(1);
    history.add("a", at(11), reading(0, 300, 0L, null));
    assertThat(second(11).size()).isEqualTo(2);
  }

  @Test
  void countsTheFirstReadingOfASecondAndKeepsTheOrderOfProcesses() {
    history.add("z", at(10), reading(0, 100, 0L, null));
    history.add("z", at(10) + 500_000_000, reading(0, 200, 0L, null));
    history.add("a", at(10), reading(1, 300, 0L, null));

    var seen = new ArrayList<String>();
    for (var gpu = second(10).gpus(); gpu.next(); ) {
      seen.add(gpu.process() + " " + gpu.watts());
    }
    assertThat(seen).containsExactly("a 300.0", "z 100.0");
  }

  @Test
  void keepsAQuarterOfAnHour() {
    for (int second = 0; second < 2_000; second++) {
      history.add("a", at(second), reading(0, second, (long) second, null));
    }
    assertThat(history.bySecond()).hasSize(900);
    assertThat(history.bySecond().firstKey()).isEqualTo(1_100);
    // traits that change each second are forgotten with the readings that have them
    for (int second = 1_100; second < 2_000; second++) {
      assertThat(history.at(second)).isNotNull();
      assertThat(second(second).get("a")).isEqualTo(reading(0, second, (long) second, null));
    }
    assertThat(history.between(Instant.ofEpochSecond(1_200), Instant.ofEpochSecond(1_209)))
        .hasSize(10);
  }

  @Test
  void takesInAnotherRuns() {
    var other = new GpuHistory();
    other.add("b", at(11), reading(1, 50, 0L, "lost"));
    history.add("a", at(11), reading(0, 60, 0L, null));
    history.absorb(other);

    assertThat(second(11).get("b")).isEqualTo(reading(1, 50, 0L, "lost"));
    assertThat(second(11).size()).isEqualTo(2);
  }

  private GpuSecond second(long second) {
    return requireNonNull(history.at(second));
  }

  private static long at(long second) {
    return second * 1_000_000_000L;
  }

  private static GpuReading reading(int index, double watts, Long ecc, @Nullable String error) {
    return new GpuReading(
        index,
        "0000:0%d:00.0".formatted(index),
        "GPU-" + index,
        "NVIDIA H100 80GB HBM3",
        99.0,
        61_234.0,
        81_559.0,
        watts,
        700.0,
        61.5,
        1_980.0,
        1_980.0,
        4L,
        ecc,
        error,
        null);
  }
}
