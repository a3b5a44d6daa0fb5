package io.ringside.streams.examine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.examine.NextSteps.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NextStepsTest {
  private static final Place POD = new Place("ml", "llama-0", "n1", 4530, "0000:10:1c.0");
  private static final Place UNNAMED = new Place("<namespace>", "", "<node>", 0, "<gpu>");
  private static final Place HOSTILE =
      new Place("$(reboot)", "a;reboot", "`reboot`", 1, "| reboot");

  @ParameterizedTest
  @EnumSource(FindingKind.class)
  void everyKindHasOne(FindingKind kind) {
    assertThat(NextSteps.of(kind, POD)).isNotEmpty().hasSizeLessThanOrEqualTo(2);
    assertThat(NextSteps.of(kind, Place.UNKNOWN))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it).isNotBlank());
  }

  @ParameterizedTest
  @EnumSource(FailureClass.class)
  void everyWayToDieHasOne(FailureClass failure) {
    assertThat(NextSteps.ofDeath(failure, List.of())).isNotEmpty().hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void looksForMemoryWhereMemoryRanOut() {
    assertThat(NextSteps.ofDeath(FailureClass.DISK_FULL, List.of()))
        .containsExactly("df -h", "df -i");
    assertThat(NextSteps.ofDeath(FailureClass.GPU_OUT_OF_MEMORY, List.of()))
        .containsExactly("nvidia-smi --query-compute-apps=gpu_bus_id,pid,used_memory --format=csv");
  }

  @ParameterizedTest
  @EnumSource(FindingKind.class)
  void whatAPodIsCalledIsNeverRun(FindingKind kind) {
    assertThat(NextSteps.of(kind, HOSTILE)).noneSatisfy(it -> assertThat(it).contains("reboot"));
  }

  @Test
  void fillsInPodPidAndDevice() {
    assertThat(NextSteps.of(FindingKind.STRAGGLER, POD))
        .containsExactly(
            "kubectl -n ml exec llama-0 -- py-spy dump --pid 4530",
            "kubectl -n ml exec llama-0 -- nvidia-smi -i 0000:10:1c.0 -q -d PERFORMANCE,CLOCK");
  }

  @Test
  void quotesWhatAShellInThePodHasToRead() {
    assertThat(NextSteps.of(FindingKind.ENV_DRIFT, POD))
        .containsExactly("kubectl -n ml exec llama-0 -- sh -c \"env | grep -E '^(NCCL|FI)_'\"");
  }

  @Test
  void setsStampsFineEnoughToJudgeWaits() {
    assertThat(NextSteps.of(FindingKind.TIMING_UNRELIABLE, POD).getFirst())
        .contains("NCCL_DEBUG_TIMESTAMP_FORMAT='[%F %T.%6f] '");
  }

  /// With names to fill in, as nobody knows them who reads a runbook.
  @ParameterizedTest
  @EnumSource(FindingKind.class)
  void standInTheRunbookOfTheKind(FindingKind kind) throws IOException {
    assertThat(Files.readAllLines(Path.of("..", kind.runbook())))
        .containsAll(NextSteps.of(kind, UNNAMED));
  }

  @Test
  void onAHostWithoutKubernetesFitTheKind() {
    assertThat(NextSteps.of(FindingKind.NIC_SHORTFALL, Place.UNKNOWN))
        .containsExactly("fi_info -p efa", "ls /sys/class/infiniband");
    assertThat(NextSteps.of(FindingKind.TRANSPORT_REGRESSION, Place.UNKNOWN))
        .noneSatisfy(it -> assertThat(it).contains("oom"));
  }

  @Test
  void leavesKubernetesOutWhereThereIsNone() {
    assertThat(NextSteps.of(FindingKind.HANG, Place.UNKNOWN))
        .containsExactly("py-spy dump --pid PID", "nvidia-smi");
  }
}
