package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.serde.EventJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrittenJobsTest {
  private static final List<Integer> NUMBERS = IntStream.range(0, 8).boxed().toList();

  @TempDir Path folder;

  @Test
  void writesEveryLineOfAJobAndWhatIsTrueOfIt() throws Exception {
    int written = new WrittenJobs(folder).write(7, null, NUMBERS, 16, 2_000);

    var truths = Files.readAllLines(folder.resolve("truth.jsonl"));
    assertThat(truths).hasSize(written).hasSizeGreaterThan(4);
    for (var line : truths) {
      var truth = EventJson.MAPPER.readValue(line, WrittenJobs.Line.class);
      int number = Integer.parseInt(truth.folder().substring("job-".length()));
      var job =
          JobGenerator.generate(
              JobDraw.draw(7, number, 16, 2_000), Evaluation.BEGIN, Duration.ofMillis(500));
      long lines =
          job.records().stream()
              .filter(sent -> sent.event() instanceof LogChunk)
              .mapToLong(sent -> ((LogChunk) sent.event()).lines())
              .sum();
      assertThat(truth.truth()).hasSameSizeAs(job.truth().expected());
      assertThat(lines(folder.resolve(truth.folder()))).isEqualTo(lines);
    }
  }

  private static long lines(Path job) throws Exception {
    long lines = 0;
    try (var files = Files.walk(job)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        lines += Files.readAllLines(file).size();
      }
    }
    return lines;
  }
}
