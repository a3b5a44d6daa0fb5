package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.standalone.input.InputFile.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputsTest {
  private static final String LINE = "host:1:1 [0] NCCL INFO cudaDriverVersion 13000\n";
  private static final String CSV =
      """
      timestamp, index, uuid, pci.bus_id, name, utilization.gpu [%]
      2026/11/20 20:42:16.286, 0, GPU-126a, 00000000:00:06.0, NVIDIA H200, 0
      """;

  @TempDir Path folder;

  @Test
  void walksAKubeletTreeAndReadsSamplesBeforeLogs() throws IOException {
    write("pods/ns_job-node-0-0_uid/trainer/0.log", LINE);
    write("pods/ns_job-node-0-1_uid/trainer/0.log", LINE);
    write("nvidia-smi.csv", CSV);
    write("truth/t.rank0.csv", "0,1.5,2\n1,2.5,3\n");
    write(".git/config", "[core]\n");

    var inputs = Inputs.of(List.of(folder.toString()));

    assertThat(inputs.files())
        .extracting(InputFile::kind)
        .containsExactly(Kind.GPU_SAMPLES, Kind.LOG, Kind.LOG);
    assertThat(inputs.files()).extracting(InputFile::node).containsOnly("local");
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::path)
        .containsExactly(folder.resolve("truth/t.rank0.csv").toString());
  }

  @Test
  void givesAFolderItsNode() throws IOException {
    write("a/0.log", LINE);
    write("b/0.log", LINE);

    var inputs =
        Inputs.of(List.of("node-1=" + folder.resolve("a"), "node-2=" + folder.resolve("b")));

    assertThat(inputs.files()).extracting(InputFile::node).containsExactly("node-1", "node-2");
  }

  @Test
  void takesAPathWithAnEqualsSignThatExistsAsItIs() throws IOException {
    var file = write("lr=3e-4/0.log", LINE);

    var inputs = Inputs.of(List.of(file.toString()));

    assertThat(inputs.files())
        .containsExactly(new InputFile(file, Kind.LOG, "local", LINE.length()));
  }

  @Test
  void unpacksToLookInside() throws IOException {
    var packed = folder.resolve("0.log.20251120-204226.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(CSV.getBytes(UTF_8));
    }
    write("broken.log.gz", LINE);

    var inputs = Inputs.of(List.of(folder.toString()));

    assertThat(inputs.files()).extracting(InputFile::kind).containsExactly(Kind.GPU_SAMPLES);
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::reason)
        .containsExactly("its name ends with .gz, but it is no whole gzip file");
  }

  @Test
  void readsAFileOnceHoweverOftenItIsNamedOrLinked() throws IOException {
    var file = write("0.log", LINE);
    Files.createSymbolicLink(folder.resolve("again.log"), file);
    Files.createSymbolicLink(folder.resolve("loop"), folder);
    Files.createSymbolicLink(folder.resolve("nowhere.log"), folder.resolve("gone"));

    var inputs = Inputs.of(List.of(folder.toString(), file.toString()));

    assertThat(inputs.files()).hasSize(1);
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::reason)
        .containsExactlyInAnyOrder("a link to a folder above it", "a link that leads nowhere");
  }

  @Test
  void namesAMissingPathAndTheWayOut() {
    assertThatThrownBy(() -> Inputs.of(List.of(folder.resolve("gone").toString())))
        .isInstanceOf(UnusableInput.class)
        .hasMessage(
            folder.resolve("gone") + " does not exist; give a log file, or a folder with logs.");
  }

  @Test
  void readsTheGoodPathsAndNamesTheBadOne() throws IOException {
    var log = write("0.log", LINE);
    var gone = folder.resolve("gone").toString();

    var inputs = Inputs.of(List.of(gone, log.toString()));

    assertThat(inputs.files()).hasSize(1);
    assertThat(inputs.skipped())
        .containsExactly(
            new Inputs.Skipped(
                gone, "it does not exist; give a log file, or a folder with logs", true));
  }

  @Test
  void followsNoLinkOutOfTheFolder() throws IOException {
    write("in/0.log", LINE);
    var secret = write("secret/1.log", LINE);
    Files.createSymbolicLink(folder.resolve("in/1.log"), secret);
    Files.createSymbolicLink(folder.resolve("in/all"), secret.getParent());

    var inputs = Inputs.of(List.of(folder.resolve("in").toString()));

    assertThat(inputs.files()).hasSize(1);
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::reason)
        .hasSize(2)
        .allMatch(reason -> reason.startsWith("a link out of the folder, to "));
  }

  @Test
  void opensNoFileOfTheKernel() {
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/kmsg")));
    assertThatThrownBy(() -> Inputs.of(List.of("/proc/kmsg")))
        .hasMessageContaining("it is a file of the kernel, no log");
  }

  @Test
  void namesAnEmptyFolder() {
    assertThatThrownBy(() -> Inputs.of(List.of(folder.toString())))
        .isInstanceOf(UnusableInput.class)
        .hasMessageStartingWith(folder + " is a folder without files");
  }

  @Test
  void saysWhyNothingIsLeftToJudge() throws IOException {
    Files.write(folder.resolve("core"), new byte[100]);
    assertThatThrownBy(() -> Inputs.of(List.of(folder.toString())))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("Nothing to judge")
        .hasMessageContaining("core: binary data");
  }

  /// As what `rocm-smi --json` prints; of a folder's files it may be anything.
  @Test
  void readsDataThatIsGivenByName() throws IOException {
    var data = write("runs/gpus.json", "{\"card0\": {\"GPU use (%)\": \"97\"}}\n");
    write("runs/0.log", LINE);

    assertThat(Inputs.of(List.of(data.toString())).files())
        .extracting(InputFile::kind)
        .containsExactly(Kind.LOG);
    assertThat(Inputs.of(List.of(folder.resolve("runs").toString())).skipped())
        .extracting(Inputs.Skipped::reason)
        .containsExactly("a JSON document");
  }

  @Test
  void namesAFileThatCannotBeRead() throws IOException {
    write("0.log", LINE);
    var secret = unreadable("1.log");

    var inputs = Inputs.of(List.of(folder.toString()));

    assertThat(inputs.files()).hasSize(1);
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::path)
        .containsExactly(secret.toString());
  }

  @Test
  void tellsWhoMayNotReadAFileToRunAsOneWhoMay() {
    var secret = folder.resolve("1.log");

    assertThat(UnusableInput.unreadable(secret, new AccessDeniedException(secret.toString())))
        .hasMessage(secret + " may not be read by this user; run as one who may, or leave it out.");
  }

  /// A file that nobody can read: root, who may read all files, gets one whose first page is no
  /// memory.
  private Path unreadable(String name) throws IOException {
    var file = write(name, LINE);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    if (Files.isReadable(file)) {
      Files.delete(file);
      Files.createSymbolicLink(file, Path.of("/proc/self/mem"));
    }
    return file;
  }

  private Path write(String name, String text) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
