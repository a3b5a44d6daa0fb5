package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.schemas.serde.EventJson;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListedRanksTest {
  private static final int A_NODE = 8;
  private static final int TOO_MANY = 10_000;

  @Test
  void listsAllOfFourThousandRanks() {
    var all = ranks(4_000, 1.0 / 3);

    assertThat(ListedRanks.of(all)).isEqualTo(all);
  }

  @Test
  void takesNoMoreThanBrokersTakeByDefault() {
    var all = ranks(TOO_MANY, 1.0 / 3);

    assertThat(EventJson.MAPPER.writeValueAsBytes(all).length).isGreaterThan(1 << 20);
    assertThat(EventJson.MAPPER.writeValueAsBytes(ListedRanks.of(all)).length)
        .isBetween(1 << 19, 960 << 10);
  }

  @Test
  void leavesNoNodeOut() {
    var listed = ListedRanks.of(ranks(TOO_MANY, 1));

    assertThat(listed).isSortedAccordingTo((a, b) -> a.rank() - b.rank());
    assertThat(listed.stream().map(RankWait::node).distinct()).hasSize(TOO_MANY / A_NODE);
  }

  /// Others wait for ranks of the first half alone, the longer the higher a rank's number.
  @Test
  void listsAllRanksOfTheNodesThatOthersWaitedForTheLongest() {
    var all = ranks(TOO_MANY, 1);
    var byNode =
        ListedRanks.of(all).stream()
            .collect(Collectors.groupingBy(RankWait::node, Collectors.counting()));

    assertThat(byNode).containsEntry("node-624", 8L).containsEntry("node-400", 8L);
    assertThat(byNode).containsEntry("node-0", 1L).containsEntry("node-1249", 1L);
    assertThat(ListedRanks.of(all)).contains(all.get(7)).doesNotContain(all.get(6));
  }

  private static List<RankWait> ranks(int count, double second) {
    return IntStream.range(0, count)
        .mapToObj(
            rank ->
                new RankWait(
                    rank,
                    "node-" + rank / A_NODE,
                    "pretrain-worker-" + rank / A_NODE,
                    "0000:53:00.0",
                    second * rank,
                    rank,
                    rank < count / 2 ? second * rank : 0,
                    second,
                    2 * second))
        .toList();
  }
}
