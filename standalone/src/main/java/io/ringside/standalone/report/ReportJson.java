package io.ringside.standalone.report;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.ledger.Comparison;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.node.ObjectNode;

/// The report as one JSON document, described by `docs/report.schema.json`: `jobs[]` with `verdict`, `runs[]`, `difference[]`, `checklist[]`,
/// `findings[]`, and `input` with `files[]`, `lines`, `unparsed`, `skipped[]`. Runs and findings are spelled as
/// on their topics.
public final class ReportJson {
  /// Rises when a field goes or means something else.
  private static final int SCHEMA_VERSION = 1;

  private ReportJson() {}

  /// The document, indented, without a line break at its end.
  public static String of(Account account) {
    var jobs = account.jobs().stream().map(job -> job(job, account)).toList();
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

  private static Job job(JobView job, Account account) {
    var checklist = job.runs().isEmpty() ? List.<Check>of() : job.runs().getLast().checklist();
    return new Job(
        job.key().job(),
        job.key().namespace(),
        job.key().cluster(),
        job.verdict(),
        job.runs(),
        Comparison.each(job.runs()),
        checklist,
        job.findings().stream().map(finding -> finding(finding, account)).toList());
  }

  /// As on its topic, its evidence with what is known of where it stands.
  private static JsonNode finding(Finding finding, Account account) {
    ObjectNode tree = EventJson.MAPPER.valueToTree(finding);
    for (int i = 0; i < finding.evidence().size(); i++) {
      var evidence = finding.evidence().get(i);
      var said = (ObjectNode) tree.get("evidence").get(i);
      account
          .lines()
          .of(evidence)
          .ifPresent(
              line -> {
                said.put("line", line.number());
                if (!line.file().equals(evidence.file())) {
                  said.put("part", line.file());
                }
              });
      account.ranks().of(finding, evidence).ifPresent(rank -> said.put("rank", rank));
    }
    return tree;
  }

  private static Input input(InputSummary input) {
    var unparsed = input.unparsed();
    return new Input(
        input.files(),
        input.lines(),
        unparsed == null ? new InputSummary.Unparsed(0, List.of()) : unparsed,
        input.skipped());
  }

  /// `leftOut` is what was judged and not asked for.
  private record Document(
      int schemaVersion, Verdict verdict, List<Job> jobs, LeftOut leftOut, Input input) {}

  /// `difference` is what differs between each run and the one before it, `checklist` that of the last
  /// run.
  private record Job(
      String job,
      String namespace,
      String cluster,
      Verdict verdict,
      List<RunSummary> runs,
      List<Comparison> difference,
      List<Check> checklist,
      List<JsonNode> findings) {}

  private record Input(
      List<InputSummary.File> files,
      long lines,
      InputSummary.Unparsed unparsed,
      List<InputSummary.Skipped> skipped) {}
}
