package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Context groups of four, two of them.
class GroupPositionsTest {
  private static final List<List<Integer>> GROUPS =
      List.of(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7));

  @Test
  void explainWhoIsLastInEachGroup() {
    assertThat(GroupPositions.sharePlace(Set.of(3, 7), GROUPS)).isTrue();
  }

  @Test
  void explainNobodyOfOneGroupAlone() {
    assertThat(GroupPositions.sharePlace(Set.of(3), GROUPS)).isFalse();
  }

  @Test
  void explainNobodyAtDifferentPlaces() {
    assertThat(GroupPositions.sharePlace(Set.of(3, 6), GROUPS)).isFalse();
  }

  @Test
  void explainNoGroupThatIsLateAsAWhole() {
    assertThat(GroupPositions.sharePlace(Set.of(2, 3, 6, 7), GROUPS)).isFalse();
  }
}
