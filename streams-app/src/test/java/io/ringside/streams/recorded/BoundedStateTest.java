package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.state.StateBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whoever writes a log may say something new in every line. From some number of lines on the job's
/// state does not grow by it.
class BoundedStateTest {
  private static final String HEAD = "pod-0:1:1 [0] NCCL INFO ";

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "NCCL_FLOOD_%d set by environment to x ; 600",
        "Channel 00/0 : %1$d[0] -> %1$d[1] [send] via NET/Socket/0 ; 9000",
        "Channel 00/0 : 0[0] -> 1[1] [send] via NET/Evil%d/0 ; 40",
      })
  void growsNoFurther(String line, int lines) {
    int half = bytes(line, lines / 4);
    int enough = bytes(line, lines);

    assertThat(enough).as("it grows at first").isGreaterThan(half);
    assertThat(bytes(line, 2 * lines)).isLessThan(enough + 500);
  }

  private static int bytes(String line, int count) {
    List<String> log = new ArrayList<>();
    log.add(HEAD + "NCCL version 2.28.9+cuda13.0");
    for (var phase : List.of("START", "COMPLETE")) {
      log.add(
          HEAD
              + "ncclCommInitRankConfig comm 0x1000 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000"
              + " commId 0xabc - Init "
              + phase);
    }
    IntStream.range(0, count).mapToObj(i -> HEAD + line.formatted(1_000_000 + i)).forEach(log::add);
    var replay = new Replay();
    Recorded.of(Map.of("pod-0.log", log)).logs().forEach(replay::addAll);
    assertThat(replay.jobs()).hasSize(1);
    return new StateBytes<>(JobState.class).write(replay.jobs().values().iterator().next()).length;
  }
}
