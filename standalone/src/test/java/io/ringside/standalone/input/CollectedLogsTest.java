package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logs that a collector wrote for all pods together.
class CollectedLogsTest {
  private static final String OF_TWO =
      """
      {"log": "step 1", "time": "2026-09-15T08:00:00Z", "kubernetes": {"pod_name": "llm-0", "namespace_name": "vision"}}
      {"log": "step 2", "time": "2026-09-15T08:00:01Z", "kubernetes": {"pod_name": "llm-0", "namespace_name": "speech"}}
      {"log": "step 3", "time": "2026-09-15T08:00:02Z", "kubernetes": {"pod_name": "llm-0", "namespace_name": "vision"}}
      """;

  @TempDir private Path folder;
  private final Spool spool = new Spool(InputStream.nullInputStream());

  @AfterEach
  void empty() {
    spool.close();
  }

  @Test
  void areReadAsOneLogEach() throws IOException {
    write("all.log", OF_TWO);

    var files = Inputs.of(List.of(folder.toString()), spool).files();

    assertThat(files)
        .extracting(InputFile::namespace)
        .containsExactlyInAnyOrder("vision", "speech");
    assertThat(files).extracting(InputFile::job).containsOnly("all");
    assertThat(lines(files, "vision")).hasSize(2).anyMatch(it -> it.contains("step 3"));
    assertThat(lines(files, "speech")).hasSize(1).allMatch(it -> it.contains("step 2"));
  }

  @Test
  void keepTheirPodsAndTimes() throws IOException {
    write("all.log", OF_TWO);

    var files = Inputs.of(List.of(folder.toString()), spool).files();

    assertThat(lines(files, "speech").getFirst())
        .contains("2026-09-15T08:00:01Z")
        .contains("\"pod_name\":\"llm-0\"");
  }

  @Test
  void areTakenApartInEachPartThatRotationMade() throws IOException {
    write("all.log.1", OF_TWO);
    write("all.log", OF_TWO.replace("step", "then"));

    assertThat(Inputs.of(List.of(folder.toString()), spool).files())
        .hasSize(2)
        .allSatisfy(file -> assertThat(file.parts()).hasSize(2));
  }

