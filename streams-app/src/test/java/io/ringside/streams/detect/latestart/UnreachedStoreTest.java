package io.ringside.streams.detect.latestart;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnreachedStoreTest {
  private static final String SOCKET =
      "[E728 15:01:59.561275187 socket.cpp:1028] [c10d] The client socket has timed out after 600000ms while trying to connect to (10.0.0.7, 29500).";

  private static final String RETRY =
      "[W728 15:01:59.562622567 TCPStore.cpp:340] [c10d] TCP client failed to connect/validate to host 10.0.0.7:29500 - retrying (try=%d, timeout=600000ms, delay=33924ms): The client socket has timed out after 600000ms while trying to connect to (10.0.0.7, 29500).";

  @Test
  void warnsOfAStoreThatDoesNotAnswer() {
    assertThat(told(SOCKET, RETRY.formatted(0), SOCKET, RETRY.formatted(1)))
        .singleElement()
        .satisfies(
            late -> {
              assertThat(late.kind()).isEqualTo(FindingKind.LATE_START);
              assertThat(late.severity()).isEqualTo(Severity.WARNING);
              assertThat(late.ranks()).isEmpty();
              assertThat(late.summary())
                  .contains("10 min", "10.0.0.7:29500", "the job has not begun");
              assertThat(late.observed()).contains("2 times");
            });
  }

  @Test
  void tellsOfOneThatCameLater() {
    assertThat(
            told(
                RETRY.formatted(0),
                "iter 10: loss 3.4, time 500.1ms",
                "iter 11: loss 3.4, time 500.1ms",
                "iter 12: loss 3.4, time 500.1ms"))
        .singleElement()
        .satisfies(late -> assertThat(late.summary()).contains("and came in later"));
  }

  /// Every start tries until the store is up.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[W728 15:01:59.562622567 TCPStore.cpp:347] [c10d] TCP client failed to connect/validate to host 10.0.0.7:29500 - retrying (try=0, timeout=1800000ms, delay=487ms): Connection reset by peer",
        "[W728 15:01:59.562622567 socket.cpp:767] [c10d] The client socket has failed to connect to [host-0]:29500 (errno: 111 - Connection refused).",
        "[W728 15:01:59.562622567 TCPStore.cpp:340] [c10d] TCP client failed to connect/validate to host 10.0.0.7:29500 - retrying (try=0, timeout=1000ms, delay=87ms): The client socket has timed out after 1000ms while trying to connect to (10.0.0.7, 29500)."
      })
  void isNothingWhereItIsTriedAgainSoon(String line) {
    assertThat(told("starting", line)).isEmpty();
  }

  @Test
  void isTheFailureWhereTheProcessGivesUp() {
    assertThat(
            told(
                RETRY.formatted(0),
                "Traceback (most recent call last):",
                "  File \"/workspace/train.py\", line 12, in main",
                "    dist.init_process_group(\"nccl\")",
                "torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (10.0.0.7, 29500)."))
        .extracting(Finding::kind)
        .containsExactly(FindingKind.JOB_FAILED);
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("job.log", List.of(lines))).judged().findings();
  }
}
