package io.ringside.streams.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.parse.event.LineOrigin;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What prefixes say of a line's origin, before NCCL's lines and before those of frameworks.
class LineOriginTest {
  private static final List<String> LINES =
      List.of(
          "h:1:2 [0] NCCL INFO Using network IB",
          "step=10, skipped=0, lr=[2e-05], mom=[(0.9, 0.999)]",
          "{'loss': 1.0, 'epoch': 0.1}");

  private static LineOrigin origin(String prefix) {
    var origins = LINES.stream().map(line -> originOf(prefix + line)).distinct().toList();
    assertThat(origins).hasSize(1);
    return origins.getFirst();
  }

  private static LineOrigin originOf(String line) {
    var first = Parsed.of(line).events().getFirst();
    return first instanceof LineOrigin origin ? origin : LineOrigin.NONE;
  }

  private static long nanos(String time) {
    return Nanos.of(Instant.parse(time));
  }

  @Test
  void bareLinesHaveNone() {
    assertThat(origin("")).isEqualTo(LineOrigin.NONE);
  }

  @Test
  void mpirunSaysTheTask() {
    assertThat(origin("[1,26]<stdout>:").task()).isEqualTo(26);
    assertThat(origin("[1,mpirank:13,algo-2]<stderr>:").task()).isEqualTo(13);
    assertThat(origin("[prterun-login-0-77@1,3]<stderr>: ").task()).isEqualTo(3);
    assertThat(origin("[prterun-login-0-77@1,3][worker-0:812]<stdout>: ").task()).isEqualTo(3);
    assertThat(origin("[worker-1:1,9]<stdout>:").task()).isEqualTo(9);
  }

  @Test
  void slurmSaysTheTask() {
    assertThat(origin("  3: ").task()).isEqualTo(3);
    assertThat(origin("12: ").task()).isEqualTo(12);
  }

  @Test
  void torchSaysTheRank() {
    assertThat(origin("[default3]:[rank11]: ").rank()).isEqualTo(11);
  }

  /// What names a machine, a pod or a process alone is taken off: the agent knows better.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "worker-0: ",
        "10.0.3.17: ",
        "localhost: ",
        "<worker-0>: ",
        "[node/worker-0] ",
        "[default3]:",
        "[pod/llama-0/trainer] ",
        "llama-0 trainer ",
        "training llama-0 trainer ",
        "\u001b[31mllama-0\u001b[0m \u001b[32mtrainer\u001b[0m ",
        "[llama-0 trainer] ",
        "[node 1] ",
        "[worker 3] ",
        "trainer-1  | ",
        "(RayTrainWorker pid=5823, ip=10.0.0.7) ",
        "Nov 20 20:42:26 gpu-17 torchrun[4187]: "
      })
  void namesSayNeitherRankNorTime(String prefix) {
    assertThat(origin(prefix)).isEqualTo(LineOrigin.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20T20:42:26.942294769Z ",
        "2026-11-20T20:42:26.942294769Z stdout F ",
        "2026-11-20T21:42:26.942294769+01:00 ",
        "2026-11-20T21:42:26.942294769+0100\t",
        "[2026-11-20T20:42:26.942294769Z] ",
        "2026-11-20 20:42:26.942294769,"
      })
  void timesAreRead(String prefix) {
    assertThat(origin(prefix).nanos()).isEqualTo(nanos("2026-11-20T20:42:26.942294769Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[pod/llama-0/trainer] 2026-11-20T20:42:26Z ",
        "2026-11-20T20:42:26+0000 gpu-17 torchrun[4187]: ",
        "2026-11-20T20:42:26Z {app=\"llama\", node_name=\"gpu-17\", pod=\"llama-0\"} ",
        "2026-11-20T20:00:00Z [pod/launcher/mpi] 2026-11-20T20:42:26Z worker-0: worker-1: "
      })
  void timesAreReadAmongNames(String prefix) {
    assertThat(origin(prefix).nanos()).isEqualTo(nanos("2026-11-20T20:42:26Z"));
  }

  @Test
  void ncclsOwnStampIsNone() {
    assertThat(originOf("[2026-11-20 20:42:26] h:1:2 [0] NCCL INFO Using network IB"))
        .isEqualTo(LineOrigin.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"12:30:01 ", "Error: ", "see ", "rank 0 ", "Loading extension "})
  void proseIsNoPrefix(String prefix) {
    assertThat(Parsed.of(prefix + LINES.get(1)).events()).isEmpty();
  }
}
