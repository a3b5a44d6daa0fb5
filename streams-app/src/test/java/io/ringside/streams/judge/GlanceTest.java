package io.ringside.streams.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge.JudgingScope;
import io.ringside.streams.recorded.Recorded;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A glance leaves out the drawing and nothing else.
class GlanceTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Judge judge = new Judge(Expectations.builtIn());

  @ParameterizedTest
  @ValueSource(strings = {"slowcoll", "drift", "groups"})
  void findsTheSameAndDrawsAsTheLedgerDoes(String recording) {
    var recorded = Recorded.in(Path.of("../examples/recordings", recording));
    var replay = new Replay();
    recorded.logs().forEach(file -> replay.addAll(file.subList(0, 1 + file.size() / 2)));
    var early = judge.judge(replay.jobs().values().iterator().next(), NOW).runs();
    recorded.logs().forEach(file -> replay.addAll(file.subList(1 + file.size() / 2, file.size())));
    var job = replay.addAll(recorded.samples()).jobs().values().iterator().next();

    var judged = judge.judge(job, early, NOW, ObservationMode.RECORDED, JudgingScope.DRAWING);
    var glanced = judge.judge(job, early, NOW, ObservationMode.RECORDED, JudgingScope.GLANCE);

    assertThat(glanced.findings()).isEqualTo(judged.findings());
    assertThat(gpus(glanced.runs())).isEqualTo(gpus(early));
    assertThat(glanced.runs()).isNotEqualTo(judged.runs());
    assertThat(
            judge
                .judge(job, judged.runs(), NOW, ObservationMode.RECORDED, JudgingScope.GLANCE)
                .runs())
        .isEqualTo(judged.runs());
  }

  private static List<?> gpus(List<RunSummary> runs) {
    return runs.stream().map(run -> Objects.requireNonNull(run.aggregates()).gpus()).toList();
  }
}
