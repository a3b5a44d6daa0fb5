package io.ringside.streams.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.event.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every `src/test/resources/{nccl/<version>,frameworks}/<name>.log` against `<name>.expected`,
/// line by line. `-Dgolden.update=true` writes the expectations anew; read the difference before it
/// is committed.
class GoldenLinesTest {

  private static final Path RESOURCES = Path.of("src/test/resources");

  static Stream<Path> recordings() throws IOException {
    try (var nccl = Files.walk(RESOURCES.resolve("nccl"));
        var frameworks = Files.walk(RESOURCES.resolve("frameworks"))) {
      return Stream.concat(nccl, frameworks)
          .filter(path -> path.toString().endsWith(".log"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void readsEveryLineAsExpected(Path log) throws IOException {
    var lines = Files.readAllLines(log);
    var actual = lines.stream().map(line -> Parsed.of(line).rendered()).toList();
    var golden = Path.of(log.toString().replace(".log", ".expected"));
    if (Boolean.getBoolean("golden.update")) {
      Files.write(golden, actual);
    }
    assertThat(actual).containsExactlyElementsOf(Files.readAllLines(golden));
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void knowsEveryLineWithAHeader(Path log) throws IOException {
    List<Parsed> parsed = Files.readAllLines(log).stream().map(Parsed::of).toList();
    assertThat(parsed).noneMatch(line -> line.outcome() == Outcome.UNKNOWN_NCCL);
    assertThat(parsed)
        .filteredOn(line -> line.line().contains("] NCCL INFO "))
        .noneMatch(line -> line.outcome() == Outcome.FOREIGN);
  }
}
