package io.ringside.standalone.report;

import static io.ringside.standalone.report.ColouredText.dim;
import static io.ringside.standalone.report.ColouredText.plain;
import static io.ringside.standalone.report.ColouredText.strong;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.job.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Shows one run: facts, checklist, transport, waits, bill.
record RunSection(Page page) {
  private static final int CHECK_COLUMN = 34;
  private static final int BAR = 20;

  void write(RunSummary run) {
    facts(run);
    checklist(run.checklist());
    transports(run.transports());
    new WaitSection(page).write(run.waits());
    new BillSection(page).write(run.bill());
    notJudged(run.notJudged());
  }

  private void notJudged(List<RunSummary.NotJudged> missing) {
    if (missing.isEmpty()) {
      return;
    }
    page.blank();
    page.line(2, strong("Not judged"));
    for (var each : missing) {
      page.paragraph(4, 6, dim(each.what() + ": " + each.because()));
    }
  }

  private void facts(RunSummary run) {
    page.paragraph(2, 2, dim(sentence(run)));
  }

  /// `run 0x4f · 8 of 8 ranks on 1 node, 2 pods · NCCL 2.28.9 · …`.
  static String sentence(RunSummary run) {
    List<String> facts = new ArrayList<>();
    facts.add(Run.isNone(run.run()) ? "run " + run.attempt() : "run " + run.run());
    if (run.nranks() > 0 || run.ranksSeen() > 0) {
      facts.add(
          "%s of %s on %s, %s"
              .formatted(
                  Figures.count(run.ranksSeen()),
                  Figures.count(run.nranks(), "rank"),
                  Figures.count(run.nodes().size(), "node"),
                  Figures.count(run.pods().size(), "pod")));
    }
    addNamed(facts, "", run.instanceType());
    addNamed(facts, "NCCL ", run.ncclVersion());
    addNamed(facts, "aws-ofi-nccl ", run.pluginVersion());
    addNamed(facts, "libfabric ", run.libfabricVersion());
    if (run.channels() > 0) {
      facts.add(Figures.count(run.channels(), "channel"));
    }
    addNamed(facts, "", Figures.span(run.since(), run.until()));
    return String.join(" · ", facts);
  }

  private static void addNamed(List<String> facts, String name, String value) {
    if (!value.isEmpty()) {
      facts.add(name + value);
    }
  }

  private void checklist(List<Check> checks) {
    if (checks.isEmpty()) {
      return;
    }
    page.blank();
    page.line(2, strong("Checklist"));
    var unsaid = checks.stream().filter(check -> check.detail().equals(Check.UNSAID)).toList();
    boolean several = unsaid.size() > 1;
    checks.stream().filter(check -> !several || !unsaid.contains(check)).forEach(this::row);
    if (several) {
      var names = unsaid.stream().map(Check::name).collect(Collectors.joining(", "));
      var mark = SeverityMark.of(Check.Status.UNKNOWN).span();
      page.paragraph(4, 6, mark, dim(Check.UNSAID + ": " + names));
    }
  }

  private void row(Check check) {
    var ink =
        switch (check.status()) {
          case PASS -> AnsiColour.PLAIN;
          case FAIL -> AnsiColour.STRONG;
          case UNKNOWN -> AnsiColour.DIM;
        };
    page.wrapped(
        4,
        6 + CHECK_COLUMN,
        3,
        SeverityMark.of(check.status()).span(),
        new ColouredText(
            Figures.left(Figures.cut(check.name(), CHECK_COLUMN - 2), CHECK_COLUMN), ink),
        new ColouredText(check.detail(), ink == AnsiColour.STRONG ? AnsiColour.PLAIN : ink));
  }

  private void transports(List<RunSummary.Transport> transports) {
    if (transports.isEmpty()) {
      return;
    }
    page.blank();
    page.line(2, strong("Transport"));
    int classWidth = longest(transports.stream().map(RunSummary.Transport::edgeClass).toList());
    int nameWidth = longest(transports.stream().map(RunSummary.Transport::transport).toList());
    int most = transports.stream().mapToInt(RunSummary.Transport::edges).max().orElse(1);
    for (var transport : transports) {
      double share = transport.edges() / (double) Math.max(1, most);
      var name = Figures.left(transport.edgeClass(), classWidth) + "  ";
      page.line(
          4,
          plain(name),
          strong(Figures.left(transport.transport(), nameWidth) + "  "),
          new ColouredText(TextBar.of(share, BAR, page.screen().blocks()), AnsiColour.NOTE),
          plain(Figures.right(Figures.count(transport.edges(), "edge"), 13)));
    }
    expectations(transports, classWidth);
  }

  /// Writes the expected transport of each class of edges, once.
  private void expectations(List<RunSummary.Transport> transports, int classWidth) {
    Map<String, String> byClass = new LinkedHashMap<>();
    transports.stream()
        .filter(transport -> !transport.expected().isEmpty())
        .forEach(transport -> byClass.putIfAbsent(transport.edgeClass(), transport.expected()));
    byClass.forEach(
        (edgeClass, expected) ->
            page.wrapped(
                4,
                6 + classWidth,
                2,
                dim(Figures.left(edgeClass, classWidth) + "  expected: " + expected)));
  }

  private static int longest(List<String> texts) {
    return texts.stream().mapToInt(String::length).max().orElse(0);
  }
}
