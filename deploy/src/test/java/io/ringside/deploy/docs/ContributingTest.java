package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import org.junit.jupiter.api.Test;

/// What CONTRIBUTING.md tells people to install is what the test machine installs.
class ContributingTest {
  @Test
  void givesTheLineByWhichTheTestMachineIsSetUp() {
    var line =
        Repository.text(Repository.path("CONTRIBUTING.md"))
            .lines()
            .filter(it -> it.startsWith("apt-get") && it.contains("chromium"))
            .findFirst()
            .orElseThrow();

    assertThat(Repository.text(Repository.path(".ci/run"))).contains(line);
  }
}
