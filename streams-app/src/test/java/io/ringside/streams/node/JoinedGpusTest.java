package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.node.NodeState.Joined;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Whose GPU is whose where no init line tells it.
class JoinedGpusTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final NodeState node = new NodeState();

  @Test
  void areThoseOfThePodThatHasAsMany() {
    join("p0", "pod", 0);
    join("p1", "pod", 1);

    assertThat(node.placeJoined(() -> List.of(sample("H100", "H100")))).containsExactly("llama");
    assertThat(node.sample(sample("H100", "H100")).get("llama"))
        .extracting(GpuFacts.Placed::process, placed -> placed.reading().busId())
        .containsExactly(tuple("p0", "bus-0"), tuple("p1", "bus-1"));
  }

  @Test
  void areStillOfTheOneWithTimesWhereTwoWithoutTimesNameThem() {
    var past = List.of(sample("H100", "H100"));
    node.place("bus-1", "first", "p", LogChunk.NO_TIME, past);
    assertThat(node.place("bus-1", "second", "q", LogChunk.NO_TIME, past)).isEmpty();

    assertThat(node.place("bus-1", "third", "r", 1, past))
        .extracting(GpuFacts.Placed::process)
        .containsExactly("r");
    assertThat(node.sample(past.getFirst())).containsOnlyKeys("third");
  }

  @Test
  void areNotKnownBeforeAllProcessesAre() {
    join("p0", "pod", 0);
    assertThat(node.placeJoined(() -> List.of(sample("H100", "H100")))).isEmpty();

    join("p1", "pod", 1);
    assertThat(node.placeJoined(() -> List.of())).isEmpty();
    assertThat(node.placeJoined(() -> List.of(sample("H100", "H100")))).containsExactly("llama");
  }

  @Test
  void areNotKnownWherePodsNumberTheirOwn() {
    join("p0", "a", 0);
    join("q0", "b", 0);

    assertThat(node.placeJoined(() -> List.of(sample("H100", "H100")))).isEmpty();
  }

  @Test
  void areNotKnownWhereTheyDiffer() {
    join("p0", "pod", 0);
    join("p1", "pod", 1);

    assertThat(node.placeJoined(() -> List.of(sample("H100", "A100")))).isEmpty();
  }

  @Test
  void areNotKnownWhereAnotherHoldsOne() {
    node.place("bus-1", "other", "q", 1, List.of());
    join("p0", "pod", 0);
    join("p1", "pod", 1);

    assertThat(node.placeJoined(() -> List.of(sample("H100", "H100")))).isEmpty();
  }

  /// Its last line came before it was known which GPUs are its own.
  @Test
  void areOfAJobThatIsToldOfItsNodeThoughAnotherSharesThem() {
    join("p0", "pod", 0);
    join("p1", "pod", 1);
    assertThat(node.placeJoined(() -> List.of(sample("H100", "H100")))).containsExactly("llama");

    node.place("bus-0", "other", "q0", 2, List.of());
    node.place("bus-1", "other", "q1", 2, List.of());

    assertThat(node.running(Duration.ofMinutes(10).toNanos())).containsExactly("llama", "other");
  }

  private void join(String process, String pod, int device) {
    node.join(process, new Joined("llama", pod, device, 1));
  }

  private static GpuSample sample(String... names) {
    return new GpuSample(
        "",
        "n1",
        NOW,
        IntStream.range(0, names.length)
            .mapToObj(
                index ->
                    new GpuReading(
                        index,
                        "bus-" + index,
                        "",
                        names[index],
                        85.0,
                        1.0,
                        1.0,
                        300.0,
                        700.0,
                        50.0,
                        1980.0,
                        1980.0,
                        0L,
                        0L,
                        null,
                        null))
            .toList());
  }
}
