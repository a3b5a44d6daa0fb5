package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.state.StateBytes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A line may say that its communicator has 131,072 ranks. What is kept of it grows with the ranks
/// that call.
class ClaimedRanksTest {
  private static final int COMMUNICATORS = 8;
  private static final int CLAIMED = 1 << 17;

  /// By what its state takes when it is written, of which the lines themselves are a part.
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void takeNoRoomBeforeTheyCall(int callers) {
    var replay = new Replay().addAll(claims(callers));

    assertThat(replay.jobs())
        .hasSize(1)
        .allSatisfy((_, job) -> assertThat(bytes(job)).isLessThan(400_000));
  }

  @Test
  void changeNothingForTheJobsBeside() {
    var beside = Recorded.in(Path.of("../examples/recordings/slowcoll"));
    var order = new ArrayList<AgentEvent>();
    for (int job = 0; job < 10; job++) {
      order.addAll(claims(2, "claims" + job));
    }
    beside.logs().forEach(order::addAll);

    var alone = new ArrayList<AgentEvent>();
    beside.logs().forEach(alone::addAll);
    assertThat(Recorded.judged(order).findings())
        .filteredOn(finding -> !finding.job().startsWith("claims"))
        .isNotEmpty()
        .isEqualTo(Recorded.judged(alone).findings());
  }

  private static int bytes(JobState job) {
    return new StateBytes<>(JobState.class).write(job).length;
  }

  private static List<AgentEvent> claims(int callers) {
    return claims(callers, "claims");
  }

  /// Some ranks, the first and the last, that call once on each communicator and end.
  private static List<AgentEvent> claims(int callers, String job) {
    var files = new TreeMap<String, List<String>>();
    for (int caller = 0; caller < callers; caller++) {
      int rank = caller * (CLAIMED - 1);
      var pod = job + "-node-0-" + caller;
      var lines = new ArrayList<String>();
      for (int comm = 0; comm < COMMUNICATORS; comm++) {
        var head =
            "2026-11-21T12:00:0%d.000000000Z stdout F %s:1:1 [0] NCCL INFO ".formatted(comm, pod);
        lines.add(
            head
                + "ncclCommInitRankConfig comm 0x%x rank %d nranks %d cudaDev 0 nvmlDev 0 busId 1b000 commId 0x%x - Init COMPLETE"
                    .formatted(0x1000 + comm, rank, CLAIMED, 0xabc0000 + comm));
        lines.add(
            head
                + "AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 1024 datatype 7 op 0 root 0 comm 0x%x [nranks=%d] stream 0x3"
                    .formatted(0x1000 + comm, CLAIMED));
      }
      files.put(pod + ".log", lines);
    }
    var order = new ArrayList<AgentEvent>();
    Recorded.of(files).logs().forEach(order::addAll);
    return order;
  }
}
