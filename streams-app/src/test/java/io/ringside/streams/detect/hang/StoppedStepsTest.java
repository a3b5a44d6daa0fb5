package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A log in which a bar is drawn each ten seconds, or ranks say where they are.
class StoppedStepsTest {
  private static final Instant BEGIN = Instant.parse("2026-10-11T04:00:00Z");
  private static final int EVERY = 10;

  private final List<String> lines = new ArrayList<>();
  private boolean stamped = true;

  @Test
  void areAPauseWhereTheBarIsDrawnAgainWithTheSameCount() {
    int at = train(0, 0, 400);
    stand(at, 400, 1_500);

    assertThat(hangs())
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.INFO);
              assertThat(hang.ranks()).isEmpty();
              assertThat(hang.since()).isEqualTo(BEGIN.plusSeconds(at - EVERY));
              assertThat(hang.summary())
                  .isEqualTo(
                      "paused: no step for 25 min, after one was told each 10 s: its bar shows 400 of 2000 again and again");
              assertThat(hang.evidence()).isNotEmpty();
            });
  }

  @Test
  void areAPauseByTheBarsOwnClock() {
    stamped = false;
    stand(train(0, 0, 400), 400, 1_500);

    assertThat(hangs()).hasSize(1);
  }

  @Test
  void areNoneForTenMinutes() {
    stand(train(0, 0, 400), 400, 600);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhereTheBarMovesOn() {
    int at = train(0, 0, 400);
    stand(at, 400, 1_500);
    train(at + 1_500, 400, 700);

    assertThat(hangs()).isEmpty();
  }

  /// Each evaluation takes twenty minutes, the last one is under way.
  @Test
  void areNoneForAsLongAsTheJobHasPausedBefore() {
    int at = train(0, 0, 400);
    stand(at, 400, 1_200);
    at = train(at + 1_200, 400, 800);
    stand(at, 800, 1_800);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhileTheBarOfAnEvaluationMoves() {
    int at = train(0, 0, 400);
    for (int second = 0; second < 2_400; second += EVERY) {
      draw(at + second, "Training", 400, at + second, 2_000);
      draw(at + second, "Validation", second / EVERY, second, 500);
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneOfAnOuterBarWhileAnInnerOneMoves() {
    for (int second = 0; second < 6_000; second += EVERY) {
      draw(second, "Epoch", second / 3_000, second, 30);
      draw(second, "Step", second % 3_000 / EVERY, second % 3_000, 300);
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneOfABarThatIsFull() {
    stand(train(0, 0, 2_000), 2_000, 2_400);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhereTheProgramSaysThatItIsDone() {
    int at = train(0, 0, 400);
    lines.add(stamp(at) + "Training complete");
    stand(at, 400, 2_400);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneOfDownloads() {
    for (int second = 0; second < 400; second += EVERY) {
      draw(second, "Downloading shards", second / EVERY, second, 2_000);
    }
    for (int second = 400; second < 2_400; second += EVERY) {
      draw(second, "Downloading shards", 40, second, 2_000);
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhereSomebodyStoppedTheProgram() {
    int at = train(0, 0, 400);
    stand(at, 400, 1_500);
    lines.add(stamp(at + 1_500) + "Traceback (most recent call last):");
    lines.add(stamp(at + 1_500) + "  File \"/app/train.py\", line 10, in <module>");
    lines.add(stamp(at + 1_500) + "KeyboardInterrupt");

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areAPauseWhereRanksNameTheSameStep() {
    beats(1_560);

    assertThat(hangs())
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.INFO);
              assertThat(hang.summary())
                  .isEqualTo(
                      "paused: no step for 26 min, after one was told each 6 s: ranks 0-3 say again and again to be in step 600");
            });
  }

  @Test
  void areNoneForAFewMinutesOfHeartbeats() {
    beats(600);

    assertThat(hangs()).isEmpty();
  }

  /// The sidecar's heartbeat names no step: what the program does is not known.
  @Test
  void areNoneWhereSomebodyElseGoesOn() {
    int at = train(0, 0, 400);
    for (int second = 0; second < 3_600; second += 97) {
      lines.add(stamp(at + second) + "pushed 38 series to http://gateway:9091");
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areAHangWhereOnlyAMonitorGoesOnForLong() {
    watched(0, train(0, 0, 400), 2_100);

    assertThat(hangs())
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.summary())
                  .isEqualTo(
                      "the job stands still: no step for 34 min 30 s, after one was told each 10 s: after step 400 of 2000 only lines came that came before as well");
            });
  }

  @Test
  void areAPauseWhereOnlyAMonitorGoesOnForTwentyMinutes() {
    watched(0, train(0, 0, 400), 1_260);

    assertThat(hangs()).extracting(Finding::severity).containsExactly(Severity.INFO);
  }

  /// Whatever it is, the program does something else.
  @Test
  void areNoneWhereALineOfANewKindCameSince() {
    int at = train(0, 0, 400);
    watched(0, at, 2_100);
    lines.add(stamp(at + 5) + "***** Running Evaluation *****");

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhereAllStepsWereMade() {
    watched(0, train(0, 0, 2_000), 2_100);

    assertThat(hangs()).isEmpty();
  }

  /// Lines of a sidecar, once a minute, while it trains and after.
  private void watched(int from, int until, int seconds) {
    for (int second = from; second <= until + seconds; second += 60) {
      lines.add(stamp(second) + "[sidecar] alive, gpu util %d 100 99.5".formatted(second % 100));
    }
    lines.sort(null);
  }

  /// A step line each five steps of 1.2 s, and heartbeats each half minute.
  private void beats(int seconds) {
    for (int step = 5; step <= 600; step += 5) {
      int at = step / 5 * 6;
      lines.add(
          "{\"ts\": \"%s\", \"rank\": 3, \"event\": \"train_step\", \"step\": %d, \"loss\": 3.9, \"dt\": 1.2}"
              .formatted(BEGIN.plusSeconds(at), step));
      if (at % 30 == 0) {
        beat(at, step);
      }
    }
    for (int second = 30; second <= seconds; second += 30) {
      beat(720 + second, 600);
    }
  }

  private void beat(int second, int step) {
    for (int rank = 0; rank < 4; rank++) {
      lines.add(
          "{\"ts\": \"%s\", \"rank\": %d, \"event\": \"heartbeat\", \"step\": %d, \"alive\": true}"
              .formatted(BEGIN.plusSeconds(second), rank, step));
    }
  }

  /// Ten steps each ten seconds.
  ///
  /// @return the second after it
  private int train(int second, int from, int to) {
    int at = second;
    for (int step = from + 10; step <= to; step += 10) {
      draw(at, "Training", step, at, 2_000);
      at += EVERY;
    }
    return at;
  }

  private void stand(int from, int step, int seconds) {
    for (int second = from; second < from + seconds; second += EVERY) {
      draw(second, "Training", step, second, 2_000);
    }
  }

  private void draw(int second, String what, int done, int elapsed, int total) {
    lines.add(
        stamp(second)
            + "%s ━━━━━━╸━━━━━━━━━ %d/%d %d:%02d:%02d loss: 2.588"
                .formatted(what, done, total, elapsed / 3_600, elapsed / 60 % 60, elapsed % 60));
  }

  private String stamp(int second) {
    return stamped ? BEGIN.plusSeconds(second) + " stdout F " : "";
  }

  private List<Finding> hangs() {
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .toList();
  }
}
