package io.ringside.streams.join.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.streams.join.fact.Fact;
import io.ringside.streams.join.fact.LogFacts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogJoinTest {
  private static final String LINE = "pod:7:7 [0] NCCL INFO Using network Net%d";
  private static final int WIDTH = LINE.length(); // the number takes two places, LF one

  private final LogJoin join = new LogJoin();
  private final SourceState state = new SourceState();

  @Test
  void readsEachLineOnce() {
    assertThat(networks(join.read(chunk(0, 0, 10, 13), state))).containsExactly(10, 11, 12);
    assertThat(join.read(chunk(0, 0, 10, 13), state)).isEmpty();
  }

  @Test
  void takesTheNewLinesOfAChunkThatWasCutAnewAfterAKill() {
    join.read(chunk(0, 0, 10, 13), state);
    // the agent never saw the acknowledgement: it reads on from line 10, and further than before
    var again = join.read(chunk(0, 0, 10, 15), state);
    assertThat(networks(again)).containsExactly(13, 14);
    assertThat(again.orElseThrow().gaps()).isZero();
  }

  @Test
  void countsAGap() {
    join.read(chunk(0, 0, 10, 12), state);
    var later = join.read(chunk(0, 5, 20, 21), state);
    assertThat(networks(later)).containsExactly(20);
    assertThat(later.orElseThrow().gaps()).isEqualTo(1);
  }

  @Test
  void beginsAnewWithTheNextIncarnationOfTheFile() {
    join.read(chunk(0, 0, 10, 13), state);
    assertThat(networks(join.read(chunk(1, 0, 10, 12), state))).containsExactly(10, 11);
    assertThat(join.read(chunk(0, 1, 13, 14), state)).isEmpty();
  }

  /// Lines `from` to `to`, each at its own place in the file; line 10 is the first.
  private static LogChunk chunk(long epoch, long sequence, int from, int to) {
    var text = new StringBuilder();
    var offsets = new int[to - from];
    for (int line = from; line < to; line++) {
      offsets[line - from] = (line - from) * WIDTH;
      text.append(text.isEmpty() ? "" : "\n").append(LINE.formatted(line));
    }
    return new LogChunk(
        new LogSource("", "node", "", "pod", "", "", "job", "pod.log"),
        epoch,
        sequence,
        (long) (from - 10) * WIDTH,
        (long) (to - 10) * WIDTH,
        Instant.EPOCH,
        false,
        false,
        Text.of(text.toString()),
        offsets,
        0,
        new long[0],
        new int[0]);
  }

  private static List<Integer> networks(Optional<LogFacts> facts) {
    return facts.orElseThrow().facts().stream()
        .map(Fact::text)
        .map(text -> Integer.valueOf(text.substring(text.length() - 2)))
        .toList();
  }
}
