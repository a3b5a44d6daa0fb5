package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.RankTimeline;
import io.ringside.schemas.serde.EventJson;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListedTimelinesTest {
  private static final int A_NODE = 8;

  @Test
  void listsAllOfASmallRun() {
    var all = lines(RunAggregates.MAX_RANKS, 100, rank -> rank);

    assertThat(ListedTimelines.of(all, places(RunAggregates.MAX_RANKS))).isEqualTo(all);
  }

  @Test
  void listsAllNodesOfSixtyFourRanks() {
    assertThat(ListedTimelines.of(lines(64, 4_000, rank -> 9), places(64))).hasSize(64);
  }

  @Test
  void listsWholeNodesThoseThatOthersWaitedForTheLongestFirst() {
    var listed =
        ListedTimelines.of(
            lines(1_024, 4_000, rank -> rank == 517 ? 900 : rank % 5), places(1_024));

    assertThat(listed).isSortedAccordingTo((a, b) -> a.rank() - b.rank());
    var byNode =
        listed.stream()
            .collect(Collectors.groupingBy(line -> line.rank() / A_NODE, Collectors.counting()));
    assertThat(byNode).containsEntry(64, 8L).hasSizeGreaterThan(20);
    assertThat(byNode.values()).containsOnly(8L);
  }

  /// In a communicator of all ranks waits are kept in sum only, and few ranks are waited for.
  @Test
  void leavesIdleRanksOut() {
    var listed =
        ListedTimelines.of(lines(10_000, 0, rank -> rank % 100 == 5 ? 70 : 0), places(10_000));

    assertThat(listed).hasSizeBetween(60, 100).allMatch(line -> line.rank() % 100 == 5);
  }

  @Test
  void listsTheWorstRanksWhereNobodyTellsNodesApart() {
    var places = places(300);
    places.replaceAll((rank, node) -> "");

    assertThat(ListedTimelines.of(lines(300, 0, rank -> rank), places))
        .hasSize(32)
        .allMatch(line -> line.rank() >= 268);
  }

  @Test
  void takesNoMoreThanTheRecordHasRoomFor() {
    var few = ListedTimelines.of(lines(2_000, 60_000, rank -> 60_000), places(2_000));
    var many = ListedTimelines.of(lines(10_000, 60_000, rank -> 60_000), places(10_000));

    assertThat(EventJson.MAPPER.writeValueAsBytes(few)).hasSizeBetween(128 << 10, 192 << 10);
    assertThat(EventJson.MAPPER.writeValueAsBytes(many)).hasSizeBetween(24 << 10, 48 << 10);
  }

  private static Map<Integer, String> places(int ranks) {
    return IntStream.range(0, ranks)
        .boxed()
        .collect(Collectors.toMap(rank -> rank, rank -> "node-" + rank / A_NODE));
  }

  private static List<RankTimeline> lines(int ranks, int waited, IntUnaryOperator blamed) {
    return IntStream.range(0, ranks)
        .mapToObj(rank -> new RankTimeline(rank, times(waited), times(blamed.applyAsInt(rank))))
        .toList();
  }

  private static List<Integer> times(int millis) {
    return millis == 0 ? List.of() : Collections.nCopies(RunAggregates.MAX_BUCKETS, millis);
  }
}
