package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.Judge.JudgingScope;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Two ranks that make a step a second, and a monitor in the first one's log.
class StillStepsTest {
  private static final int STEPS = 100;
  private static final Instant BEGIN = Instant.parse("2026-11-20T10:00:00Z");

  @Test
  void areToldWhereOnlyAMonitorGoesOn() {
    var run = trained();
    monitor(run, 1_200);

    assertThat(ends(run))
        .containsExactly(
            "no step in the last 20 min while the log goes on: a hang, or work that no line calls a step");
  }

  @Test
  void areNothingWhereTheLogEndsWithThem() {
    assertThat(ends(trained())).isEmpty();
  }

  @Test
  void areNothingWhileAnEvaluationMayBeMade() {
    var run = trained();
    monitor(run, 200);

    assertThat(ends(run)).isEmpty();
  }

  @Test
  void areNothingWhereTheProgramSaysThatItIsDone() {
    var run = trained();
    run.line(
        STEPS + 2,
        "Training completed. Do not forget to share your model on huggingface.co/models =)");
    monitor(run, 1_200);

    assertThat(ends(run)).isEmpty();
  }

  @Test
  void areToldOfAJobWithoutNcclsLines() {
    var lines = new ArrayList<String>();
    for (int step = 1; step <= STEPS; step++) {
      lines.add(stamped(step) + "iter %d: loss 2.5000, time 1000.00ms".formatted(step));
    }
    for (int at = 30; at <= 1_200; at += 30) {
      lines.add(stamped(STEPS + at) + "monitor: host alive");
    }
    assertThat(notJudged(lines)).contains(NotJudged.PROGRESS);
  }

  /// Bars carry no time; what stands behind the last one was written later.
  @Test
  void areToldOfABarWithoutTimesByTheStampsBehindIt() {
    assertThat(notJudged(barAndPushes(400, 8))).contains(NotJudged.PROGRESS);
  }

  @Test
  void areAHangLater() {
    assertThat(notJudged(barAndPushes(400, 20))).doesNotContain(NotJudged.PROGRESS);
  }

  @Test
  void areNothingOfABarThatOnlyJustStands() {
    assertThat(notJudged(barAndPushes(400, 3))).doesNotContain(NotJudged.PROGRESS);
  }

  @Test
  void areToldOfABarWithoutTimesAlsoWhereNothingWasStampedBefore() {
    var bars = barAndPushes(400, 0);
    bars.removeIf(it -> it.contains("pushgateway"));
    var lines = new ArrayList<>(bars);
    for (int push = 1; push <= 20; push++) {
      lines.add(pushed(800 + 97 * push));
    }

    assertThat(notJudged(lines)).contains(NotJudged.PROGRESS);
  }

  /// Rows of a table that begin with a date tell nothing of when they were printed.
  @Test
  void areNothingOfABarBeforeATableOfDates() {
    var lines = barAndPushes(400, 0);
    lines.removeIf(it -> it.contains("pushgateway"));
    for (int hour = 10; hour < 20; hour++) {
      lines.add("2016-07-01 %d:00:00  5.82700  30.53".formatted(hour));
    }

    assertThat(notJudged(lines)).doesNotContain(NotJudged.PROGRESS);
  }

  @Test
  void areNothingOfABarThatHasComeToItsEnd() {
    assertThat(notJudged(barAndPushes(1 + 4 * STEPS, 20))).doesNotContain(NotJudged.PROGRESS);
  }

  /// A bar of 400 steps, of which each takes two seconds, and a line each 97 seconds of somebody
  /// who pushes metrics.
  private static List<String> barAndPushes(int bars, int after) {
    var lines = new ArrayList<String>();
    int seconds = 0;
    for (int step = 1; step < bars; step++) {
      seconds = 2 * step;
      lines.add(
          "pp train:  26%%|██▋       | %d/%d [%02d:%02d<59:14,  2.00s/it]"
              .formatted(step, 4 * STEPS, seconds / 60, seconds % 60));
      if (step % 48 == 0) {
        lines.add(pushed(seconds + 1));
      }
    }
    for (int push = 1; push <= after; push++) {
      lines.add(pushed(seconds + 97 * push));
    }
    return lines;
  }

  private static String pushed(int seconds) {
    var at = BEGIN.plusSeconds(seconds).toString().replace('T', ' ').replace("Z", "");
    return at + ",982 - pushgateway - INFO - pushed 38 series to http://prom-push:9091 in 0.024s";
  }

  private static List<String> notJudged(List<String> lines) {
    var job = new Replay().addAll(Recorded.of(Map.of("job.log", lines)).logs().getFirst()).jobs();
    var judged =
        new Judge(Expectations.builtIn())
            .judge(
                job.values().iterator().next(),
                List.of(),
                BEGIN.plusSeconds(86_400),
                ObservationMode.RECORDED,
                JudgingScope.DRAWING);
    return judged.runs().getFirst().notJudged().stream().map(NotJudged::what).toList();
  }

  private static String stamped(int seconds) {
    return BEGIN.plusSeconds(seconds) + " stdout F ";
  }

  private static WrittenRun trained() {
    var run = WrittenRun.of(1, 2, "P2P/CUMEM");
    for (int step = 1; step <= STEPS; step++) {
      run.line(1 + step, "iter %d: loss 2.5000, time 1000.00ms".formatted(step));
    }
    return run;
  }

  private static void monitor(WrittenRun run, int seconds) {
    for (int at = 30; at <= seconds; at += 30) {
      run.line(1 + STEPS + at, "monitor: host alive");
    }
  }

  private static List<String> ends(WrittenRun run) {
    return WrittenRun.judged(run).runs().getFirst().notJudged().stream()
        .filter(each -> each.what().equals(NotJudged.PROGRESS))
        .map(NotJudged::because)
        .toList();
  }
}
