package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A log of four GPUs in which nvidia-smi's table is printed again and again.
class UnlistedGpusTest {
  private static final String RULE =
      "+---------------------------------+----------------------+----------------------+";

  private final List<String> lines = new ArrayList<>();
  private String prefix = "";

  @BeforeEach
  void begins() {
    table(0, 1, 2, 3);
    step(1);
    step(2);
  }

  @Test
  void aGpuThatIsListedNoMore() {
    table(0, 1, 3);

    assertThat(told())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(error.gpus()).containsExactly("0000:42:00.0");
            });
  }

  @Test
  void whichIsToldOnce() {
    table(0, 1, 3);
    table(0, 1, 3);

    assertThat(told()).hasSize(1);
  }

  @Test
  void notOneThatComesBack() {
    table(0, 1, 3);
    table(0, 1, 2, 3);

    assertThat(told()).isEmpty();
  }

  /// The job does without it, or it was another one's.
  @Test
  void notWhileTrainingGoesOn() {
    table(0, 1, 3);
    step(3);

    assertThat(told()).isEmpty();
  }

  /// A server in a container with fewer GPUs than the machine has.
  @Test
  void notBeforeAnythingTrained() {
    lines.clear();
    table(0, 1, 2, 3);
    table(0, 1, 3);

    assertThat(told()).isEmpty();
  }

  @Test
  void notOfAJobThatWasDone() {
    say("Training completed. Do not forget to share your model on huggingface.co/models =)");
    table(0, 1, 3);

    assertThat(told()).isEmpty();
  }

  /// `nvidia-smi -i 0,1,3` keeps their numbers.
  @Test
  void notWhereSomebodyAsksForSome() {
    head();
    for (int gpu : new int[] {0, 1, 3}) {
      row(gpu, gpu);
    }
    say("| Processes:                                                            |");
    table(0, 1);
    table(2);

    assertThat(told()).isEmpty();
  }

  @Test
  void notWhereTheTableIsCut() {
    head();
    IntStream.range(0, 3).forEach(gpu -> row(gpu, gpu));

    assertThat(told()).isEmpty();
  }

  /// Another line runs into a row, or a table into the next.
  @Test
  void notWhereARowIsTorn() {
    head();
    IntStream.range(0, 3).forEach(gpu -> row(gpu, gpu));
    say("|   3  NVIDIA H100 80GB HBM3   step 12 lossOn  |   00000000:43:00.0 Off |  0 |");
    say("| N/A   51C    P0              518W /  700W |  71234MiB /  81559MiB |  99%  Default |");
    say(RULE);
    say("| Processes:                                                            |");

    assertThat(told()).isEmpty();
  }

  @Test
  void notInAnotherHostsTable() {
    prefix = "gpu-05: ";
    table(0, 1, 3);

    assertThat(told()).isEmpty();
  }

  @Test
  void alsoBehindTheTimeOfEachLine() {
    prefix = "2026-11-20T10:00:07.%03dZ ";
    table(0, 1, 2, 3);
    table(0, 1, 3);

    assertThat(told()).hasSize(1);
  }

  private void table(int... gpus) {
    head();
    for (int at = 0; at < gpus.length; at++) {
      row(at, gpus[at]);
    }
    say("| Processes:                                                            |");
    say("|    0   N/A  N/A       5000      C   /usr/bin/python3            71224MiB |");
  }

  private void head() {
    say("| NVIDIA-SMI 575.57.08       Driver Version: 575.57.08     CUDA Version: 12.9 |");
    say(RULE);
    say("| GPU  Name          Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |");
    say("|==================================+======================+======================|");
  }

  private void row(int number, int gpu) {
    say(
        "|   %d  NVIDIA H100 80GB HBM3   On  |   00000000:4%d:00.0 Off |          0 |"
            .formatted(number, gpu));
    say("| N/A   51C    P0    518W /  700W |  71234MiB /  81559MiB |  99%      Default |");
    say(RULE);
  }

  private void step(int step) {
    lines.add("step %d loss 2.1 time 0.3s".formatted(step));
  }

  private void say(String line) {
    lines.add(prefix.formatted(lines.size()) + line);
  }

  private List<Finding> told() {
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.GPU_ERROR)
        .toList();
  }
}
