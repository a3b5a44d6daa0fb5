package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.RankWait;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListedRanksTest {
  private static final int RANKS = 10_000;
  private static final int A_NODE = 8;

  /// Others wait for ranks of the first half alone, the longer the higher a rank's number.
  private static final List<RankWait> ALL =
      IntStream.range(0, RANKS)
          .mapToObj(
              rank ->
                  new RankWait(
                      rank,
                      "n" + rank / A_NODE,
                      "",
                      null,
                      1,
                      1,
                      rank < RANKS / 2 ? rank : 0,
                      null,
                      null))
          .toList();

  @Test
  void listsAllOfAFew() {
    assertThat(ListedRanks.of(ALL.subList(0, 4_096))).isEqualTo(ALL.subList(0, 4_096));
  }

  @Test
  void leavesNoNodeOut() {
    assertThat(ListedRanks.of(ALL)).extracting(RankWait::node).contains("n0", "n1249");
    assertThat(ListedRanks.of(ALL).stream().map(RankWait::node).distinct()).hasSize(RANKS / A_NODE);
  }

  /// 1,250 worst ranks, and seven more of each of the 406 nodes that others waited for the longest.
  @Test
  void listsAllRanksOfTheNodesThatOthersWaitedForTheLongest() {
    var byNode =
        ListedRanks.of(ALL).stream()
            .collect(Collectors.groupingBy(RankWait::node, Collectors.counting()));

    assertThat(byNode.values().stream().filter(listed -> listed == A_NODE)).hasSize(406);
    assertThat(byNode).containsEntry("n624", 8L).containsEntry("n219", 8L).containsEntry("n0", 1L);
  }

  @Test
  void listsTheWorstOfEachNodeAndThenTheWorstNodes() {
    var listed = ListedRanks.of(ALL);

    assertThat(listed).hasSize(4_096).isSortedAccordingTo((a, b) -> a.rank() - b.rank());
    assertThat(listed)
        .contains(ALL.get(7), ALL.get(4_999), ALL.get(4_992))
        .doesNotContain(ALL.get(6));
  }
}
