package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.streams.job.Replay;
import io.ringside.streams.recorded.Lines;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// A log that ends, and samples of its GPU before and after that: lines and samples come by topics
/// of their own, so either may be read first.
class GpusOfEndedLogsTest {
  private static final int LAST_SECOND = 62;

  @Test
  void areTheJobsUntilThenWhicheverIsReadFirst() {
    var samples =
        LongStream.rangeClosed(1, 2 * LAST_SECOND)
            .mapToObj(second -> Lines.sample(Lines.AT.plusSeconds(second)))
            .toList();
    var end = end();

    assertThat(readings(samples, end)).isEqualTo(readings(List.of(end), samples));
    assertThat(readings(samples, end)).isEqualTo(LAST_SECOND);
  }

  /// A job keeps readings by the second.
  @Test
  void areTheJobsForAllOfTheLastSecond() {
    var samples =
        LongStream.rangeClosed(1, 2 * LAST_SECOND)
            .mapToObj(second -> Lines.sample(Lines.AT.plusSeconds(second).plusMillis(60)))
            .toList();

    assertThat(readings(List.of(end()), samples)).isEqualTo(LAST_SECOND);
    assertThat(readings(samples, end())).isEqualTo(LAST_SECOND);
  }

  private static int readings(List<? extends AgentEvent> first, AgentEvent then) {
    return readings(first, List.of(then));
  }

  private static int readings(List<? extends AgentEvent> first, List<? extends AgentEvent> then) {
    var all = new ArrayList<AgentEvent>();
    all.add(Lines.of(0, false, Lines.start(0, 1).toArray(String[]::new)));
    all.addAll(first);
    all.addAll(then);
    var job = new Replay().addAll(all).jobs().values().iterator().next();
    return job.runs().getFirst().gpus().bySecond().values().stream()
        .mapToInt(second -> second.size())
        .sum();
  }

  /// Of the agent, once the file is gone.
  private static AgentEvent end() {
    return Lines.ended(0, 1, 1_000, Lines.AT.plusSeconds(LAST_SECOND));
  }
}
