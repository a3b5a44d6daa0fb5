package io.ringside.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `./ringside` of a fresh clone, in which nothing was built. In place of Maven stands a script
/// that puts the classes of this test where a build would.
@Timeout(120)
class LauncherIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String CLASSES = System.getProperty("java.class.path");
  private static final String BUILD =
      """
      #!/bin/sh
      mkdir -p standalone/target/quick/lib lab/target/quick
      cp program.jar standalone/target/quick/ringside-standalone-1.jar
      cp program.jar lab/target/quick/ringside-lab-1.jar
      cp picocli-0.jar standalone/target/quick/lib/
      """;

  @TempDir Path clone;

  record Answer(int exitCode, List<String> out, List<String> err) {}

  @BeforeEach
  void clones() throws IOException {
    for (var file :
        List.of(
            "ringside",
            ".mvn/find-jdk.sh",
            "deploy/dist/java-options.sh",
            "deploy/dist/OldClasses.java")) {
      Files.createDirectories(clone.resolve(file).getParent());
      Files.copy(ROOT.resolve(file), clone.resolve(file));
    }
    for (var module :
        List.of("schemas", "platform", "shipper", "streams-app", "standalone", "lab")) {
      Files.createDirectories(clone.resolve(module));
      Files.writeString(clone.resolve(module).resolve("pom.xml"), "");
    }
    Files.writeString(clone.resolve("pom.xml"), "  <version>1</version>\n");
    program(clone.resolve("program.jar"));
    for (var jar : CLASSES.split(File.pathSeparator)) {
      if (Path.of(jar).getFileName().toString().startsWith("picocli-")) {
        Files.copy(Path.of(jar), clone.resolve("picocli-0.jar"));
      }
    }
  }

  @Test
  void saysThatItBuildsAndDoesSoOnce() throws Exception {
    maven(BUILD);

    var first = answer("analyze");
    assertThat(first.err())
        .containsExactly(
            "building ringside (log: %s/.ringside/build.log)".formatted(clone.toRealPath()),
            "ringside analyze: give [NODE=]PATH: files, archives and folders to read, - for standard"
                + " input; ringside analyze --help tells more");
    assertThat(first.exitCode()).isEqualTo(2);

    var second = answer("analyze", "gone.log");
    assertThat(second.err())
        .containsExactly(
            "ringside: gone.log does not exist; give a log file, or a folder with logs.");
    assertThat(second.exitCode()).isEqualTo(2);
    assertThat(first.out()).isEmpty();
    assertThat(second.out()).isEmpty();
    assertThat(clone.resolve(".ringside/lock")).doesNotExist();
  }

  @Test
  void answersWithoutABuildWhereNoneIsNeeded() throws Exception {
    maven("#!/bin/sh\nexit 1\n");

    assertThat(answer().exitCode()).isEqualTo(2);
    assertThat(answer("--help").out())
        .contains("  ./ringside COMMAND --help     the options of a command");
    assertThat(answer("version").out()).containsExactly("ringside 1");
    assertThat(answer("anlyze").err())
        .containsExactly(
            "ringside: there is no command anlyze; did you mean analyze? ./ringside --help lists all");
    assertThat(clone.resolve(".ringside")).doesNotExist();
  }

  @Test
  void saysWhyABuildFailed() throws Exception {
    maven("#!/bin/sh\necho '[ERROR] no network'\nexit 1\n");

    var answer = answer("demo");
    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.err())
        .endsWith(
            "[ERROR] no network",
            "ringside: the build failed; the whole log is %s/.ringside/build.log"
                .formatted(clone.toRealPath()));
    assertThat(clone.resolve(".ringside/lock")).doesNotExist();
  }

  /// Ctrl-C in a terminal reaches the build as well; `kill` does not.
  @Test
  void endsTheBuildOnAnInterrupt() throws Exception {
    maven("#!/bin/sh\necho $$ >pid\nexec tail -f /dev/null\n");

    var launcher = start("analyze", "logs");
    while (!Files.exists(clone.resolve("pid"))
        || Files.readString(clone.resolve("pid")).isBlank()) {
      Thread.onSpinWait();
    }
    long maven = Long.parseLong(Files.readString(clone.resolve("pid")).strip());
    new ProcessBuilder("kill", "-INT", Long.toString(launcher.pid())).start().waitFor();

    assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(launcher.exitValue()).isEqualTo(130);
    ProcessHandle.of(maven).ifPresent(it -> it.onExit().join());
    assertThat(clone.resolve(".ringside/lock")).doesNotExist();
  }

  private void maven(String script) throws IOException {
    var wrapper = clone.resolve("mvnw");
    Files.writeString(wrapper, script);
    assertThat(wrapper.toFile().setExecutable(true)).isTrue();
  }

  private Process start(String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("env", "--default-signal=INT", clone + "/ringside"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(clone.toFile());
    builder.environment().put("RINGSIDE_JAVA_HOME", System.getProperty("java.home"));
    return builder
        .redirectOutput(clone.resolve("out").toFile())
        .redirectError(clone.resolve("err").toFile())
        .start();
  }

  private Answer answer(String... arguments) throws Exception {
    var process = start(arguments);
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return new Answer(
        process.exitValue(),
        Files.readAllLines(clone.resolve("out"), UTF_8),
        Files.readAllLines(clone.resolve("err"), UTF_8));
  }

  /// A jar without classes of its own that starts those of this test.
  private static void program(Path jar) throws IOException {
    var manifest = new Manifest();
    var attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "io.ringside.standalone.RingsideMain");
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Arrays.stream(CLASSES.split(File.pathSeparator))
            .map(each -> Path.of(each).toUri().toString())
            .collect(Collectors.joining(" ")));
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }
}
