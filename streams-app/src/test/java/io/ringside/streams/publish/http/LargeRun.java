package io.ringside.streams.publish.http;

import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.Cell;
import io.ringside.schemas.event.RunAggregates.GpuMedians;
import io.ringside.schemas.event.RunAggregates.GpuUse;
import io.ringside.schemas.event.RunAggregates.RankGpu;
import io.ringside.schemas.event.RunAggregates.RankTimeline;
import io.ringside.schemas.event.RunAggregates.StepPoint;
import io.ringside.schemas.event.RunAggregates.Steps;
import io.ringside.schemas.event.RunAggregates.TransportMatrix;
import io.ringside.schemas.event.RunAggregates.WaitTimeline;
import io.ringside.streams.publish.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What a run of 1,024 ranks on 128 nodes looked like: one rank slow in the second third, one node
/// without RDMA.
final class LargeRun {
  private static final int NODES = 128;
  private static final int BUCKETS = 90;
  private static final int SLOW = 517;

  private LargeRun() {}

  static RunAggregates aggregates() {
    return new RunAggregates(338.4 * 1_023, waits(), steps(), gpus(), matrix(), null);
  }

  private static WaitTimeline waits() {
    var ranks =
        IntStream.range(0, 31)
            .map(i -> i * 32 + 5)
            .mapToObj(rank -> new RankTimeline(rank, List.of(), millis(rank == SLOW)))
            .toList();
    return new WaitTimeline(Samples.T0, 10, millis(true), ranks);
  }

  private static List<Integer> millis(boolean slow) {
    return IntStream.range(0, BUCKETS)
        .mapToObj(i -> slow && i >= 30 && i < 60 ? 6_500 + 97 * i % 900 : i * 31 % 47)
        .toList();
  }

  private static Steps steps() {
    var points =
        IntStream.range(0, BUCKETS)
            .mapToObj(
                i ->
                    new StepPoint(
                        Samples.T0.plusSeconds(i * 10L), i >= 30 && i < 60 ? 7_900 : 4_100, 2))
            .toList();
    return new Steps(
        "progress-bar", 180, 4_120.0, 4_100.0, 4_150.0, 2_048.0, 4_096.0, null, 497.0, points);
  }

  private static GpuUse gpus() {
    var ranks =
        IntStream.range(0, 31)
            .map(i -> i * 32 + 5)
            .mapToObj(
                rank ->
                    new RankGpu(
                        rank,
                        "node-" + rank / 8,
                        "0000:53:00.0",
                        rank == SLOW
                            ? new GpuMedians(41.0, 212.0, 1_980.0, 48.0)
                            : new GpuMedians(99.0, 640.0 + rank % 5, 1_755.0, 66.0),
                        0))
            .toList();
    return new GpuUse(
        Samples.T0,
        Samples.T0.plusSeconds(900),
        60,
        new GpuMedians(99.0, 642.0, 1_755.0, 66.0),
        ranks);
  }

  private static TransportMatrix matrix() {
    var places =
        IntStream.range(0, NODES).mapToObj(i -> "ip-10-0-%d-%d".formatted(i / 8, i)).toList();
    var cells = new ArrayList<Cell>();
    for (int node = 0; node < NODES; node++) {
      cells.add(new Cell(node, node, 2, 112));
      for (int other : new int[] {node + 1, node + NODES - 1, node / 2}) {
        boolean odd = node == 41 || other % NODES == 41;
        cells.add(new Cell(node, other % NODES, odd ? 1 : 0, 32));
      }
    }
    return new TransportMatrix(
        "node", places, List.of("NET/Libfabric/GDRDMA", "NET/Socket", "P2P/CUMEM"), cells, 0);
  }
}
