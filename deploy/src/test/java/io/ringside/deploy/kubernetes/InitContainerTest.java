package io.ringside.deploy.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.ringside.deploy.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The container that hands the agent its folder can do so with the one capability that its
/// manifest adds.
class InitContainerTest {
  private static final Path KUBERNETES = Repository.path("deploy/kubernetes");
  private static final String FOLDER = "/var/lib/ringside/shipper";

  @TempDir Path host;

  @Test
  void handsTheFolderOverAndDoesSoAgainAfterEachRestart() throws Exception {
    assumeThat(System.getProperty("user.name")).as("the tests run as root").isEqualTo("root");
    var plain = command(List.of());
    var root = command(List.of(KUBERNETES.resolve("components/root-only-logs")));

    assertThat(run(plain)).isEmpty();
    assertThat(ownedBy(10_001)).isTrue();
    assertThat(run(plain)).isEmpty();
    assertThat(run(root)).isEmpty();
    assertThat(ownedBy(0)).isTrue();
    assertThat(run(plain)).isEmpty();
    assertThat(ownedBy(10_001)).isTrue();
  }

  private boolean ownedBy(int user) throws Exception {
    var folder = host.resolve("shipper");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwxr-x---");
    return Files.getAttribute(folder, "unix:uid").equals(user);
  }

  /// What the container runs, on a folder of the test's.
  private List<String> command(List<Path> components) {
    var set =
        Kustomize.render(KUBERNETES.resolve("base"), components).stream()
            .filter(object -> object.path("kind").asString().equals("DaemonSet"))
            .map(object -> Model.strict(object, DaemonSet.class))
            .findFirst()
            .orElseThrow();
    var container = set.getSpec().getTemplate().getSpec().getInitContainers().getFirst();
    assertThat(container.getSecurityContext().getCapabilities().getAdd()).containsExactly("CHOWN");
    assertThat(container.getCommand()).anyMatch(word -> word.contains(FOLDER));
    return container.getCommand().stream()
        .map(word -> word.replace(FOLDER, host.resolve("shipper").toString()))
        .toList();
  }

  /// @return what it complained about
  private static String run(List<String> command) throws Exception {
    var confined =
        new ArrayList<>(
            List.of(
                "/usr/bin/setpriv",
                "--bounding-set=-all,+chown",
                "--inh-caps=-all",
                "--no-new-privs"));
    confined.addAll(command);
    var process = new ProcessBuilder(confined).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() == 0 ? said : "exit " + process.exitValue() + ": " + said;
  }
}
