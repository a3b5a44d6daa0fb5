package io.ringside.streams.bill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.streams.waits.MissingTime.Span;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Buckets of ten seconds; steps of a second, in which ranks come together but for the late one.
class ReplayTest {
  private static final long BUCKET = 10_000_000_000L;

  @Test
  void savesWhatTheLateMadeOthersWait() {
    var saved = replay(spans(20, 40, 2.5, 10), 20, 40).saved(0);

    assertThat(saved.seconds()).isEqualTo(50, within(0.5));
    assertThat(saved.low()).isLessThan(50);
    assertThat(saved.high()).isGreaterThan(50);
  }

  @Test
  void goesOnWhereTheFindingDoesNotButTheLatenessDoes() {
    assertThat(replay(spans(20, 40, 2.5, 10), 25, 30).seconds()).isEqualTo(50, within(0.5));
  }

  /// Chance makes each rank the last one now and then, and would have done so all the same.
  @Test
  void leavesOutWhatIsUsual() {
    var spans =
        IntStream.range(0, 60).mapToObj(i -> span(i, i >= 20 && i < 40 ? 3 : 0.3, 8, 10)).toList();

    assertThat(replay(spans, 20, 40).seconds()).isEqualTo(20 * (3 - 0.3), within(0.1));
  }

  /// As in programs that run ahead of their GPUs: turns take no longer although calls come late.
  @Test
  void savesNothingWhereTurnsTookNoLonger() {
    var spans =
        IntStream.range(0, 60)
            .mapToObj(i -> span(i, i >= 20 && i < 40 ? 3 : 0, 10, 10 + 0.01 * (i % 3)))
            .toList();

    assertThat(replay(spans, 20, 40).saved(0).seconds()).isLessThan(2);
  }

  @Test
  void believesTurnsNoFurtherThanWaitsReach() {
    var spans =
        IntStream.range(0, 60)
            .mapToObj(i -> span(i, i >= 20 && i < 40 ? 1 : 0, i >= 20 && i < 40 ? 2 : 10, 10))
            .toList();

    assertThat(replay(spans, 20, 40).saved(0).seconds()).isLessThanOrEqualTo(1.25 * 20);
  }

  @Test
  void saysNothingOfACommunicatorWithoutRounds() {
    assertThat(replay(List.of(), 0, 10).seconds()).isZero();
  }

  private static Replay replay(List<Span> spans, int from, int to) {
    return Replay.of(spans, 7, Times.of(from * BUCKET, to * BUCKET - 1), Times.NEVER);
  }

  /// @param late seconds in each bucket from one to another
  private static List<Span> spans(int from, int to, double late, double seconds) {
    return IntStream.range(0, 60)
        .mapToObj(
            i -> {
              boolean within = i >= from && i < to;
              return span(i, within ? late : 0, within ? seconds - late : seconds, seconds);
            })
        .toList();
  }

  private static Span span(int i, double missing, double turns, double turnSeconds) {
    return new Span(i * BUCKET, (i + 1) * BUCKET, missing, missing, 0, turns, turnSeconds);
  }
}
