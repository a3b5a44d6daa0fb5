package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.state.StateBytes;
import io.ringside.streams.waits.Rounds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Recordings of which no more comes in the middle of training. What is judged then must not change
/// what is judged when more comes.
class SilentRecordingsTest {
  private static final StateBytes<JobState> STATE = new StateBytes<>(JobState.class);
  private static final StateBytes<Rounds> ROUNDS = new StateBytes<>(Rounds.class);
  private static final Duration SILENCE = Duration.ofMinutes(2);
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @ParameterizedTest
  @ValueSource(strings = {"slowcoll", "collok", "jitter", "drift", "groups", "healthy"})
  void areAsTheyWereOnceTheyGoOn(String folder) {
    var job = half(folder);
    var before = STATE.write(job);
    var copy = STATE.read(before);
    copy.idle(SILENCE, UnaryOperator.identity());

    job.idle(SILENCE, ROUNDS::copy);
    assertThat(job.runs())
        .isNotEmpty()
        .allSatisfy(run -> assertThat(run.silentFor()).isEqualTo(SILENCE))
        .flatExtracting(run -> run.communicators())
        .noneMatch(communicator -> communicator.rounds().anyWait());
    assertThat(judged(job)).isEqualTo(judged(copy));

    job.resume();
    assertThat(STATE.write(job)).isEqualTo(before);
  }

  private static Judge.Verdict judged(JobState job) {
    return new Judge(Expectations.builtIn())
        .judge(job, List.of(), NOW, ObservationMode.LIVE, Judge.JudgingScope.DRAWING);
  }

  private static JobState half(String folder) {
    var replay = new Replay();
    Recorded.in(Path.of("..", "examples", "recordings", folder)).unfinished().logs().stream()
        .map(chunks -> chunks.subList(0, chunks.size() / 2))
        .forEach(replay::addAll);
    return replay.jobs().values().iterator().next();
  }
}
