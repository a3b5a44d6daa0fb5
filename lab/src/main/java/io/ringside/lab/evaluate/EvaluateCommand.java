package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.JobKind;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.standalone.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Scores the findings against jobs whose truth is known.
@Command(
    name = "evaluate",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Generates jobs whose truth is known, judges them and the recorded ones, and prints for each",
      "kind of finding how much of it is right, missed and wrong. The same seed gives the same jobs.",
    })
public final class EvaluateCommand implements Callable<Integer> {
  private final Console console;
  private final InstantSource clock;

  @Option(
      names = "--jobs",
      defaultValue = "100",
      paramLabel = "N",
      description = "Jobs to generate; ${DEFAULT-VALUE} if not given.")
  private int jobs;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the jobs; from the clock if not given.")
  private @Nullable Long seed;

  @Option(
      names = "--max-ranks",
      defaultValue = "1024",
      paramLabel = "R",
      description = "Ranks of the largest job; ${DEFAULT-VALUE} if not given.")
  private int maxRanks;

  @Option(
      names = "--lines",
      defaultValue = "50000",
      paramLabel = "N",
      description = "Lines of collectives a job has, about; ${DEFAULT-VALUE} if not given.")
  private int lines;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NUMBER",
      description = "Just the jobs with these numbers, separated by commas.")
  private @Nullable List<Integer> only;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description =
          "Just jobs of this kind: ${COMPLETION-CANDIDATES}; drawn by chance if not given.")
  private @Nullable JobKind kind;

  @Option(
      names = "--recordings",
      defaultValue = "examples/recordings",
      paramLabel = "FOLDER",
      description =
          "Recorded jobs with a truth.tsv; ${DEFAULT-VALUE} if not given, left out if it is not there.")
  private Path recordings = Path.of("examples/recordings");

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Jobs judged at a time; as many as there are processors if not given.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(names = "--json", description = "Print one JSON document instead of the table.")
  private boolean json;

  @Option(
      names = "--mutate",
      description =
          "Change one assumption of the generator at a time and print how precision, recall and "
              + "false alarms move.")
  private boolean mutate;

  @Option(
      names = "--bill",
      description =
          "Play each job again without its faults, and print how far its bill is from what they cost.")
  private boolean bill;

  @Option(
      names = "--write",
      paramLabel = "FOLDER",
      description = {
        "Judge nothing: write the jobs as log files with their truth, for lab/bakeoff.",
      })
  private @Nullable Path write;

  EvaluateCommand(Console console, InstantSource clock) {
    this.console = console;
    this.clock = clock;
  }

  /// The command on the real clock.
  public static EvaluateCommand of(Console console) {
    return new EvaluateCommand(console, InstantSource.system());
  }

  /// @throws UnusableInput for the caller to print
  @Override
  public Integer call() {
    if (threads < 1) {
      throw new UnusableInput("--threads must be 1 at least, not " + threads);
    }
    long of = seed == null ? clock.millis() % 1_000_000 : seed;
    if (mutate) {
      console.out().printf("seed %d, %d jobs of up to %d ranks%n%n", of, jobs, maxRanks);
      new MutationTable(
              mutation ->
                  new Evaluation(of, kind, maxRanks, lines, System::nanoTime, mutation.of()),
              jobs,
              threads)
          .write(
              row -> {
                console.out().println(row);
                console.out().flush();
              });
      return 0;
    }
    var numbers =
        only == null
            ? IntStream.range(0, jobs).boxed().toList()
            : only.stream().distinct().toList();
    if (write != null) {
      try {
        int written = new WrittenJobs(write).write(of, kind, numbers, maxRanks, lines);
        console.out().printf("seed %d, %d jobs written to %s%n", of, written, write);
        return 0;
      } catch (IOException e) {
        throw new UnusableInput("%s cannot be written: %s.".formatted(write, e.getMessage()), e);
      }
    }
    if (bill) {
      console.out().printf("seed %d, %d jobs of up to %d ranks%n%n", of, numbers.size(), maxRanks);
      bills(new BillScore(of, maxRanks, lines), numbers);
      return 0;
    }
    var evaluation = new Evaluation(of, kind, maxRanks, lines, System::nanoTime);
    var card = new Scorecard();
    if (!json) {
      console
          .out()
          .printf("seed %d, %d generated jobs of up to %d ranks%n%n", of, numbers.size(), maxRanks);
      console.out().flush();
    }
    judge(evaluation, numbers, card);
    if (only == null && kind == null && Files.isRegularFile(recordings.resolve("truth.tsv"))) {
      try {
        evaluation.recorded(recordings).forEach(card::add);
      } catch (IOException e) {
        throw new UnusableInput(String.valueOf(e.getMessage()), e);
      }
    }
    progress(1, 1);
    if (json) {
      console.out().println(ScoreJson.of(of, card));
    } else {
      ScoreTable.of(card).forEach(console.out()::println);
      if (!card.misjudged().isEmpty()) {
        console.out().printf("%nmisjudged:%n");
        ScoreTable.misjudged(card).forEach(console.out()::println);
      }
      console.out().println();
      Conclusion.of(card).sentences().forEach(console.out()::println);
    }
    console.out().flush();
    return 0;
  }

  private void bills(BillScore score, List<Integer> numbers) {
    var trials = new ArrayList<BillTrial>();
    try (var each =
        new OrderedResults<>(
            numbers,
            number -> kind == null ? score.trial(number) : score.trial(kind, number),
            threads)) {
      for (int done = 0; each.hasNext(); done++) {
        progress(done, numbers.size());
        trials.add(each.next());
      }
    }
    progress(1, 1);
    BillScore.table(trials).forEach(console.out()::println);
    console.out().println();
    BillScore.wrong(trials).forEach(console.out()::println);
    console.out().println();
    BillScore.outlook(trials).forEach(console.out()::println);
    console.out().println();
    BillScore.wrongOutlook(trials).forEach(console.out()::println);
    console.out().flush();
  }

  private void judge(Evaluation evaluation, List<Integer> numbers, Scorecard card) {
    try (var trials = new OrderedResults<>(numbers, evaluation::generated, threads)) {
      for (int done = 0; trials.hasNext(); done++) {
        progress(done, numbers.size());
        card.add(trials.next());
      }
    }
  }

  private void progress(int done, int of) {
    if (console.watched()) {
      console
          .err()
          .print(
              done == of ? "\r\u001b[K" : "\r\u001b[Kjudging job %d of %d".formatted(done + 1, of));
      console.err().flush();
    }
  }
}
