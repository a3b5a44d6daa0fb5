package io.ringside.streams.publish.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.InstanceHoldings;
import io.ringside.streams.publish.Samples;
import io.ringside.streams.publish.ViewsUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FleetViewsTest {
  private static final Duration PATIENCE = Duration.ofMillis(400);

  /// Three partitions, of which this instance (a) has one.
  private record Group(String own, Map<String, Set<Integer>> owners, int partitions)
      implements Instances {}

  private static final Group GROUP =
      new Group("a:1", Map.of("a:1", Set.of(0), "b:1", Set.of(1, 2)), 3);

  @Test
  void mergesWhatAllInstancesHold() {
    var views =
        new FleetViews(() -> holding(0), GROUP, (address, patience) -> holding(1, 2), PATIENCE);

    assertThat(views.look().missing()).isEmpty();
    assertThat(views.look().runs())
        .extracting(RunSummary::job)
        .containsExactly("job-0", "job-1", "job-2");
  }

  @Test
  void saysWhoDidNotAnswerAndShowsTheRest() {
    var views =
        new FleetViews(
            () -> holding(0),
            GROUP,
            (address, patience) -> {
              throw new ViewsUnavailable("does not answer", new RuntimeException());
            },
            PATIENCE);

    var look = views.look();

    assertThat(look.runs()).extracting(RunSummary::job).containsExactly("job-0");
    assertThat(look.missing())
        .containsExactly(
            "b:1: does not answer", "partitions that no instance has at the moment: [1, 2]");
  }

  @Test
  void waitsForAPartitionThatMoves() {
    var asked = new AtomicInteger();
    var views =
        new FleetViews(
            () -> holding(0),
            GROUP,
            (address, patience) -> asked.getAndIncrement() == 0 ? holding(1) : holding(1, 2),
            PATIENCE);

    assertThat(views.look().missing()).isEmpty();
    assertThat(views.look().runs()).hasSize(3);
  }

  @Test
  void believesTheOwnerOfAPartitionThatTwoClaim() {
    var stale = Samples.run("stale", "0x1", 1, RunSummary.State.RUNNING);
    var views =
        new FleetViews(
            () ->
                new InstanceHoldings(
                    Map.of(
                        0,
                        results("job-0"),
                        1,
                        new InstanceHoldings.Results(List.of(stale), List.of())),
                    Map.of()),
            GROUP,
            (address, patience) -> holding(1, 2),
            PATIENCE);

    assertThat(views.look().runs())
        .extracting(RunSummary::job)
        .containsExactly("job-0", "job-1", "job-2");
  }

  @Test
  void refusesRatherThanShowNothing() {
    var views =
        new FleetViews(
            () -> {
              throw new ViewsUnavailable("starts", new RuntimeException());
            },
            new Group("a:1", Map.of("a:1", Set.of()), 3),
            (address, patience) -> InstanceHoldings.NONE,
            PATIENCE);

    assertThatThrownBy(views::look)
        .isInstanceOf(ViewsUnavailable.class)
        .hasMessageContaining("this instance: starts");
  }

  private static InstanceHoldings holding(int... partitions) {
    var jobs = new java.util.TreeMap<Integer, InstanceHoldings.Results>();
    for (int partition : partitions) {
      jobs.put(partition, results("job-" + partition));
    }
    return new InstanceHoldings(jobs, Map.of());
  }

  private static InstanceHoldings.Results results(String job) {
    return new InstanceHoldings.Results(
        List.of(Samples.run(job, "0x1", 1, RunSummary.State.RUNNING)), List.of());
  }
}
