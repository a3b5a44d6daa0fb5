package io.ringside.standalone.report;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.ledger.Comparison;
import java.util.List;
import tools.jackson.databind.SerializationFeature;

/// Writes the report as one JSON document, described by `docs/report.schema.json`: `jobs[]` with
/// `verdict`, `runs[]`, `difference[]`, `checklist[]`, `findings[]`, and `input` with `files[]`,
/// `lines`, `unparsed`, `skipped[]`. Runs and findings have the same form as on their topics.
public final class ReportJson {
  /// Increased when a field is removed or changes its meaning.
  private static final int SCHEMA_VERSION = 1;

  private ReportJson() {}

  /// The document, indented, without a line break at the end.
  public static String of(ReportContent account) {
    var jobs = account.jobs().stream().map(ReportJson::job).toList();
    return EventJson.MAPPER
        .writerWithDefaultPrettyPrinter()
        .with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .writeValueAsString(
            new Document(
                SCHEMA_VERSION,
                account.verdict(),
                jobs,
                account.leftOut(),
                input(account.input())));
  }

  private static Job job(JobView job) {
    var checklist = job.runs().isEmpty() ? List.<Check>of() : job.runs().getLast().checklist();
    return new Job(
        job.key().job(),
        job.key().namespace(),
        job.key().cluster(),
        job.verdict(),
        job.runs(),
        Comparison.each(job.runs()),
        checklist,
        job.findings());
  }

  private static Input input(InputSummary input) {
    var unparsed = input.unparsed();
    return new Input(
        input.files(),
        input.lines(),
        unparsed == null ? new InputSummary.Unparsed(0, List.of()) : unparsed,
        input.skipped());
  }

  /// `leftOut` counts what was judged but not asked for.
  private record Document(
      int schemaVersion, Verdict verdict, List<Job> jobs, LeftOut leftOut, Input input) {}

  /// `difference` compares each run with the previous one; `checklist` is that of the last run.
  private record Job(
      String job,
      String namespace,
      String cluster,
      Verdict verdict,
      List<RunSummary> runs,
      List<Comparison> difference,
      List<Check> checklist,
      List<Finding> findings) {}

  private record Input(
      List<InputSummary.File> files,
      long lines,
      InputSummary.Unparsed unparsed,
      List<InputSummary.Skipped> skipped) {}
}
