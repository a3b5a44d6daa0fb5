package io.ringside.platform.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BuildTest {
  @Test
  void isTheVersionOfTheRootPom() throws IOException {
    var build = Build.current();

    assertThat(Files.readString(Path.of("..", "pom.xml")))
        .contains("<version>" + build.version() + "</version>");
    assertThat(build.revision()).isNotBlank().doesNotContain("$");
  }
}
