package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Pipelines of four stages, two replicas: rank = 2 × stage + replica.
class StagesTest {
  private static final List<List<Integer>> PIPELINES =
      List.of(List.of(0, 2, 4, 6), List.of(1, 3, 5, 7));

  @Test
  void takesRanksAtOnePlaceOfAllPipelinesForAStage() {
    assertThat(Stages.stage(0, Set.of(0, 1), PIPELINES)).isTrue();
    assertThat(Stages.stage(1, Set.of(0, 1, 6), PIPELINES)).isTrue();
  }

  @Test
  void takesARankThatIsLateWithoutItsReplicasForAStraggler() {
    assertThat(Stages.stage(6, Set.of(0, 1, 6), PIPELINES)).isFalse();
    // a slow machine makes all stages of its replica late
    assertThat(Stages.stage(2, Set.of(0, 2, 4, 6), PIPELINES)).isFalse();
  }

  @Test
  void cannotTellAStageOfTheOnlyPipelineFromAStraggler() {
    assertThat(Stages.stage(0, Set.of(0), List.of(List.of(0, 1, 2, 3)))).isTrue();
  }
}
