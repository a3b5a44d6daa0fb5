package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenGpu;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A log whose steps end after five minutes, and a sensor that goes on.
class SpinningStepsTest {
  private static final Instant BEGIN = Instant.parse("2026-10-11T04:00:00Z");
  private static final int TRAINS = 300;

  private final List<String> lines = new ArrayList<>();
  private final List<GpuSample> samples = new ArrayList<>();

  @Test
  void areAHangWhereAllGpusWaitUntilTheEnd() {
    train(0, TRAINS);
    read(20, TRAINS, 1_500, 100, 125);

    assertThat(hangs())
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).isEmpty();
              assertThat(hang.since())
                  .isBetween(BEGIN.plusSeconds(TRAINS - 10), BEGIN.plusSeconds(TRAINS));
              assertThat(hang.summary()).contains("no step for", "all 4 GPUs");
              assertThat(hang.evidence()).isNotEmpty();
            });
    assertThat(judged().runs().getFirst().notJudged())
        .extracting(NotJudged::what)
        .doesNotContain("end");
  }

  /// As the Trainer prints them where nobody asked for its settings.
  @Test
  void areAHangWhereLossesTellNoStep() {
    train(0, TRAINS);
    lines.replaceAll(
        line ->
            line.replaceAll(
                "step \\d+ loss 2.5",
                "{'loss': 2.6564, 'grad_norm': 0.69, 'learning_rate': 5e-07, 'epoch': 0.0}"));
    read(20, TRAINS, 1_500, 100, 125);

    assertThat(hangs()).extracting(Finding::severity).containsExactly(Severity.CRITICAL);
  }

  @Test
  void areNoneWhereTheGpusWorkOn() {
    train(0, TRAINS);
    read(20, TRAINS, 1_500, 100, 420);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhereTheGpusRest() {
    train(0, TRAINS);
    read(20, TRAINS, 1_500, 0, 80);

    assertThat(hangs()).isEmpty();
  }

  /// The others wait for rank 0, whose GPU has nothing to do.
  @Test
  void areNoneInACheckpointOfRankZero() {
    train(0, TRAINS);
    for (int second = TRAINS; second < 1_500; second += 20) {
      samples.add(sample(second, 0, 80, 100, 125));
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void nameTheRankWhoseGpuHasNothingToDo() {
    train(0, TRAINS);
    for (int second = TRAINS; second < 1_500; second += 20) {
      rest(second, 2);
    }

    assertThat(hangs())
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(2);
              assertThat(hang.summary())
                  .endsWith("3 GPUs wait in a kernel while that of rank 2 has nothing to do");
            });
  }

  /// It came back for a moment: it works at something.
  @Test
  void areNoneWhereThatGpuWorksNowAndThen() {
    train(0, TRAINS);
    for (int second = TRAINS; second < 1_500; second += 20) {
      if (second % 200 == 0) {
        read(20, second, second + 20, 100, 125);
      } else {
        rest(second, 2);
      }
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhereHalfOfTheGpusHaveNothingToDo() {
    train(0, TRAINS);
    for (int second = TRAINS; second < 1_500; second += 20) {
      rest(second, 2, 3);
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneWhereTheJobIsDone() {
    train(0, TRAINS);
    lines.add(stamp(TRAINS) + "Training complete");
    read(20, TRAINS, 1_500, 100, 125);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneForAsLongAsTheJobHasPausedBefore() {
    train(0, TRAINS);
    read(20, TRAINS, 900, 100, 125);
    train(900, 1_200);
    read(20, 1_200, 2_400, 100, 125);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneForHalfAMinute() {
    train(0, TRAINS);
    read(5, TRAINS, TRAINS + 40, 100, 125);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneByAFewReadingsFarApart() {
    train(0, TRAINS);
    read(600, TRAINS, 3_600, 100, 125);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void areNoneOfAProgramThatNeverNeededMorePower() {
    train(0, TRAINS);
    samples.clear();
    read(20, 0, 1_500, 100, 125);

    assertThat(hangs()).isEmpty();
  }

  private void train(int from, int to) {
    for (int rank = 0; rank < 4 && from == 0; rank++) {
      lines.add(
          stamp(0)
              + "worker-0:%d:%d [%d] NCCL INFO ncclCommInitRankConfig comm 0x55%d rank %d nranks 4 cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a - Init COMPLETE"
                  .formatted(100 + rank, 100 + rank, rank, rank, rank, rank, rank, rank + 1));
    }
    for (int second = from; second < to; second += 2) {
      lines.add(stamp(second) + "step %d loss 2.5".formatted(second / 2));
    }
    read(20, from, to, 98, 600);
  }

  private void read(int interval, int from, int to, double busy, double watts) {
    for (int second = from; second < to; second += interval) {
      samples.add(sample(second, busy, watts, busy, watts));
    }
  }

  private void rest(int second, Integer... gpus) {
    var resting = List.of(gpus);
    samples.add(
        new GpuSample(
            "",
            "local",
            BEGIN.plusSeconds(second),
            IntStream.range(0, 4)
                .mapToObj(
                    gpu ->
                        resting.contains(gpu)
                            ? WrittenGpu.of(gpu, 0, 110)
                            : WrittenGpu.of(gpu, 100, 125))
                .toList()));
  }

  /// @param busy of the first GPU
  /// @param others of the three others
  private static GpuSample sample(
      int second, double busy, double watts, double others, double othersWatts) {
    return new GpuSample(
        "",
        "local",
        BEGIN.plusSeconds(second),
        IntStream.range(0, 4)
            .mapToObj(
                gpu -> WrittenGpu.of(gpu, gpu == 0 ? busy : others, gpu == 0 ? watts : othersWatts))
            .toList());
  }

  private static String stamp(int second) {
    return BEGIN.plusSeconds(second) + " stdout F ";
  }

  private List<Finding> hangs() {
    return judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .toList();
  }

  private Judge.Verdict judged() {
    return Recorded.of(Map.of("job.log", lines)).with(samples).judged();
  }
}
