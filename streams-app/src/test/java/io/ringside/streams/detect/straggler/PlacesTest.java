package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Context groups of four, two of them.
class PlacesTest {
  private static final List<List<Integer>> GROUPS =
      List.of(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7));

  @Test
  void explainWhoIsLastInEachGroup() {
    assertThat(Places.sharePlace(Set.of(3, 7), GROUPS)).isTrue();
  }

  @Test
  void explainNobodyOfOneGroupAlone() {
    assertThat(Places.sharePlace(Set.of(3), GROUPS)).isFalse();
  }

  @Test
  void explainNobodyAtDifferentPlaces() {
    assertThat(Places.sharePlace(Set.of(3, 6), GROUPS)).isFalse();
  }

  @Test
  void explainNoGroupThatIsLateAsAWhole() {
    assertThat(Places.sharePlace(Set.of(2, 3, 6, 7), GROUPS)).isFalse();
  }
}
