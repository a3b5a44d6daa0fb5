package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenGpu;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A log that ends in a call that rank 1 has not made, and a sensor that goes on.
class SpinningGpusTest {
  private static final Instant BEGIN = Instant.parse("2026-10-11T04:00:00Z");
  private static final int STEPS = 60;
  private static final List<String> ALL = List.of("AllReduce", "AllReduce");

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10})
  void isAHangHoweverSeldomTheSensorIsRead(int interval) {
    assertThat(hangs(interval, 45 * 60, 0, ALL))
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.ranks()).containsExactly(1);
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
            });
  }

  @Test
  void isOneOfARecvThatIsNeverPosted() {
    assertThat(hangs(1, 25, 0, List.of("Send", "Recv")))
        .singleElement()
        .satisfies(hang -> assertThat(hang.ranks()).containsExactly(1));
  }

  @Test
  void isNoneWhereAllWorkOn() {
    assertThat(hangs(5, 45 * 60, 100, ALL)).isEmpty();
  }

  @Test
  void isNoneWhereTheSensorStopsWithTheLog() {
    assertThat(hangs(5, 5, 0, ALL)).isEmpty();
  }

  @Test
  void isNoneByAFewReadingsFarApart() {
    assertThat(hangs(60, 45 * 60, 0, ALL)).isEmpty();
  }

  @Test
  void isOneWhereTheLateRanksGpuFirstWorksOffWhatWasQueued() {
    assertThat(hangs(1, 45 * 60, 0, ALL, 4))
        .singleElement()
        .satisfies(hang -> assertThat(hang.ranks()).containsExactly(1));
  }

  @Test
  void isNoneByTheSensorAloneWhereItWorksForLonger() {
    assertThat(hangs(1, 45, 0, ALL, 4)).isNotEmpty();
    assertThat(hangs(1, 45, 0, ALL, 9)).isEmpty();
  }

  /// As on two nodes.
  @Test
  void isOneWhereGpusAreReadAtDifferentSeconds() {
    assertThat(hangs(2, 60, 0, ALL, 0, 1))
        .singleElement()
        .satisfies(hang -> assertThat(hang.ranks()).containsExactly(1));
    assertThat(hangs(2, 60, 100, ALL, 0, 1)).isEmpty();
  }

  private static List<Finding> hangs(
      int interval, int seconds, double culprit, List<String> operations) {
    return hangs(interval, seconds, culprit, operations, 0);
  }

  private static List<Finding> hangs(
      int interval, int seconds, double culprit, List<String> operations, int settling) {
    return hangs(interval, seconds, culprit, operations, settling, 0);
  }

  /// @param settling for how many seconds after its last call the culprit's GPU is busy
  /// @param apart seconds between the readings of the two GPUs
  private static List<Finding> hangs(
      int interval, int seconds, double culprit, List<String> operations, int settling, int apart) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      nccl(
          lines,
          0,
          rank,
          "ncclCommInitRankConfig comm 0x55%d rank %d nranks 2 cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a2d53c3b9 - Init COMPLETE"
              .formatted(rank, rank, rank, rank, rank + 1));
    }
    for (int step = 0; step <= STEPS; step++) {
      for (int rank = 0; rank < (step == STEPS ? 1 : 2); rank++) {
        nccl(
            lines,
            1 + step,
            rank,
            "%s: opCount %x sendbuff 0x7f recvbuff 0x7f count 1048576 datatype 7 op 0 root %d comm 0x55%d [nranks=2] stream 0x5580"
                .formatted(operations.get(rank), step, 1 - rank, rank));
      }
    }
    var samples = new ArrayList<GpuSample>();
    for (int second = 0; second <= STEPS + seconds; second += interval) {
      boolean ended = second + apart > STEPS + settling;
      var late = WrittenGpu.of(1, ended ? culprit : 100);
      var waiting = WrittenGpu.of(0, 100);
      samples.add(sample(second, apart == 0 ? List.of(waiting, late) : List.of(waiting)));
      if (apart > 0) {
        samples.add(sample(second + apart, List.of(late)));
      }
    }
    return Recorded.of(Map.of("job.log", lines)).with(samples).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .toList();
  }

  private static GpuSample sample(int second, List<GpuReading> readings) {
    return new GpuSample("", "local", BEGIN.plusSeconds(second), readings);
  }

  private static void nccl(List<String> lines, double seconds, int rank, String message) {
    lines.add(
        "%s stdout F worker-0:%d:%d [%d] NCCL INFO %s"
            .formatted(
                BEGIN.plusNanos(Math.round(seconds * 1e9)), 100 + rank, 100 + rank, rank, message));
  }
}
