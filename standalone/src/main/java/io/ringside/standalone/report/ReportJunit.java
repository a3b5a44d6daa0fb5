package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.Causes;
import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// Writes the report as JUnit XML, which CI servers show as tests. Each job is a suite. A finding
/// is a failed test, a note a passed one. What was not judged is a skipped test, so that it is not
/// mistaken for a passed one.
record ReportJunit(XMLStreamWriter xml, ReportContent account) {
  static String of(ReportContent account) {
    var out = new StringWriter();
    try {
      var xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
      new ReportJunit(xml, account).write();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a string takes what is written to it", e);
    }
    return out.toString();
  }

  private void write() throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuites");
    attribute("name", "ringside");
    for (var job : account.jobs()) {
      suite(job);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  private void suite(JobView job) throws XMLStreamException {
    var notJudged =
        job.runs().stream().flatMap(run -> run.notJudged().stream()).distinct().toList();
    boolean quiet = job.findings().isEmpty();
    boolean unknown = quiet && job.verdict().level().equals("unknown");
    long failures = job.findings().stream().filter(ReportJunit::fails).count();
    start(2, "testsuite");
    attribute("name", job.name());
    count("tests", job.findings().size() + notJudged.size() + (quiet ? 1 : 0));
    count("failures", failures);
    count("errors", 0);
    count("skipped", notJudged.size() + (unknown ? 1 : 0));
    var causes = Causes.among(job.findings());
    for (var finding : job.findings()) {
      finding(job, finding, causes.root(finding));
    }
    for (var each : notJudged) {
      skipped(job, each);
    }
    if (quiet) {
      quiet(job, unknown);
    }
    end(2);
  }

  private static boolean fails(Finding finding) {
    return finding.severity() != Severity.INFO;
  }

  private void finding(JobView job, Finding finding, Finding root) throws XMLStreamException {
    test(job, finding.kind().label() + ": " + finding.summary());
    start(6, fails(finding) ? "failure" : "system-out");
    if (fails(finding)) {
      attribute("type", finding.severity().label());
      attribute("message", finding.summary());
    }
    text(finding.summary() + "\n" + String.join("\n", FindingDetails.of(finding, root)));
    for (var evidence : finding.evidence()) {
      text("\n" + Proofs.line(evidence));
    }
    xml.writeEndElement();
    end(4);
  }

  private void skipped(JobView job, NotJudged each) throws XMLStreamException {
    test(job, "not judged: " + each.what());
    start(6, "skipped");
    attribute("message", each.because());
    xml.writeEndElement();
    end(4);
  }

  private void quiet(JobView job, boolean unknown) throws XMLStreamException {
    test(job, "verdict");
    start(6, unknown ? "skipped" : "system-out");
    if (unknown) {
      attribute("message", job.verdict().summary());
    } else {
      text(job.verdict().summary());
    }
    xml.writeEndElement();
    end(4);
  }

  private void test(JobView job, String name) throws XMLStreamException {
    start(4, "testcase");
    attribute("classname", "ringside." + job.name());
    attribute("name", name);
  }

  private void start(int indent, String element) throws XMLStreamException {
    xml.writeCharacters("\n" + " ".repeat(indent));
    xml.writeStartElement(element);
  }

  private void end(int indent) throws XMLStreamException {
    xml.writeCharacters("\n" + " ".repeat(indent));
    xml.writeEndElement();
  }

  private void count(String name, long n) throws XMLStreamException {
    xml.writeAttribute(name, Long.toString(n));
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, allowed(value));
  }

  private void text(String text) throws XMLStreamException {
    for (var line : List.of(text.split("(?<=\n)"))) {
      boolean ends = line.endsWith("\n");
      xml.writeCharacters(allowed(ends ? line.substring(0, line.length() - 1) : line));
      xml.writeCharacters(ends ? "\n" : "");
    }
  }

  /// Escapes characters that XML 1.0 cannot contain, even as references: control characters, lone
  /// surrogates, U+FFFE, U+FFFF.
  private static String allowed(String text) {
    return SafeText.of(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff");
  }
}
