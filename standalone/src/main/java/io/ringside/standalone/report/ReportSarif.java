package io.ringside.standalone.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.publish.Causes;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes the report as SARIF 2.1.0 (OASIS, 2020), which code hosts and editors read. Each kind of
/// finding is a rule, each finding a result at the line that proves it. What was not judged or not
/// read is a notification.
final class ReportSarif {
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  private final ReportContent account;
  private final List<FindingKind> rules;

  private ReportSarif(ReportContent account) {
    this.account = account;
    this.rules = account.findings().stream().map(Finding::kind).distinct().sorted().toList();
  }

  static String of(ReportContent account, String version) {
    return EventJson.MAPPER
        .writerWithDefaultPrettyPrinter()
        .writeValueAsString(new ReportSarif(account).log(version));
  }

  private Log log(String version) {
    var driver = new Driver("Ringside", version, rules.stream().map(ReportSarif::rule).toList());
    var results = new ArrayList<Result>();
    for (var job : account.jobs()) {
      var causes = Causes.among(job.findings());
      job.findings().forEach(finding -> results.add(result(finding, causes.root(finding))));
    }
    boolean successful =
        account.jobs().stream().flatMap(job -> job.runs().stream()).noneMatch(run -> run.failed());
    var run =
        new Run(new Tool(driver), List.of(new Invocation(successful, notifications())), results);
    return new Log(SCHEMA, "2.1.0", List.of(run));
  }

  private static Rule rule(FindingKind kind) {
    return new Rule(
        kind.label(),
        new Message(kind.label().replace('-', ' ')),
        new Message("What to do: " + kind.runbook()));
  }

  private Result result(Finding finding, Finding root) {
    var locations = finding.evidence().stream().map(this::location).toList();
    var text = new ArrayList<>(List.of(SafeText.of(finding.summary())));
    text.addAll(FindingDetails.of(finding, root));
    return new Result(
        finding.kind().label(),
        rules.indexOf(finding.kind()),
        switch (finding.severity()) {
          case CRITICAL -> "error";
          case WARNING -> "warning";
          case INFO -> "note";
        },
        new Message(String.join("\n", text)),
        locations.subList(0, 1),
        locations.subList(1, locations.size()),
        Map.of("ringsideFindingId/v1", finding.id()));
  }

  private Location location(Evidence evidence) {
    var line = evidence.line();
    var snippet = new Message(SafeText.of(evidence.text()));
    var region =
        line != null
            ? new Region(line, null, null, snippet)
            : evidence.offset() < 0 ? null : new Region(null, evidence.offset(), 0, snippet);
    var artifact = new Artifact(uri(Proofs.file(evidence)));
    return new Location(new PhysicalLocation(artifact, region));
  }

  private static String uri(String file) {
    try {
      return new URI(
              file.startsWith("/") ? "file" : null,
              file.startsWith("/") ? "" : null,
              // a colon in the first part of a relative path would be parsed as a scheme
              file.startsWith("/") || file.indexOf(':') < 0 ? file : "./" + file,
              null)
          .toASCIIString();
    } catch (URISyntaxException e) {
      return String.join("/", Arrays.stream(file.split("/")).map(ReportSarif::encoded).toList());
    }
  }

  private static String encoded(String name) {
    return java.net.URLEncoder.encode(name, java.nio.charset.StandardCharsets.UTF_8);
  }

  private List<Notification> notifications() {
    var said = new ArrayList<Notification>();
    for (var job : account.jobs()) {
      for (var run : job.runs()) {
        run.notJudged()
            .forEach(
                each ->
                    said.add(
                        note(
                            "%s: not judged: %s: %s"
                                .formatted(job.name(), each.what(), each.because()))));
      }
    }
    account
        .input()
        .skipped()
        .forEach(file -> said.add(note("left out %s: %s".formatted(file.path(), file.reason()))));
    if (!account.leftOut().by().isEmpty()) {
      said.add(note(account.leftOut().sentence()));
    }
    return said.stream().distinct().toList();
  }

  private static Notification note(String text) {
    return new Notification("note", new Message(SafeText.of(text)));
  }

  private record Log(@JsonProperty("$schema") String schema, String version, List<Run> runs) {}

  private record Run(Tool tool, List<Invocation> invocations, List<Result> results) {}

  private record Tool(Driver driver) {}

  private record Driver(String name, String version, List<Rule> rules) {}

  private record Rule(String id, Message shortDescription, Message help) {}

  private record Invocation(
      boolean executionSuccessful, List<Notification> toolExecutionNotifications) {}

  private record Notification(String level, Message message) {}

  private record Result(
      String ruleId,
      int ruleIndex,
      String level,
      Message message,
      List<Location> locations,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Location> relatedLocations,
      Map<String, String> partialFingerprints) {}

  private record Message(String text) {}

  private record Location(PhysicalLocation physicalLocation) {}

  private record PhysicalLocation(
      Artifact artifactLocation,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Region region) {}

  private record Artifact(String uri) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Region(
      @Nullable Long startLine,
      @Nullable Long byteOffset,
      @Nullable Integer byteLength,
      Message snippet) {}
}
