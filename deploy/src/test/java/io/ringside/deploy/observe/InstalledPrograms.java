package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Programs that a test needs and a machine may lack.
final class InstalledPrograms {
  private InstalledPrograms() {}

  /// Where the program is; the test is skipped where it is not.
  static String program(String name) {
    var found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), name + " is not installed");
    return found.orElseThrow().toString();
  }

  /// Runs it to its end and expects exit code 0.
  ///
  /// @return what it printed
  static String output(Path folder, String name, String... arguments)
      throws IOException, InterruptedException {
    var command = Stream.concat(Stream.of(program(name)), Arrays.stream(arguments)).toList();
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }

  /// Every file of the folder that ends so, in order of name.
  static List<Path> files(Path folder, String ending) throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(it -> it.toString().endsWith(ending)).sorted().toList();
    }
  }
}
