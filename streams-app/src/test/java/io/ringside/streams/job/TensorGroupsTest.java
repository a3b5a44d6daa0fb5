package io.ringside.streams.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.MegatronEvent.TensorParallel;
import io.ringside.streams.parse.event.TorchEvent.GroupOptions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TensorGroupsTest {
  private static final Evidence LINE = new Evidence(null, "n", "p", "f", 0, "size 2");
  private static final Set<Integer> FIRST = Set.of(0, 1);
  private static final Set<Integer> SECOND = Set.of(2, 3);
  private static final Set<Integer> EVEN = Set.of(0, 2);
  private static final Set<Integer> ODD = Set.of(1, 3);

  private final TensorGroups groups = new TensorGroups();

  @Test
  void areNoneWhereNothingIsTold() {
    assertThat(groups.among(List.of(FIRST, SECOND), 4)).isEmpty();
  }

  @Test
  void areTheOnlyOnesOfTheirSize() {
    groups.note(new TensorParallel(2, true), LINE);

    assertThat(groups.among(List.of(EVEN, ODD), 4)).containsOnly(EVEN, ODD);
  }

  @Test
  void areNeighboursWhereOthersAreAsLarge() {
    groups.note(new TensorParallel(2, false), LINE);

    assertThat(groups.among(List.of(EVEN, ODD), 4)).isEmpty();
    assertThat(groups.among(List.of(EVEN, ODD, FIRST, SECOND), 4)).containsOnly(FIRST, SECOND);
    assertThat(groups.among(List.of(Set.of(1, 2)), 4)).isEmpty();
  }

  @Test
  void areNoneWhereTwoSizesAreTold() {
    groups.note(new TensorParallel(2, true), LINE);
    groups.note(new TensorParallel(4, true), LINE);

    assertThat(groups.among(List.of(FIRST, SECOND), 4)).isEmpty();
  }

  @Test
  void areThoseOfTheirNameOnceAllRanksTold() {
    groups.note(new GroupOptions(0, 2, "7", "TENSOR_MODEL_PARALLEL_GROUP"), LINE);
    assertThat(groups.among(List.of(EVEN, FIRST), 4)).isEmpty();

    groups.note(new GroupOptions(2, 2, "7", "TENSOR_MODEL_PARALLEL_GROUP"), LINE);
    groups.note(new GroupOptions(0, 2, "8", "EXPERT_MODEL_PARALLEL_GROUP"), LINE);
    groups.note(new GroupOptions(1, 2, "8", "EXPERT_MODEL_PARALLEL_GROUP"), LINE);

    assertThat(groups.among(List.of(EVEN, FIRST), 4)).containsOnly(EVEN);
  }
}
