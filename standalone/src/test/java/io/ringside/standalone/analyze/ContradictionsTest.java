package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.standalone.input.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Reports of recordings claim nothing beside its contrary.
class ContradictionsTest {
  @ParameterizedTest
  @MethodSource("recordings")
  void noCheckFailsWhereNoFaultIsFound(Path recording) throws Exception {
    var account =
        new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), 2)
            .analyze(
                Inputs.of(List.of(recording.toString())),
                new Labels("", "", ZoneOffset.UTC, null),
                new Unwatched())
            .account();

    assertThat(account.jobs()).isNotEmpty();
    for (var job : account.jobs()) {
      if (job.verdict().level().equals("ok")) {
        assertThat(job.runs())
            .flatMap(run -> run.checklist())
            .noneMatch(check -> check.status() == Check.Status.FAIL);
      }
    }
  }

  static List<Path> recordings() throws IOException {
    try (var all = Files.list(Path.of("..", "examples", "recordings"))) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }
}
