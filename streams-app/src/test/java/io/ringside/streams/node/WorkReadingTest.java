package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.recorded.Lines;
import org.junit.jupiter.api.Test;

class WorkReadingTest {
  private static final String LOSS = "2026-11-21 12:00:00,123 - root - INFO - Avg train loss=0.57";

  private final NodeJoin join = new NodeJoin();

  @Test
  void tellsOnceThatASavedFileIsAJobs() {
    assertThat(works(saved(LOSS, LOSS, LOSS, LOSS, LOSS, LOSS, LOSS))).isEqualTo(1);
    assertThat(works(saved("vLLM API server version 0.7.2", LOSS, LOSS, LOSS))).isEqualTo(1);
    assertThat(works(saved("{'loss': 0.1, 'epoch': 1.0}", LOSS, LOSS))).isEqualTo(1);
  }

  @Test
  void takesALineOrTwoForChance() {
    assertThat(works(saved(LOSS, "unrelated", LOSS))).isZero();
  }

  @Test
  void knowsABarOfTraining() {
    assertThat(works(saved(bar("Training Progress", 2, 55_990)))).isEqualTo(1);
    assertThat(works(saved(bar("train", 20, 400)))).isEqualTo(1);
  }

  /// With what a user's callback adds to it.
  @Test
  void knowsTheTrainersLastWord() {
    var returned = "{'train_runtime': 2307.9, 'train_loss': 2.1, 'epoch': 0.4, 'time': '02:25:32'}";

    assertThat(works(saved(returned))).isEqualTo(1);
    assertThat(works(saved("{'runtime': 2307.9, 'epoch': 0.4}"))).isZero();
  }

  @Test
  void takesOtherBarsForNone() {
    assertThat(works(saved(bar("Training data", 2, 55_990)))).isZero();
    assertThat(works(saved(bar("Training Progress", 0, 55_990)))).isZero();
    assertThat(works(saved(bar("Training", 2, 3)))).isZero();
    assertThat(works(saved(bar("Generating train split", 20, 400)))).isZero();
    assertThat(works(saved(bar("", 20, 400)))).isZero();
  }

  @Test
  void remembersFromChunkToChunk() {
    var state = new SourceState();
    join.read(saved(LOSS, LOSS), state);
    var chunk = saved(LOSS);
    var facts = join.read(moved(chunk, 2L * (LOSS.length() + 1)), state).orElseThrow();
    assertThat(facts.facts()).extracting("event").containsExactly(new LoopEvent.Work());
  }

  /// A server that waits for questions is silent for hours.
  @Test
  void makesNoJobOfAPodThatAnAgentFollows() {
    assertThat(works(Lines.of(0, false, LOSS, LOSS, LOSS, LOSS))).isZero();
  }

  /// What NCCL says tells more.
  @Test
  void isNotAskedWhereNcclSpeaks() {
    var nccl = "a:1:1 [0] NCCL INFO NCCL version 2.28.9+cuda13.0";
    assertThat(works(saved(nccl, LOSS, LOSS, LOSS))).isZero();
  }

  private static String bar(String what, int done, int total) {
    return "%s:   0%%|          | %d/%d [06:54<3216:33:04, 206.82s/it]"
        .formatted(what, done, total);
  }

  private long works(LogChunk chunk) {
    return join.read(chunk, new SourceState()).orElseThrow().facts().stream()
        .filter(fact -> fact.event() instanceof LoopEvent.Work)
        .count();
  }

  private static LogChunk saved(String... lines) {
    return moved(Lines.of(0, false, lines), 0);
  }

  /// As `analyze` reads it, from this offset of the file on.
  private static LogChunk moved(LogChunk chunk, long by) {
    return new LogChunk(
        chunk.source(),
        chunk.epoch(),
        chunk.sequence() + by,
        chunk.firstOffset() + by,
        chunk.nextOffset() + by,
        chunk.readAt(),
        false,
        chunk.end(),
        chunk.text(),
        chunk.offsets(),
        chunk.baseNanos(),
        chunk.nanos(),
        chunk.cut());
  }
}
