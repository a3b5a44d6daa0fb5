package io.ringside.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The checkout that these tests look at. Tests run in the folder `deploy`.
public final class Repository {
  public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// Refuses keys that are given twice, as Kubernetes does.
  public static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private Repository() {}

  public static Path path(String name) {
    return ROOT.resolve(name);
  }

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Every document of a YAML file.
  public static List<ObjectNode> documents(Path file) {
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
      return documents.readAll().stream().map(ObjectNode.class::cast).toList();
    }
  }

  /// Java files of all modules but this one.
  ///
  /// @param folder `src`, `src/main` or `src/test`
  public static List<Path> javaFiles(String folder) {
    return Stream.of(
            "schemas", "platform", "shipper", "streams-app", "standalone", "lab", "benchmarks")
        .flatMap(module -> files(path(module).resolve(folder), ".java").stream())
        .toList();
  }

  /// All regular files below a folder whose name ends so.
  public static List<Path> files(Path folder, String end) {
    try (var files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().endsWith(end))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
