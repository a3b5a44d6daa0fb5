package io.ringside.deploy.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.deploy.kubernetes.Kustomize;
import io.ringside.platform.build.Build;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The version stands in the root pom.xml; what has to repeat it repeats the same, and one command
/// changes all.
class VersionsTest {
  /// Our own, where a file names it: tags of images, the chart, modules' parents, build arguments.
  private static final List<Pattern> NAMED =
      List.of(
          Pattern.compile("ringside/(?:shipper|streams):([\\w.]+)"),
          Pattern.compile("newTag: ([\\w.]+)"),
          Pattern.compile("app\\.kubernetes\\.io/version: ([\\w.]+)"),
          Pattern.compile("(?m)^(?:version|appVersion): ([\\w.]+)$"),
          Pattern.compile("ARG VERSION=([\\w.]+)"),
          Pattern.compile("(?s)<artifactId>ringside</artifactId>\\s*<version>([^<]+)<"),
          Pattern.compile("version = \"[Rr]ingside[\\w-]* (\\d[\\w.]*)\""));

  @TempDir private Path folder;

  @Test
  void areAllThatOfTheRootPom() {
    var version = Build.current().version();

    assertThat(naming(Repository.ROOT)).hasSizeGreaterThan(10);
    for (var file : naming(Repository.ROOT)) {
      assertThat(named(file)).as("%s", file).containsOnly(version);
    }
  }

  @Test
  void areOnWhateverTheBaseBringsIntoACluster() {
    var objects = Kustomize.render(Repository.path("deploy/kubernetes/base"), List.of());

    assertThat(objects)
        .filteredOn(it -> !it.get("kind").asString().equals("ConfigMap"))
        .hasSizeGreaterThan(10)
        .allSatisfy(
            it ->
                assertThat(it.at("/metadata/labels/app.kubernetes.io~1version").asString(""))
                    .as("%s %s", it.get("kind"), it.at("/metadata/name"))
                    .isEqualTo(Build.current().version()));
    assertThat(objects)
        .filteredOn(it -> it.at("/spec/template").isObject())
        .hasSize(2)
        .allSatisfy(
            it ->
                assertThat(
                        it.at("/spec/template/metadata/labels/app.kubernetes.io~1version")
                            .asString(""))
                    .isEqualTo(Build.current().version()));
  }

  @Test
  void areChangedByOneCommand() throws Exception {
    for (var file :
        Stream.concat(
                naming(Repository.ROOT).stream(),
                Stream.of(Repository.path(".ci/release/version"), Repository.path("CHANGELOG.md")))
            .toList()) {
      var copy = folder.resolve(Repository.ROOT.relativize(file));
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    }

    assertThat(run("set", "7.8.9")).isEmpty();

    assertThat(run()).isEqualTo("7.8.9\n");
    for (var file : naming(folder)) {
      assertThat(named(file)).as("%s", file).containsOnly("7.8.9");
    }
    assertThat(naming(folder)).hasSameSizeAs(naming(Repository.ROOT));
  }

  private static List<String> named(Path file) {
    var text = Repository.text(file);
    return NAMED.stream()
        .flatMap(pattern -> pattern.matcher(text).results())
        .map(it -> it.group(1))
        .toList();
  }

  private static List<Path> naming(Path root) {
    return Stream.concat(
            Stream.of("pom.xml", "docker-compose.yml", "docs/install.md").map(root::resolve),
            Stream.concat(
                Stream.of("deploy/kubernetes", "deploy/docker", "deploy/helm")
                    .map(root::resolve)
                    .flatMap(it -> Repository.files(it, "").stream()),
                Stream.of(
                        "schemas",
                        "platform",
                        "shipper",
                        "streams-app",
                        "standalone",
                        "lab",
                        "benchmarks",
                        "deploy")
                    .map(it -> root.resolve(it).resolve("pom.xml"))))
        .filter(it -> !named(it).isEmpty())
        .toList();
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    var command =
        Stream.concat(Stream.of("sh", ".ci/release/version"), Stream.of(arguments)).toList();
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
