package io.ringside.deploy.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What is built with is what somebody looked at: hashes of all that Maven resolves stand in
/// `.mvn/checksums`. Maven 3.9 and later refuse another hash, as the build of the images does, and
/// `.ci/lock check` what has none; Debian's Maven knows nothing of it, so that this looks at the
/// jars that the tests run with, which are those of all modules.
class LockTest {
  private static final String FILE = ".mvn/checksums/checksums.sha256";

  @Test
  void holdsTheHashOfEveryJar() throws Exception {
    var locked = locked();
    var jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar") && !entry.contains("/target/"))
            .map(Path::of)
            .toList();

    assertThat(jars).hasSizeGreaterThan(50);
    for (var jar : jars) {
      var hash =
          locked.entrySet().stream()
              .filter(line -> jar.toString().endsWith("/" + line.getKey()))
              .map(Map.Entry::getValue);
      assertThat(hash).as("%s; .ci/lock writes %s anew", jar, FILE).containsExactly(sha256(jar));
    }
  }

  @Test
  void isAskedForByMaven() {
    assertThat(Repository.text(Repository.path(".mvn/maven.config")).lines())
        .contains(
            "-Daether.trustedChecksumsSource.summaryFile.basedir=${session.rootDirectory}/.mvn/checksums",
            "-Daether.artifactResolver.postProcessor.trustedChecksums=true")
        .noneMatch(it -> it.contains("failIfMissing"));
  }

  /// Maven looks at the modules of a build too, which change with every line of code: a hash of one
  /// lets the build of the images fail.
  @Test
  void holdsNothingOfOurOwn() {
    assertThat(locked().keySet()).noneMatch(it -> it.startsWith("io/ringside/"));
  }

  /// Jars are compared by `.ci/run` in CI and by a step of its own in a release.
  @Test
  void isCheckedWithEachChangeAndEachReleaseAsAreBytes() {
    assertThat(steps("ci", "lock")).contains(".ci/lock check");
    assertThat(steps("ci", "test")).contains(".ci/run");
    assertThat(Repository.text(Repository.path(".ci/run")).lines()).contains(".ci/release/twice");
    assertThat(steps("release", "examine")).contains(".ci/lock check", ".ci/release/twice");
  }

  private static List<String> steps(String workflow, String job) {
    return Repository.documents(Repository.path(".github/workflows/" + workflow + ".yml"))
        .getFirst()
        .at("/jobs/" + job)
        .findValuesAsString("run");
  }

  private static Map<String, String> locked() {
    var locked = new TreeMap<String, String>();
    for (var line : Repository.text(Repository.path(FILE)).split("\n")) {
      if (!line.startsWith("#")) {
        var parts = List.of(line.split("\\s+"));
        locked.put(parts.getLast(), parts.getFirst());
      }
    }
    return locked;
  }

  private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }
}
