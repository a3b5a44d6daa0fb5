package io.ringside.shipper.source.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Links in the folders of logs, to files that the agent may read: as root in a container's build,
/// it may read all.
class LinksTest {
  private static final String HEAD = "a first line that is long enough to tell files apart\n";
  @TempDir Path folder;
  @TempDir Path elsewhere;

  @Test
  void shipsNoFileToWhichALinkLeadsFromItsFolders() throws IOException {
    Files.writeString(elsewhere.resolve("shadow"), "root:$6$x:1::::::\n");
    var rig = new TailRig(folder, "pods/*.log").write("pods/0.log", "1\n").second();
    Files.createSymbolicLink(rig.file("pods/1.log"), elsewhere.resolve("shadow"));
    Files.createSymbolicLink(rig.file("pods/2.log"), Path.of("/dev/zero"));

    rig.second().second();

    assertThat(rig.text()).containsExactly("1");
  }

  @Test
  void shipsNoneInTheFoldersToWhichALinkLeads() throws IOException {
    Files.writeString(elsewhere.resolve("0.log"), "secret\n");
    var rig = new TailRig(folder, "pods/*/*.log").write("pods/a/0.log", "1\n");
    Files.createSymbolicLink(rig.file("pods/b"), elsewhere);

    rig.second().second();

    assertThat(rig.text()).containsExactly("1");
  }

  @Test
  void shipsNoLinkThatTakesALogsPlace() throws IOException {
    Files.writeString(elsewhere.resolve("shadow"), HEAD + "root:$6$x:1::::::\n");
    var rig = new TailRig(folder, "pods/*.log").write("pods/0.log", HEAD).second();
    Files.delete(rig.file("pods/0.log"));
    Files.createSymbolicLink(rig.file("pods/0.log"), elsewhere.resolve("shadow"));
    Files.createSymbolicLink(rig.file("pods/0.log.1"), elsewhere.resolve("shadow"));

    rig.second().second().killAndStart().second().second();

    assertThat(rig.distinctText()).containsExactly(HEAD.strip());
  }

  @Test
  void followsLinksWithinItsFolders() throws IOException {
    var rig = new TailRig(folder, "links/*.log", "pods/*.none").write("pods/0.log", "1\n");
    Files.createDirectories(rig.file("links"));
    Files.createSymbolicLink(rig.file("links/x.log"), rig.file("pods/0.log"));

    assertThat(rig.second().text()).containsExactly("1");
  }

  /// Where Docker keeps logs, the kubelet's folder has links to them.
  @Test
  void followsLinksFromThePodsFolderToTheContainersWhereBothAreItsFolders() throws IOException {
    var log = Path.of("containers/0a1b/0a1b-json.log");
    var rig =
        new TailRig(folder, "pods/*/*/*.log", "containers/*/*.none").write(log.toString(), "1\n");
    var alone = new TailRig(elsewhere, "pods/*/*/*.log").write(log.toString(), "2\n");
    for (var each : List.of(rig, alone)) {
      Files.createDirectories(each.file("pods/training_a_uid/trainer"));
      Files.createSymbolicLink(
          each.file("pods/training_a_uid/trainer/0.log"), each.file(log.toString()));
    }

    assertThat(rig.second().second().text()).containsExactly("1");
    assertThat(alone.second().second().text()).isEmpty();
  }

  @Test
  void shipsNothingThatOnlyRootMayRead() throws IOException {
    var secret = Files.writeString(elsewhere.resolve("key"), "secret of root\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--------"));
    var rig = new TailRig(folder, "pods/*.log").write("pods/0.log", "1\n");
    Files.createSymbolicLink(rig.file("pods/1.log"), secret);

    rig.second().second();

    assertThat(rig.text()).containsExactly("1");
    if (Files.getAttribute(secret, "unix:uid").equals(0)) {
      assertThat(secret).as("it could have read").isReadable();
    }
  }

  @Test
  void waitsForNoPipeAmongTheLogs() throws IOException, InterruptedException {
    var rig = new TailRig(folder, "pods/*.log").write("pods/0.log", "1\n");
    pipe(rig.file("pods/1.log"));
    pipe(rig.file("pods/0.log.1"));

    Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> rig.second().second());

    assertThat(rig.text()).containsExactly("1");
  }

  @Test
  void waitsForNoPipeThatTakesALogsPlace() throws IOException, InterruptedException {
    var rig = new TailRig(folder, "pods/*.log").write("pods/0.log", HEAD).second();
    Files.delete(rig.file("pods/0.log"));
    pipe(rig.file("pods/0.log"));

    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> rig.second().second().killAndStart().second().second());

    assertThat(rig.distinctText()).containsExactly(HEAD.strip());
  }

  private static void pipe(Path at) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("mkfifo", at.toString()).start().waitFor()).isZero();
  }
}
