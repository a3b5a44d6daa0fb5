package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompanionFilesTest {
  private static final String EVENTS =
      """
      LAST SEEN   TYPE      REASON    OBJECT           MESSAGE
      4m2s        Warning   Evicted   pod/vision-w-2   The node was low on resource: memory.
      """;

  private static final String LINKS =
      """
      GPU 0: NVIDIA H200 (UUID: GPU-7e69c0ea-c444)
      \t Link 0: Replay Errors: 0

      """;

  @TempDir private Path folder;

  @Test
  void areOfTheJobWhoseLogsTheyLieWith() throws IOException {
    write("run/vision-w-1.log", "step 1\n");
    write("run/vision-w-2.log", "step 1\n");
    write("run/about/events.txt", EVENTS);

    assertThat(jobOf("events.txt")).isEqualTo("vision-w");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT           MESSAGE",
        "LAST SEEN   FIRST SEEN   TYPE      REASON    OBJECT           MESSAGE",
        "LAST SEEN   FIRST SEEN   COUNT   NAME   KIND   SUBOBJECT   TYPE   REASON   SOURCE   MESSAGE",
        "LAST SEEN   TYPE   REASON   OBJECT   SUBOBJECT   SOURCE   MESSAGE   FIRST SEEN   COUNT   NAME"
      })
  void areTablesOfEventsOfAnyColumns(String head) throws IOException {
    write("vision-w-1.log", "step 1\n");
    write("events.txt", head + "\n4m2s   4m2s   Warning   Evicted   pod/vision-w-2   low\n");

    assertThat(jobOf("events.txt")).isEqualTo("vision-w");
  }

  @Test
  void areSoBelowTheCommandThatWasCopiedWithThem() throws IOException {
    write("vision-w-1.log", "step 1\n");
    write("events.txt", "$ kubectl get events -n vision | tail -5\n" + EVENTS);

    assertThat(jobOf("events.txt")).isEqualTo("vision-w");
  }

  @Test
  void areOfTheNamespaceOfTheKubeletsTree() throws IOException {
    write(
        "pods/vision_vision-w-1_52e6b438-f2a7-4269-a651-0c5ca6a3a450/train/0.log",
        "2026-10-05T12:00:00.000000000Z stdout F step 1\n");
    write(
        "nvidia-smi-after.txt",
        "GPU 0: NVIDIA H200 (UUID: GPU-7e69c0ea-c444)\n\t Link 0: Replay Errors: 0\n");

    assertThat(Inputs.of(List.of(folder.toString())).files())
        .filteredOn(file -> file.name().endsWith("after.txt"))
        .singleElement()
        .satisfies(file -> assertThat(file.namespace()).isEqualTo("vision"))
        .satisfies(file -> assertThat(file.job()).isEqualTo("vision-w"));
  }

  @Test
  void areOfTheJobThatTheyNameAmongSeveral() throws IOException {
    write("vision-w-2.log", "step 1\n");
    write("speech-w-0.log", "step 1\n");
    write("events.txt", EVENTS);

    assertThat(jobOf("events.txt")).isEqualTo("vision-w");
  }

  @Test
  void areLeftOutWhereTheyNameNone() throws IOException {
    write("text-w-2.log", "step 1\n");
    write("speech-w-0.log", "step 1\n");
    write("events.txt", EVENTS);

    var inputs = Inputs.of(List.of(folder.toString()));

    assertThat(inputs.files()).hasSize(2);
    assertThat(inputs.skipped())
        .singleElement()
        .satisfies(
            left -> {
              assertThat(left.path()).endsWith("events.txt");
              assertThat(left.reason()).startsWith("it lies beside several jobs' logs");
            });
  }

  @Test
  void areWhatASchedulerListsOfAJobAndNothingElse() throws IOException {
    var rows =
        "JobID JobName State ExitCode\n----- ------- ----- --------\n7 train NODE_FAIL 1:0\n";
    write("run/vision-w-1.log", "step 1\n");
    write("run/sacct.txt", "$ sacct -j 7\n" + rows);
    write("run/state.txt", "$ kubectl get pod vision-w-1 -o json\n{\n  \"status\": {\n  }\n}\n");
    write("run/speech-w-0.log", rows + "step 1\n");

    assertThat(jobOf("speech-w-0.log")).isEmpty();
    Files.delete(folder.resolve("run/speech-w-0.log"));
    assertThat(jobOf("sacct.txt")).isEqualTo("vision-w");
    assertThat(jobOf("state.txt")).isEqualTo("vision-w");
  }

  /// A kernel speaks of its machine.
  @Test
  void areKernelsLogsOfOneJobAndTheirOwnBesideSeveral() throws IOException {
    write("run/vision-w-2.log", "step 1\n");
    write("run/dmesg.log", "[Fri Nov 20 10:00:52 2026] NVRM: Xid (PCI:0000:43:00): 79, pid=1\n");
    write("run/journal.txt", "Nov 20 10:00:52 gpu-1 kernel: NVRM: loading\n");
    write("run/uptime.txt", "[    0.000000] Linux version 6.8.0\n[    1.004312] audit: x\n");
    write("run/loader.log", "[    0.000000] step 1\n[    1.004312] step 2\n");

    assertThat(jobOf("dmesg.log")).isEmpty();
    Files.delete(folder.resolve("run/loader.log"));

    assertThat(jobOf("dmesg.log")).isEqualTo("vision-w");
    assertThat(jobOf("journal.txt")).isEqualTo("vision-w");
    assertThat(jobOf("uptime.txt")).isEqualTo("vision-w");
  }

  /// As `-o short-precise` and `short-iso`, in other languages, and copied without blanks or zeros.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Nov  6 10:00:52.104211 gpu-1 kernel: ",
        "Nov 6 6:00:52 gpu-1 kernel: ",
        "févr. 06 10:00:52 gpu-1 kernel: ",
        "2026-11-20T10:00:52+0100 gpu-1 kernel: "
      })
  void areJournalsOfTheKernelHoweverTheyTellTheTime(String stamp) throws IOException {
    write("run/vision-w-2.log", "step 1\n");
    write("run/journal.txt", stamp + "NVRM: loading\n");

    assertThat(jobOf("journal.txt")).isEqualTo("vision-w");
  }

  @Test
  void areWhatKubernetesAnswersToo() throws IOException {
    write("vision-w-2.log", "step 1\n");
    write("speech-w-0.log", "step 1\n");
    write(
        "pod.json",
        "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"vision-w-2\"}, \"status\": {\"phase\": \"Failed\"}}");

    assertThat(jobOf("pod.json")).isEqualTo("vision-w");
  }

  @Test
  void areTablesFromTheirFirstLineOn() throws IOException {
    write("vision-w-2.log", "step 1\n");
    write("notes.log", "step 1\n" + EVENTS);

    assertThat(jobOf("notes.log")).isEmpty();
  }

  @Test
  void areListingsThatALoopSavesBelowItsHeadings() throws IOException {
    write("vision-w-2.log", "step 1\n");
    for (var heading :
        List.of(
            "=== Fri Nov 20 10:00:00 2026",
            "Fri Nov 20 10:00:00 UTC 2026",
            "2026-11-20T10:00:00+00:00",
            "+ nvidia-smi nvlink -e",
            "Every 30.0s: nvidia-smi nvlink -e",
            "2026-11-20T10:00:00Z  nvidia-smi nvlink -e")) {
      write("errors.txt", (heading + "\n" + LINKS).repeat(2));

      assertThat(jobOf("errors.txt")).as(heading).isEqualTo("vision-w");
    }
  }

  @Test
  void areCountersOfPortsInEachForm() throws IOException {
    write("vision-w-2.log", "step 1\n");
    for (var listing :
        List.of(
            "link mlx5_0/1 rx_write_requests 0 out_of_sequence 7 \nlink mlx5_1/1 rx_drops 0 \n",
            "/sys/class/infiniband/rdmap16s27/ports/1/hw_counters/retrans_pkts:0\n",
            "link mlx5_0/1 \n    rx_write_requests 0 \n    out_of_sequence 7 \n",
            "[{\"ifindex\":0,\"ifname\":\"mlx5_0\",\"port\":1,\"out_of_sequence\":7}]\n")) {
      write("errors.txt", "=== 10:00\n" + listing + "=== 10:01\n" + listing);

      assertThat(jobOf("errors.txt")).as(listing).isEqualTo("vision-w");
    }
    write("numbers.log", "  step 1\n  step 2\n");
    assertThat(jobOf("numbers.log")).isEmpty();
  }

  @Test
  void areNoLogsThatBeginWithAListing() throws IOException {
    write("vision-w-2.log", "step 1\n");
    write("speech.log", "=== Fri Nov 20 10:00:00 2026\n" + LINKS + "step 1\n");
    write("text.log", "=== Fri Nov 20 10:00:00 2026\nstep 1\n");

    assertThat(jobOf("speech.log")).isEmpty();
    assertThat(jobOf("text.log")).isEmpty();
  }

  private static final String ERROR =
      "{\"message\": {\"message\": \"KeyError: 'a'\", \"extraInfo\": {\"py_callstack\": \"\", \"timestamp\": \"1795207346\"}}}";

  @Test
  void areTorchrunsErrorFiles() throws IOException {
    write("vision-w-2.log", "step 1\n");
    write("torchelastic/none_7/attempt_0/5/error.json", ERROR);

    assertThat(jobOf("error.json")).isEqualTo("vision-w");
  }

  @Test
  void areNoErrorFilesOfAttemptsThatWereFollowedByOthers() throws IOException {
    write("vision-w-2.log", "step 1\n");
    write("torchelastic/none_7/attempt_0/5/error.json", ERROR);
    write("torchelastic/none_7/attempt_1/5/stdout.txt", "step 1\n");

    assertThat(Inputs.of(List.of(folder.toString())).files())
        .noneMatch(file -> file.path().endsWith("error.json"));
  }

  private String jobOf(String name) {
    return Inputs.of(List.of(folder.toString())).files().stream()
        .filter(file -> file.path().endsWith(name))
        .findFirst()
        .orElseThrow()
        .job();
  }

  private void write(String name, String text) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
