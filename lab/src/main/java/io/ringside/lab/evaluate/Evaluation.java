package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.lab.simulate.JobKind;
import io.ringside.lab.simulate.JobPlan;
import io.ringside.standalone.analyze.RecordedEvents;
import io.ringside.standalone.input.Inputs;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Examines generated and recorded jobs. Thread-safe.
final class Evaluation {
  /// When all generated jobs begin.
  static final Instant BEGIN = Instant.parse("2026-11-21T00:00:00Z");

  /// How long agents gather lines.
  private static final Duration CHUNK = Duration.ofMillis(500);

  private final long seed;
  private final @Nullable JobKind kind;
  private final int maxRanks;
  private final int lines;
  private final LongSupplier nanoTime;
  private final Judge judge = new Judge(Expectations.builtIn());

  /// @param kind of all jobs, null for a kind by chance
  Evaluation(long seed, @Nullable JobKind kind, int maxRanks, int lines, LongSupplier nanoTime) {
    this.seed = seed;
    this.kind = kind;
    this.maxRanks = maxRanks;
    this.lines = lines;
    this.nanoTime = nanoTime;
  }

  /// The generated job with this number.
  Trial generated(int number) {
    return kind == null
        ? examined(JobDraw.draw(seed, number, maxRanks, lines), "", number)
        : generated(kind, number);
  }

  /// The generated job with this number, of this kind.
  Trial generated(JobKind of, int number) {
    return examined(JobDraw.draw(of, seed, number, maxRanks, lines), " --kind " + of, number);
  }

  private Trial examined(JobPlan plan, String option, int number) {
    var job = JobGenerator.generate(plan, BEGIN, CHUNK);
    return new Examiner(judge, nanoTime)
        .examine(
            job,
            "--seed %d --max-ranks %d --lines %d --only %d%s  %s"
                .formatted(seed, maxRanks, lines, number, option, plan.words()));
  }

  /// All recordings below a folder.
  List<Trial> recorded(Path folder) throws IOException {
    var trials = new ArrayList<Trial>();
    for (var entry : RecordedTruth.in(folder).entrySet()) {
      var inputs = Inputs.of(List.of(entry.getKey().toString()));
      trials.add(
          new Examiner(judge, nanoTime)
              .examine(
                  RecordedEvents.of(inputs), entry.getValue(), entry.getKey().toString(), BEGIN));
    }
    return trials;
  }
}
