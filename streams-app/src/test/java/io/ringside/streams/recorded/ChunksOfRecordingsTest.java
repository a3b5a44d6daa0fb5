package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.LogChunk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// An agent sends what a log has when it looks, a line or thousands: how lines are parted changes
/// no finding and no check.
class ChunksOfRecordingsTest {
  private static final Path RECORDINGS = Path.of("../examples/recordings");

  static Stream<Path> recordings() throws IOException {
    try (var folders = Files.list(RECORDINGS)) {
      return folders.filter(Files::isDirectory).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void changeNothing(Path recording) {
    var whole = told(Recorded.in(recording, 100_000));

    assertThat(whole).isNotEmpty();
    for (int lines : new int[] {1, 7, 50}) {
      assertThat(told(Recorded.in(recording, lines)))
          .describedAs("%d lines a chunk", lines)
          .containsExactlyInAnyOrderElementsOf(whole);
    }
  }

  private static List<String> told(Recorded recorded) {
    var order = new ArrayList<AgentEvent>(recorded.samples());
    recorded.logs().stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparingLong(LogChunk::baseNanos))
        .forEach(order::add);
    var verdict = Recorded.judged(order);
    var told = new ArrayList<String>();
    for (var finding : verdict.findings()) {
      told.add(
          "%s %s %s %s %s"
              .formatted(
                  finding.id(),
                  finding.severity(),
                  finding.state(),
                  finding.ranks(),
                  finding.summary()));
    }
    for (var run : verdict.runs()) {
      told.add("%s %s %d ranks".formatted(run.run(), run.state(), run.nranks()));
      run.checklist()
          .forEach(
              check ->
                  told.add("%s: %s %s".formatted(check.name(), check.status(), check.detail())));
    }
    return told;
  }
}
