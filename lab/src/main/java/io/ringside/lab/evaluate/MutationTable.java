package io.ringside.lab.evaluate;

import io.ringside.lab.figures.Interval;
import io.ringside.schemas.event.FindingKind;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How right the findings are with one assumption of the generator changed at a time.
final class MutationTable {
  private static final String HEAD = "%-36s %6s %9s %7s %10s %7s %9s %10s %16s";
  private static final String ROW = "%-36s %6d %9s %7s %10s %7s %9d %10.1f %16s";

  private final Function<Mutation, Evaluation> evaluation;
  private final int jobs;
  private final int threads;

  /// @param evaluation of jobs drawn as ever, then mutated
  MutationTable(Function<Mutation, Evaluation> evaluation, int jobs, int threads) {
    this.evaluation = evaluation;
    this.jobs = jobs;
    this.threads = threads;
  }

  /// Judges the jobs of each mutation, the plain ones first, and writes a row as soon as it is
  /// known.
  void write(Consumer<String> out) {
    out.accept(
        HEAD.formatted(
            "assumption",
            "jobs",
            "precision",
            "recall",
            "straggler",
            "recall",
            "alarms",
            "GPU-days",
            "in 500 (95 %)"));
    Stream.concat(Stream.of(new Mutation("as drawn", plan -> plan)), Mutation.all().stream())
        .forEach(mutation -> out.accept(row(mutation)));
  }

  private String row(Mutation mutation) {
    var card = new Scorecard();
    var of = evaluation.apply(mutation);
    try (var trials =
        new OrderedResults<>(IntStream.range(0, jobs).boxed().toList(), of::generated, threads)) {
      while (trials.hasNext()) {
        card.add(trials.next());
      }
    }
    var all = card.all();
    var straggler = card.kinds().getOrDefault(FindingKind.STRAGGLER, new Score());
    return String.format(
        Locale.ROOT,
        ROW,
        mutation.assumption(),
        jobs,
        share(all.precision()),
        share(all.recall()),
        share(straggler.precision()),
        share(straggler.recall()),
        card.falseAlarms(),
        card.healthyGpuDays(),
        card.healthyGpuDays() == 0
            ? "-"
            : Interval.ofCount(card.falseAlarms()).times(500 / card.healthyGpuDays()).words(0));
  }

  private static String share(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.3f", value);
  }
}
