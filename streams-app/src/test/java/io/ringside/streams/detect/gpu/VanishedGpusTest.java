package io.ringside.streams.detect.gpu;

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

/// Four ranks that train for a minute, and a recording that goes on after it.
class VanishedGpusTest {
  private static final Instant BEGIN = Instant.parse("2026-10-11T04:00:00Z");
  private static final int STEPS = 60;
  private static final int END = 300;

  @Test
  void areTheirJobsEnd() {
    assertThat(told(STEPS - 3, STEPS, 1))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(finding.ranks()).containsExactly(3);
              assertThat(finding.summary())
                  .isEqualTo(
                      "GPU 0000:04:00.0 of rank 3 vanished from nvidia-smi's list, and the job stands");
            });
  }

  @Test
  void areNoneWhereTheJobGoesOn() {
    assertThat(told(STEPS - 3, END - 1, 1)).isEmpty();
  }

  @Test
  void areNoneWhereSomebodyGoesOnLookingAtAFew() {
    assertThat(told(STEPS - 3, STEPS, 2)).isEmpty();
  }

  /// The next job may hold it, or leave it out.
  @Test
  void areNoneWhereItWasThereUntilTheRunsLastLine() {
    assertThat(told(STEPS, STEPS, 1)).isEmpty();
  }

  @Test
  void areNoneInTheLastPolls() {
    assertThat(told(END - 20, STEPS, 1)).isEmpty();
  }

  /// The last line with a time may come just before the GPU goes.
  @Test
  void areTheEndOfAJobThatHangsSince() {
    assertThat(
            told(
                STEPS,
                STEPS,
                1,
                "[rank0]:[E ProcessGroupNCCL.cpp:655] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=61, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=120000) ran for 120001 milliseconds before timing out."))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(3));
  }

  private static List<Finding> told(int until, int trained, int missing) {
    return told(until, trained, missing, "");
  }

  /// @param until when the last GPUs are listed
  /// @param trained when the last collective was called
  /// @param last the log's last line
  private static List<Finding> told(int until, int trained, int missing, String last) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 4; rank++) {
      nccl(
          lines,
          0,
          rank,
          "ncclCommInitRankConfig comm 0x55%d rank %d nranks 4 cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a2d53c3b9 - Init COMPLETE"
              .formatted(rank, rank, rank, rank, rank + 1));
    }
    for (int step = 0; step <= trained; step++) {
      for (int rank = 0; rank < 4; rank++) {
        nccl(
            lines,
            step,
            rank,
            "AllReduce: opCount %x sendbuff 0x7f recvbuff 0x7f count 1048576 datatype 7 op 0 root 0 comm 0x55%d [nranks=4] stream 0x5580"
                .formatted(step, rank));
      }
    }
    lines.add(
        "[rank0]:[E1011 04:04:00.694680924 ProcessGroupNCCL.cpp:745] [Rank 0] To avoid data inconsistency, we are taking the entire process down.");
    lines.add(last);
    var samples = new ArrayList<GpuSample>();
    for (int second = 0; second <= END; second++) {
      var gpus = new ArrayList<GpuReading>();
      for (int index = 0; index < (second > until ? 4 - missing : 4); index++) {
        gpus.add(WrittenGpu.of(index, 100));
      }
      samples.add(new GpuSample("", "local", BEGIN.plusSeconds(second), gpus));
    }
    return Recorded.of(Map.of("job.log", lines)).with(samples).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.GPU_ERROR)
        .toList();
  }

  private static void nccl(List<String> lines, double seconds, int rank, String message) {
    lines.add(
        "%s stdout F worker-0:%d:%d [%d] NCCL INFO %s"
            .formatted(
                BEGIN.plusNanos(Math.round(seconds * 1e9)), 100 + rank, 100 + rank, rank, message));
  }
}
