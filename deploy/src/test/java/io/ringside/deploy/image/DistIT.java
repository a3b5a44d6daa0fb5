package io.ringside.deploy.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What `./ringside dist` makes, as its script does it: one jar, and a folder that needs no Java
/// and may lie anywhere.
@Timeout(300)
class DistIT {
  private static final String LOG = "examples/recordings/seed-g6e-efa-fallback";

  @TempDir static Path folder;

  private static Path jar;
  private static Path moved;

  record Ended(int code, String out) {}

  @BeforeAll
  static void assemble() throws Exception {
    var version =
        Pattern.compile("(?m)^  <version>(.*)</version>$")
            .matcher(Repository.text(Repository.path("pom.xml")));
    assertThat(version.find()).isTrue();
    var build =
        Repository.path("standalone").resolve(System.getProperty("ringside.target", "target"));
    var made =
        run(
            Map.of("JAVA_HOME", System.getProperty("java.home")),
            Repository.path("deploy/dist/assemble").toString(),
            build.toString(),
            folder.resolve("made").toString(),
            version.group(1),
            "folder");
    assertThat(made.code()).as(made.out()).isZero();
    jar = folder.resolve("made/ringside-" + version.group(1) + ".jar");
    try (var names = Files.list(folder.resolve("made"))) {
      var home = names.filter(Files::isDirectory).toList();
      assertThat(home).hasSize(1);
      moved = Files.move(home.getFirst(), folder.resolve("somewhere else"));
    }
  }

  @Test
  void judgesFromOneJar() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var answer = run(Map.of(), java, "-jar", jar.toString(), "analyze", recording());

    assertThat(answer.code()).as(answer.out()).isZero();
    assertThat(answer.out())
        .endsWith("✖ llama-3-8b: NCCL fell back from EFA to TCP sockets (rank 0 of 4)\n");
  }

  /// Where the jar starts any Java from 8 on can read it, and be told that it is too old.
  @Test
  void startsInAClassThatOlderJavasRead() throws Exception {
    try (var file = new JarFile(jar.toFile());
        var in =
            new DataInputStream(file.getInputStream(file.getEntry("io/ringside/Start.class")))) {
      in.skipBytes(6); // magic and minor version
      assertThat(in.readUnsignedShort()).isEqualTo(52);
      assertThat(file.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo("io.ringside.Start");
    }
  }

  /// With `AOTMode=on` the JVM refuses to run without its cache: it holds good where the folder was
  /// moved to.
  @Test
  void judgesWithoutJavaWhereverTheFolderLies() throws Exception {
    var answer =
        run(
            Map.of(
                "RINGSIDE_JAVA_OPTS",
                "-XX:AOTMode=on",
                "PATH",
                "/usr/bin:/bin",
                "JAVA_HOME",
                "/nowhere"),
            moved.resolve("bin/ringside").toString(),
            "analyze",
            "--fail-on",
            "critical",
            recording());

    assertThat(answer.code()).as(answer.out()).isEqualTo(3);
    assertThat(answer.out()).contains("✖ efa-fallback  critical");
    var runbook = Pattern.compile("runbook +(\\S+)").matcher(answer.out());
    assertThat(runbook.find()).isTrue();
    assertThat(moved.resolve(runbook.group(1))).isRegularFile();
  }

  @Test
  void holdsTheServicesAndLicencesOfAllJarsAndNoForeignLibraries() throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      var names = file.stream().map(entry -> entry.getName()).toList();
      assertThat(names)
          .contains("META-INF/services/org.slf4j.spi.SLF4JServiceProvider")
          .anyMatch(name -> name.startsWith("META-INF/licenses/kafka-clients-"))
          .noneMatch(name -> name.endsWith(".dll") || name.contains("musl"))
          .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA)"))
          .doesNotHaveDuplicates();
      assertThat(file.getManifest().getMainAttributes().getValue("Multi-Release"))
          .isEqualTo("true");
    }
  }

  private static String recording() {
    return Repository.path(LOG).toString();
  }

  private static Ended run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    var out = Files.createTempFile(folder, "out", ".log");
    var builder =
        new ProcessBuilder(List.of(command)).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    var process = builder.start();
    try {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(out, UTF_8));
  }
}