  @Test
  void areTakenApartWherePacked() throws IOException {
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("all.log.gz")))) {
      out.write(OF_TWO.getBytes(StandardCharsets.UTF_8));
    }

    assertThat(Inputs.of(List.of(folder.toString()), spool).files())
        .extracting(InputFile::namespace)
        .containsExactlyInAnyOrder("vision", "speech");
  }

  /// Of nodes, or of what runs outside pods.
  @Test
  void leaveWhatNamesNoneInALogOfItsOwn() throws IOException {
    write("all.log", OF_TWO + "kubelet: node is ready\n");

    assertThat(Inputs.of(List.of(folder.toString()), spool).files())
        .filteredOn(file -> file.namespace().isEmpty())
        .singleElement()
        .satisfies(file -> assertThat(Files.readString(file.path())).contains("node is ready"));
  }

  @Test
  void loseNothingWhereThereAreMoreThanAreTakenApart() throws IOException {
    var lines = new StringBuilder();
    for (int team = 0; team < 40; team++) {
      lines.append(
          """
          {"log": "step of %d", "kubernetes": {"pod_name": "llm-0", "namespace_name": "team-%d"}}
          """
              .formatted(team, team));
    }
    write("all.log", lines.toString());

    var read = new StringBuilder();
    for (var file : Inputs.of(List.of(folder.toString()), spool).files()) {
      read.append(Files.readString(file.path()));
    }

    assertThat(read.toString().lines()).hasSize(40);
    assertThat(read).contains("\"step of 0\"").contains("\"step of 39\"");
  }

  @Test
  void ofOneNamespaceAreLeftAsTheyAre() throws IOException {
    write("all.log", OF_TWO.replace("speech", "vision"));

    assertThat(Inputs.of(List.of(folder.toString()), spool).files())
        .singleElement()
        .satisfies(file -> assertThat(file.path()).isEqualTo(folder.resolve("all.log")));
  }

  /// Docker's own lines around those of a collector.
  @Test
  void areSeenWithinDockersLines() throws IOException {
    var inner = OF_TWO.replace("\"", "\\\"").strip().split("\n");
    var lines = new StringBuilder();
    for (var line : inner) {
      lines
          .append("{\"log\":\"")
          .append(line)
          .append("\\n\",\"stream\":\"stdout\",\"time\":\"2026-09-15T09:00:00Z\"}\n");
    }
    write("fluent-bit.log", lines.toString());

    var files = Inputs.of(List.of(folder.toString()), spool).files();

    assertThat(files)
        .extracting(InputFile::namespace)
        .containsExactlyInAnyOrder("vision", "speech");
    assertThat(lines(files, "speech").getFirst()).contains("2026-09-15T08:00:01Z");
  }

  @Test
  void comeThroughAPipeToo() {
    try (var piped = new Spool(new ByteArrayInputStream(OF_TWO.getBytes(StandardCharsets.UTF_8)))) {
      assertThat(Inputs.of(List.of("-"), piped).files())
          .extracting(InputFile::namespace)
          .containsExactlyInAnyOrder("vision", "speech");
    }
  }

  @Test
  void areReadAsOneLogForEachPodWhereTheyNameItsNode() throws IOException {
    write("llm.log", onNodes("a", "a", "b"));

    var files = Inputs.of(List.of(folder.toString()), spool).files();

    assertThat(files).extracting(InputFile::node).containsExactly("a", "a", "b");
    assertThat(files).extracting(InputFile::job).containsOnly("llm");
    assertThat(files)
        .extracting(InputFile::name)
        .allMatch(it -> it.matches(".*llm.log\\[llm-\\d]"));
    assertThat(Files.readAllLines(files.getLast().path()))
        .hasSize(1)
        .allMatch(line -> line.contains("step of llm-2"));
  }

  @Test
  void areWrittenNowhereElseWhateverAPodIsCalled() throws IOException {
    write(
        "llm.log",
        onNodes("a", "a")
            .replace("llm-0", "../../../../evil")
            .replace("llm-1", "/evil/" + "x".repeat(999)));

    var files = Inputs.of(List.of(folder.toString()), spool).files();

    assertThat(files).hasSize(2);
    assertThat(files.getFirst().path()).hasFileName(".._.._.._.._evil.log");
    var own = spool.folder().resolve("..").normalize();
    assertThat(files)
        .extracting(InputFile::path)
        .allMatch(path -> path.normalize().startsWith(own));
  }

  /// It may be the host name of each pod.
  @Test
  void areLeftAsTheyAreWhereEachPodHasAnotherHost() throws IOException {
    write("llm.log", onNodes("a", "b", "c"));

    assertThat(Inputs.of(List.of(folder.toString()), spool).files()).hasSize(1);
  }

  @Test
  void areLeftAsTheyAreWhereAPodIsOfUnknownNode() throws IOException {
    write("llm.log", onNodes("a", "a", ""));

    assertThat(Inputs.of(List.of(folder.toString()), spool).files()).hasSize(1);
  }

  /// A line of each pod, whose node is the one named here.
  private static String onNodes(String... nodes) {
    var lines = new StringBuilder();
    for (int pod = 0; pod < nodes.length; pod++) {
      lines.append(
          """
          {"labels": {"namespace": "ml", "pod": "llm-%1$d", "node_name": "%2$s"}, "line": "step of llm-%1$d", "timestamp": "2026-09-15T08:00:0%1$dZ"}
          """
              .formatted(pod, nodes[pod]));
    }
    return lines.toString();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private static List<String> lines(List<InputFile> files, String namespace) throws IOException {
    var file =
        files.stream().filter(it -> it.namespace().equals(namespace)).findFirst().orElseThrow();
    return Files.readAllLines(file.path());
  }
}
