package io.ringside.streams.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.recorded.Lines;
import io.ringside.streams.witness.Witness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which records are judged before others.
class JobNewsTest {
  private static final String CALL =
      "host:100:200 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x7f recvbuff 0x7f count 1048576 datatype 7 op 0 root 0 comm 0x55 [nranks=4] stream 0x5580";
  private static final int RANKS = 4;

  private final List<JobInput> told = new ArrayList<>();
  private final Replay replay = new Replay(new NodeJoin(), told::add);
  private final JobState state = new JobState();
  private final long[] ends = new long[RANKS];
  private final long[] sequences = new long[RANKS];

  @Test
  void aCommunicatorIsNews() {
    assertThat(begin(0)).isTrue();
  }

  @Test
  void callsAndStepsAreNot() {
    begin(0);

    assertThat(line(0, 1, CALL)).isFalse();
    assertThat(line(0, 2, "iter 12: loss 2.5, time 563.15ms, mfu 31.20%")).isFalse();
  }

  @Test
  void whatFailsIsNews() {
    begin(0);

    assertThat(line(0, 1, "RuntimeError: CUDA error: device-side assert triggered")).isTrue();
    assertThat(line(0, 1, "host:100:200 [0] misc/socket.cc:50 NCCL WARN socketProgress: x"))
        .isTrue();
  }

  @Test
  void whatTheInspectorMeasuresIsNotButWhatRasSaysIs() {
    assertThat(witness(new Witness.Inspected(List.of()))).isFalse();
    assertThat(witness(new Witness.RasSaid(List.of(), 0))).isTrue();
    assertThat(
            witness(new Witness.Undumped(new DumpReading.Refused("/dumps/rank_0", 0, "is empty"))))
        .isTrue();
  }

  private boolean witness(Witness said) {
    var source = new LogSource("c", "n", "ns", "pod", "uid", "c", "job", "file");
    return JobJoin.apply(new WitnessFacts(source, List.of(said), 1), state);
  }

  @Test
  void theEndOfALogIsNews() {
    var lines = Lines.start(0, RANKS).toArray(String[]::new);

    assertThat(news(Lines.of(0, true, lines))).isTrue();
  }

  /// Rank 2 comes half a second late to each step of one: calls are no news but for those that
  /// convict it.
  @Test
  void theCallThatConvictsAStragglerIsNews() {
    for (int rank = 0; rank < RANKS; rank++) {
      begin(rank);
    }
    int news = 0;
    for (int step = 1; step <= 60; step++) {
      for (int rank = 0; rank < RANKS; rank++) {
        boolean late = rank == 2 && step > 20;
        news += line(rank, step + (late ? 0.5 : 0.001 * rank), CALL) ? 1 : 0;
      }
    }

    assertThat(news).isBetween(1, 4);
  }

  private boolean begin(int rank) {
    boolean news = false;
    for (var line : Lines.start(rank, RANKS)) {
      news |= line(rank, 0, line);
    }
    return news;
  }

  private boolean line(int rank, double seconds, String line) {
    var at = Lines.AT.plus(Duration.ofNanos(Math.round(seconds * 1e9)));
    var chunk = Lines.later(rank, sequences[rank]++, ends[rank], at, line);
    ends[rank] = chunk.nextOffset();
    return news(chunk);
  }

  private boolean news(LogChunk chunk) {
    told.clear();
    replay.add(chunk);
    boolean news = false;
    for (var input : told) {
      news |= JobJoin.apply(input, state);
    }
    return news;
  }
}
