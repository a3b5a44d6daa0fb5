package io.ringside.standalone.report;

import static io.ringside.standalone.report.Span.dim;
import static io.ringside.standalone.report.Span.plain;
import static io.ringside.standalone.report.Span.strong;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.RunSummary;
import java.util.ArrayList;
import java.util.List;

/// What is known of one run: facts, checklist, transport, waits.
final class RunSection {
  private static final int CHECK_COLUMN = 34;
  private static final int BAR = 20;

  private final Page page;

  RunSection(Page page) {
    this.page = page;
  }

  void write(RunSummary run) {
    facts(run);
    checklist(run.checklist());
    transports(run.transports());
    new WaitSection(page).write(run.waits());
  }

  private void facts(RunSummary run) {
    List<String> facts = new ArrayList<>();
    facts.add("run " + run.run());
    facts.add(
        "%s of %s on %s, %s"
            .formatted(
                Figures.count(run.ranksSeen()),
                Figures.count(run.nranks(), "rank"),
                Figures.count(run.nodes().size(), "node"),
                Figures.count(run.pods().size(), "pod")));
    addNamed(facts, "", run.instanceType());
    addNamed(facts, "NCCL ", run.ncclVersion());
    addNamed(facts, "aws-ofi-nccl ", run.pluginVersion());
    addNamed(facts, "libfabric ", run.libfabricVersion());
    if (run.channels() > 0) {
      facts.add(Figures.count(run.channels(), "channel"));
    }
    addNamed(facts, "", Figures.span(run.since(), run.until()));
    page.paragraph(2, 2, dim(String.join(" · ", facts)));
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
    for (Check check : checks) {
      var name = Figures.left(Figures.cut(check.name(), CHECK_COLUMN - 2), CHECK_COLUMN);
      var ink =
          switch (check.status()) {
            case PASS -> Ink.PLAIN;
            case FAIL -> Ink.STRONG;
            case UNKNOWN -> Ink.DIM;
          };
      page.wrapped(
          4,
          6 + CHECK_COLUMN,
          3,
          Mark.of(check.status()).span(),
          new Span(name, ink),
          new Span(check.detail(), ink == Ink.STRONG ? Ink.PLAIN : ink));
    }
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
      boolean odd =
          !transport.expected().isEmpty() && !transport.transport().equals(transport.expected());
      double share = transport.edges() / (double) Math.max(1, most);
      page.line(
          4,
          plain(Figures.left(transport.edgeClass(), classWidth) + "  "),
          strong(Figures.left(transport.transport(), nameWidth) + "  "),
          new Span(Bar.of(share, BAR, page.screen().blocks()), odd ? Ink.WARN : Ink.GOOD),
          plain(Figures.right(Figures.count(transport.edges(), "edge"), 13)),
          odd ? new Span("   expected " + transport.expected(), Ink.WARN) : plain(""));
    }
  }

  private static int longest(List<String> texts) {
    return texts.stream().mapToInt(String::length).max().orElse(0);
  }
}
