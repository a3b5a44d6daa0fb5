package io.ringside.shipper.source.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Links in the folders of logs, to files that the agent may read: as root in a container's build, it may read all.
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
}
