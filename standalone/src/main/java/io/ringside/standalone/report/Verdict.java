package io.ringside.standalone.report;

import static java.util.Comparator.comparingInt;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The most important fact about a job, in one sentence.
///
/// @param level `ok`, `unknown` if nothing could be judged, or the severity of the worst finding
/// @param kind kind of the worst finding or of its root cause; null if there is none
public record Verdict(String level, @Nullable FindingKind kind, String summary) {
  /// Levels in rising order. Not knowing that all is well is worse than a note.
  private static final List<String> RISING =
      List.of("ok", "info", "unknown", "warning", "critical");

  /// The verdict on these runs and all their findings, sorted with the cause of the worst one
  /// first.
  static Verdict of(List<RunSummary> runs, List<Finding> worstFirst) {
    if (worstFirst.isEmpty()) {
      return runs.isEmpty()
              || runs.stream().noneMatch(RunSummary::judged)
              || runs.stream().anyMatch(RunSummary::failed)
          ? new Verdict("unknown", null, unknown(runs))
          : new Verdict("ok", null, healthy(runs));
    }
    var worst = worstFirst.getFirst();
    var severity =
        worstFirst.stream()
            .map(Finding::severity)
            .max(Comparator.naturalOrder())
            .orElse(Severity.INFO);
    return severity == Severity.INFO
        ? noted(runs, worstFirst)
        : new Verdict(severity.label(), worst.kind(), worst.summary());
  }

  /// The verdict if all findings are notes. It says that no fault was found only if no check fails,
  /// no note reports lost GPU time or a slowdown, and no job hangs.
  private static Verdict noted(List<RunSummary> runs, List<Finding> notes) {
    var telling = notes.stream().filter(Verdict::contradicts).findFirst();
    if (telling.isPresent()) {
      return new Verdict("info", telling.get().kind(), telling.get().summary());
    }
    var first = notes.getFirst();
    boolean failed =
        runs.stream()
            .flatMap(run -> run.checklist().stream())
            .anyMatch(check -> check.status() == Check.Status.FAIL);
    return new Verdict(
        "info", first.kind(), (failed ? "" : "No fault found. Note: ") + first.summary());
  }

  /// Whether this note alone shows that not all is well.
  private static boolean contradicts(Finding note) {
    var lost = note.cost().gpuSeconds();
    return note.kind() == FindingKind.HANG
        || lost != null && lost > 0
        || note.cost().slowdown() != null;
  }

  /// The verdict on a job if the user asked for none of its findings.
  static Verdict unasked(int findings) {
    return new Verdict(
        "unknown",
        null,
        "No fault found in what was asked for; %s left out."
            .formatted(Figures.count(findings, "finding")));
  }

  /// The verdict on all jobs together: the job's own for one job; for several, the number of jobs
  /// at each level.
  static Verdict ofAll(List<JobView> jobs) {
    if (jobs.isEmpty()) {
      return new Verdict("unknown", null, "No training run recognised.");
    }
    var of = worst(jobs).orElseThrow();
    var said = of.verdict().of(of.name().isEmpty() ? "" : of.name() + ": ");
    return jobs.size() == 1
        ? said
        : new Verdict(
            said.level(),
            said.kind(),
            "%s: %s".formatted(Figures.count(jobs.size(), "job"), counts(jobs))
                + (said.grave() ? "; the worst is " + said.summary() : ""));
  }

  /// The job with the worst verdict.
  static Optional<JobView> worst(List<JobView> jobs) {
    return jobs.stream().max(comparingInt(job -> RISING.indexOf(job.verdict().level())));
  }

  /// Whether a user has to act.
  boolean grave() {
    return RISING.indexOf(level) >= RISING.indexOf("warning");
  }

  private static String counts(List<JobView> jobs) {
    var words =
        Map.of(
            "critical", "critical",
            "warning", "with warnings",
            "unknown", "not judged",
            "info", "with notes",
            "ok", "without a fault");
    return RISING.reversed().stream()
        .map(
            level -> {
              long n = jobs.stream().filter(job -> job.verdict().level().equals(level)).count();
              return n == 0 ? "" : Figures.count(n) + " " + words.get(level);
            })
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  /// `✖ llama-3-8b: NCCL fell back from EFA to TCP sockets`, the last line of a report.
  String line() {
    return SeverityMark.of(this).sign() + " " + summary;
  }

  /// The same verdict with a prefix before its sentence.
  Verdict of(String prefix) {
    return new Verdict(level, kind, prefix + summary);
  }

  /// The same verdict, extended by the attempts that died before: the sign for healthy never
  /// appears together with a death.
  ///
  /// @param dead sorted by attempt, at least one
  /// @param findings all findings of the job
  Verdict after(List<RunSummary> dead, List<Finding> findings) {
    var last = dead.getLast();
    var death =
        findings.stream()
            .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
            .filter(finding -> finding.run().equals(last.run()))
            .map(finding -> "run %d: %s".formatted(last.attempt(), finding.summary()))
            .findFirst()
            .orElse("run %d, which died".formatted(last.attempt()));
    var words =
        "%s Before it %s%s"
            .formatted(
                summary.endsWith(".") ? summary : summary + ".",
                dead.size() == 1 ? "" : "%d runs died, the last was ".formatted(dead.size()),
                death);
    return level.equals("ok")
        ? new Verdict("info", FindingKind.JOB_FAILED, words)
        : new Verdict(level, kind, words);
  }

  private static String unknown(List<RunSummary> runs) {
    if (runs.stream().anyMatch(RunSummary::failed)) {
      return "Not judged in full: something failed within Ringside, see what was not judged.";
    }
    var still =
        runs.stream()
            .flatMap(run -> run.notJudged().stream())
            .filter(each -> each.what().equals(RunSummary.NotJudged.PROGRESS))
            .findFirst();
    if (still.isPresent()) {
      return "Not judged: " + still.get().because() + ".";
    }
    return runs.isEmpty()
        ? "Not judged: no run was recognised."
        : "Not judged: no fault shows, but the lines tell too little to say that all is well.";
  }

  private static String healthy(List<RunSummary> runs) {
    var last = runs.getLast();
    return last.ranksSeen() < last.nranks()
        ? "No fault found in the lines of %d of %d ranks."
            .formatted(last.ranksSeen(), last.nranks())
        : last.notJudged().isEmpty()
            ? "Healthy: no fault found."
            : "No fault found. Not judged: %s."
                .formatted(
                    last.notJudged().stream()
                        .map(RunSummary.NotJudged::what)
                        .collect(Collectors.joining(", ")));
  }
}
