package io.ringside.streams.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChecklistTest {
  private final List<String> lines = new ArrayList<>();

  /// Rank 1 is up as well: what another process printed at that moment tore its line apart.
  @Test
  void knowsThatARankIsUpWhoseLastLineIsTorn() {
    starts();
    nccl(0, "Connected all trees");
    nccl(1, "Connected all trees");
    nccl(0, init(0, "COMPLETE"));
    nccl(1, "comm 0x552 rankLoading the tokenizer of the model");

    var check = initialised();

    assertThat(check.status()).isEqualTo(Check.Status.UNKNOWN);
    assertThat(check.detail()).isEqualTo("1 of 2 say so, the others have connected their trees");
  }

  @Test
  void missesARankThatNeverConnectedItsTrees() {
    starts();
    nccl(0, "Connected all trees");
    nccl(0, init(0, "COMPLETE"));

    assertThat(initialised().status()).isEqualTo(Check.Status.FAIL);
  }

  private void starts() {
    for (int rank = 0; rank < 2; rank++) {
      nccl(rank, init(rank, "START"));
    }
  }

  private static String init(int rank, String phase) {
    return "ncclCommInitRank comm 0x55%d rank %d nranks 2 cudaDev %d nvmlDev %d busId %d0 commId 0x7 - Init %s"
        .formatted(rank + 1, rank, rank, rank, rank + 1, phase);
  }

  private void nccl(int rank, String message) {
    lines.add("worker-0:%d:%d [%d] NCCL INFO %s".formatted(100 + rank, 200 + rank, rank, message));
  }

  private Check initialised() {
    return Recorded.of(Map.of("job.log", lines)).judged().runs().getFirst().checklist().stream()
        .filter(check -> check.name().equals("ranks initialised"))
        .findFirst()
        .orElseThrow();
  }
}
