package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverErrorsTest {
  @ParameterizedTest
  @CsvSource({
    "13, INFO",
    "31, INFO",
    "43, INFO",
    "45, INFO",
    "48, CRITICAL",
    "63, WARNING",
    "74, CRITICAL",
    "79, CRITICAL",
    "94, WARNING",
    "95, CRITICAL",
    "119, CRITICAL",
    "999, WARNING"
  })
  void weighsAnXidAsNvidiaDoes(int code, Severity severity) {
    var errors =
        told(
            "[Sun Feb 23 16:24:18 2026] NVRM: Xid (PCI:0000:9b:00): %d, pid=2024, name=python3, words"
                .formatted(code));

    assertThat(errors)
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(severity);
              assertThat(error.gpus()).containsExactly("0000:9b:00");
              assertThat(error.summary()).contains("Xid " + code);
            });
  }

  @ParameterizedTest
  @CsvSource({"Fatal, CRITICAL", "Non-fatal, INFO"})
  void weighsAnErrorOfASwitchAsTheDriverDoes(String word, Severity severity) {
    var errors =
        told(
            "[  812.5] nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, %s, Link 28 LTSSM Fault Up"
                .formatted(word),
            "[  812.5] nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Severity 1 Engine instance 28");

    assertThat(errors)
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(severity);
              assertThat(error.summary()).contains("SXid 20034").contains("0000:c2:00.0");
              assertThat(error.evidence()).hasSize(1);
            });
  }

  /// The driver's longest way to say it takes two lines.
  @Test
  void aGpuThatFellOffTheBusIsBrokenWithoutAnXid() {
    assertThat(
            told(
                "[ 812.1] NVRM: The NVIDIA GPU 0000:9a:00.0 (PCI ID: 10de:28a0) installed in this system",
                "[ 812.1]        has fallen off the bus and is not responding to commands."))
        .singleElement()
        .satisfies(error -> assertThat(error.severity()).isEqualTo(Severity.CRITICAL));
  }

  @ParameterizedTest
  @CsvSource({
    "NVRM: GPU 0000:04:00.0: RmInitAdapter failed! (0x62:0x40:2192), CRITICAL, unusable",
    "amdgpu 0000:26:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block, CRITICAL, broken",
    "amdgpu 0000:26:00.0: socket: 4 die: 0 1 new uncorrectable hardware errors detected in gfx block, CRITICAL, broken",
    "amdgpu 0000:26:00.0: amdgpu: uncorrectable hardware error(ERREVENT_ATHUB_INTERRUPT) detected!, CRITICAL, broken",
    "amdgpu 0000:26:00.0: amdgpu: Fatal error during GPU init, CRITICAL, unusable",
    "amdgpu 0000:26:00.0: amdgpu: GPU reset begin!, WARNING, reset",
    "amdgpu 0000:26:00.0: GPU reset begin!. Source:  1, WARNING, reset"
  })
  void weighsWhatADriverSaysOfItsGpu(String words, Severity severity, String state) {
    for (var prefix : List.of("[ 812.1] ", "Nov 26 04:11:15 gpu-7 kernel: [  921.623101] ", "")) {
      assertThat(told(prefix + words))
          .singleElement()
          .satisfies(
              error -> {
                assertThat(error.severity()).isEqualTo(severity);
                assertThat(error.summary())
                    .contains("is " + state)
                    .contains(words.substring(0, 20));
              });
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amdgpu 0000:26:00.0: amdgpu: 0 uncorrectable hardware errors detected in umc block",
        "amdgpu 0000:26:00.0: amdgpu: no uncorrectable hardware errors detected in umc block",
        "amdgpu 0000:26:00.0: amdgpu: 3 correctable hardware errors detected in umc block",
        "amdgpu 0000:26:00.0: amdgpu: ring gfx timeout, but soft recovered",
        "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15"
      })
  void whatADriverSaysOfAHealthyGpuIsNoError(String words) {
    assertThat(told("[ 812.1] " + words)).isEmpty();
  }

  /// The driver says so at each attempt to use the GPU.
  @Test
  void aGpuThatNeverStartsHidesNoDeath() {
    var lines = new ArrayList<String>();
    for (int attempt = 0; attempt < 400; attempt++) {
      lines.add(
          "[%d.5] NVRM: GPU 0000:04:00.0: RmInitAdapter failed! (0x62:0x40:2192)"
              .formatted(attempt));
    }
    lines.add("Traceback (most recent call last):");
    lines.add("  File \"/workspace/train.py\", line 81, in step");
    lines.add("KeyError: 'tokens'");

    assertThat(Recorded.of(Map.of("all.log", lines)).judged().findings())
        .extracting(Finding::kind)
        .contains(FindingKind.GPU_ERROR, FindingKind.JOB_FAILED);
  }

  @Test
  void aGpuThatAsksForAResetIsBroken() {
    assertThat(
            told(
                "[Sun Jan 11 09:52:01 2026] NVRM: nvAssertOkFailedNoLog: Assertion failed: Reset required [NV_ERR_RESET_REQUIRED] (0x00000062) returned from status @ kernel_channel.c:2874"))
        .singleElement()
        .satisfies(error -> assertThat(error.severity()).isEqualTo(Severity.CRITICAL));
  }

  /// `journalctl -k` over several boots.
  @Test
  void whatTheKernelSaidBeforeTheMachineWasBootedAgainIsANote() {
    var lines =
        List.of(
            "Mar 09 14:22:10 n7 kernel: NVRM: Xid (PCI:0000:9d:00): 79, pid=48, name=python3, GPU has fallen off the bus.",
            "Mar 09 14:22:13 n7 kernel: NVRM: GPU 0000:9d:00.0: GPU has fallen off the bus.",
            "-- Boot 1617907846bdbb6dce354bee83744df0 --",
            "Mar 09 16:02:06 n7 kernel: Linux version 6.8.0-64-generic (buildd@lcy02-amd64-045)");

    assertThat(told(lines.toArray(String[]::new)))
        .hasSize(1)
        .allSatisfy(it -> assertThat(it.severity()).isEqualTo(Severity.INFO))
        .allSatisfy(it -> assertThat(it.summary()).contains("before this run"));
    assertThat(told(lines.subList(0, 2).toArray(String[]::new)))
        .allSatisfy(it -> assertThat(it.severity()).isEqualTo(Severity.CRITICAL));
    assertThat(told(lines.reversed().toArray(String[]::new)))
        .allSatisfy(it -> assertThat(it.severity()).isEqualTo(Severity.CRITICAL));
    // the Xid before the boot, the words after it
    assertThat(told(lines.get(0), lines.get(2), lines.get(3), lines.get(1)))
        .extracting(Finding::severity)
        .containsExactlyInAnyOrder(Severity.INFO, Severity.CRITICAL);
  }

  /// A grep over an old log, printed by the job.
  @Test
  void anXidOfDaysBeforeTheRunIsANote() {
    var before =
        "[Tue Mar  3 04:11:24 2026] NVRM: Xid (PCI:0000:3b:00): 48, pid=3048, name=python3, DBE";
    var during =
        "[Mon Nov  9 09:00:24 2026] NVRM: Xid (PCI:0000:3b:00): 48, pid=3048, name=python3, DBE";
    var started =
        "[2026-11-09 09:00:00.085440] node-0:80:80 [0] NCCL INFO Bootstrap: Using eth0:10.12.4.20<0>";

    assertThat(told(started, before))
        .singleElement()
        .extracting(Finding::severity)
        .isEqualTo(Severity.INFO);
    assertThat(told(started, before, during))
        .singleElement()
        .extracting(Finding::severity)
        .isEqualTo(Severity.CRITICAL);
  }

  @Test
  void readsWhatAHealthAgentQuotes() {
    assertThat(
            told(
                "Node condition NvidiaErrorReboot is now: True, reason: XidHardwareFailure, message: \"NVRM: Xid (PCI:0000:b9:00): 79, pid=1, name=python, GPU has fallen off the bus.\""))
        .singleElement()
        .extracting(Finding::severity)
        .isEqualTo(Severity.CRITICAL);
  }

  @Test
  void readsTheGpuOfASlice() {
    assertThat(told("[ 1.0] NVRM: Xid (PCI:0000:9b:00 GPU-I:05): 94, pid=1, name=python3, words"))
        .singleElement()
        .satisfies(error -> assertThat(error.gpus()).containsExactly("0000:9b:00"));
  }

  @Test
  void namesTheRankOfAnEccError() {
    var errors =
        told(
            "[rank6]: Traceback (most recent call last):",
            "[rank6]: torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered");

    assertThat(errors)
        .singleElement()
        .satisfies(error -> assertThat(error.ranks()).containsExactly(6));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "| N/A   29C    P0   ERR! / 250W |    593MiB / 16160MiB |      0%      Default |",
        "|ERR!  ERR! ERR!             ERR! / ERR! |   31222MiB /  40960MiB |    ERR!      Default |",
        "|ERR!  ERR! ERR!             ERR! / ERR! |     ERR! /     ERR!    |    ERR!      ERR!    |",
      })
  void takesARowOfNvidiaSmiWithoutReadings(String row) {
    assertThat(told(row)).hasSize(1);
  }

  @Test
  void namesTheGpuOfTheRow() {
    var row =
        "|ERR!  ERR! ERR!             ERR! / ERR! |     ERR! /     ERR!    |    ERR!      ERR!    |";
    var other =
        "|   2  NVIDIA A100-SXM4-40GB      On  | 00000000:3A:00.0 Off |                    0 |";
    var gpu =
        "|   3  NVIDIA A100-SXM4-40GB      On  | 00000000:4A:00.0 Off |                 ERR! |";
    var rule =
        "+----------------------------------------+----------------------+----------------------+";

    assertThat(told(other, rule, gpu, row, rule))
        .singleElement()
        .satisfies(error -> assertThat(error.summary()).contains("GPU 3, 0000:4a:00.0"));
    assertThat(told(other, rule, row, rule))
        .singleElement()
        .satisfies(error -> assertThat(error.summary()).doesNotContain("GPU 2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-10-02 08:11:40,210 ERROR probe: nvidia-smi exit status 15: Unable to determine the device handle for GPU2: 0000:4A:00.0: GPU is lost.  Reboot the system to recover this GPU",
        "[2026-10-02 08:11:40,210] [WARNING] [probe.py:61:ask] nvidia-smi: Unable to determine the device handle for GPU 0000:4A:00.0: GPU is lost",
        "[health] stderr: Unable to determine the device handle for GPU 0000:4A:00.0: Unknown Error",
        "Unable to determine the device handle for GPU0000:4A:00.0: GPU is lost.",
      })
  void takesWhatNvidiaSmiSaysOfALostGpu(String line) {
    assertThat(told("step 12 loss 2.1 time 0.3s", line))
        .singleElement()
        .satisfies(error -> assertThat(error.severity()).isEqualTo(Severity.CRITICAL));
  }

  /// A sample of what is trained on, or somebody who asks about it.
  @Test
  void takesNoTextThatQuotesNvidiaSmi() {
    var lines = new ArrayList<String>();
    lines.add(
        "INFO sample: user: Unable to determine the device handle for GPU 0000:4A:00.0: GPU is lost");
    lines.add(
        "INFO sample: why does it say Unable to determine the device handle for GPU 0000:4A:00.0: GPU is lost");
    for (int step = 0; step < 20; step++) {
      lines.add("step %d loss 2.1 time 0.3s".formatted(step));
    }

    assertThat(told(lines.toArray(String[]::new))).isEmpty();
  }

  /// The end of a log may be all there is; of one that goes on, somebody only spoke.
  @Test
  void takesAnEccErrorWithoutATracebackWhereNothingGoesOn() {
    var words = "RuntimeError: CUDA error: uncorrectable ECC error encountered";

    assertThat(told("step 12 loss 2.1 time 0.3s", words)).hasSize(1);
    assertThat(told(words, "step 12 loss 2.1 time 0.3s", "step 13 loss 2.1 time 0.3s")).isEmpty();
  }

  @Test
  void anIllegalAccessIsTheProgramsOwn() {
    assertThat(
            told(
                "[rank6]: Traceback (most recent call last):",
                "[rank6]: RuntimeError: CUDA error: an illegal memory access was encountered"))
        .isEmpty();
  }

  @Test
  void whatTheDriverSaysInWordsBesideAnXidIsOneFault() {
    assertThat(
            told(
                "Nov 24 09:00:53 gpu-3 kernel: [ 9931.551330] NVRM: Xid (PCI:0000:9b:00): 79, pid=40215, name=python3, GPU has fallen off the bus.",
                "Nov 24 09:00:53 gpu-3 kernel: [ 9931.551340] NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus."))
        .singleElement()
        .satisfies(error -> assertThat(error.summary()).contains("Xid 79"));
  }

  @Test
  void anotherGpuOfWhichTheDriverSpeaksIsAnotherFault() {
    assertThat(
            told(
                "Nov 24 09:00:53 gpu-3 kernel: [ 9931.551330] NVRM: Xid (PCI:0000:9b:00): 79, pid=40215, name=python3, GPU has fallen off the bus.",
                "Nov 24 09:00:53 gpu-3 kernel: [ 9931.551340] NVRM: GPU 0000:cb:00.0: GPU has fallen off the bus."))
        .hasSize(2);
  }

  /// `journalctl` in Chinese.
  @Test
  void readsAJournalWhoseMonthsAreNumbers() {
    assertThat(
            told(
                "11月 16 04:38:20 gpu-3 kernel: NVRM: Xid (PCI:0000:03:00): 62, pid=3119, 0cb5(2d50) 00000000",
                "11月 16 04:38:21 gpu-3 kernel: usb 1-1: new high-speed USB device number 62"))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(error.gpus()).containsExactly("0000:03:00");
            });
  }

  private static final String ROWS =
      "gpu-3 kernel: NVRM: Xid (PCI:0000:9b:00): 64, pid='<unknown>', name=<unknown>, Row Remapper: all reserved rows for bank are remapped";

  /// rsyslog's stamp is taken off the lines as that of a container is.
  @Test
  void readsAKernelsLogWithoutItsTimes() {
    assertThat(told(ROWS))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(error.gpus()).containsExactly("0000:9b:00");
              assertThat(error.summary()).contains("Xid 64");
            });
  }

  @Test
  void whatAKernelsLogHasOfDaysBeforeIsTheNodesPast() {
    var run =
        "2026-11-20T10:00:00.000000001Z stdout F gpu-3:81:91 [0] NCCL INFO ncclCommInitRank comm 0x55 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 9b000 commId 0xabc - Init START";

    assertThat(told("2026-11-20T09:58:00.000000001Z stdout F " + ROWS, run))
        .extracting(Finding::severity)
        .containsExactly(Severity.CRITICAL);
    assertThat(told("2026-11-02T10:00:00.000000001Z stdout F " + ROWS, run))
        .extracting(Finding::severity)
        .containsOnly(Severity.INFO);
  }

  @Test
  void whoOnlyMentionsAKernelQuotesNoXid() {
    assertThat(told("the kernel: NVRM prints Xid 64 where rows cannot be remapped")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"94, WARNING", "79, CRITICAL", "31, INFO"})
  void readsWhatTheDevicePluginOfKubernetesSays(int code, Severity severity) {
    var stamp = "2024-08-09T13:32:51.873588972Z I0809 13:32:51.873541       1 ";
    var uuid = "GPU-3b6ec030-5adc-1847-e155-79f635584b4e";

    assertThat(
            told(
                stamp
                    + "health.go:185] XidCriticalError: Xid=%d on Device=%s; marking device as unhealthy."
                        .formatted(code, uuid),
                stamp + "server.go:292] 'nvidia.com/gpu' device marked unhealthy: " + uuid))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(severity);
              assertThat(error.summary()).startsWith(uuid + " reports Xid " + code);
              assertThat(error.gpus()).isEmpty();
            });
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("job.log", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.GPU_ERROR)
        .toList();
  }
}
