package io.ringside.standalone.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class ReportJunitTest {
  @Test
  void isASuiteAJobAndAFailedTestAFinding() throws Exception {
    var suites =
        suites(
            Fabricated.account(
                List.of(Fabricated.fallbackRun(), Fabricated.straggledRun()),
                List.of(Fabricated.fallback())));

    assertThat(suites).hasSize(2);
    var fallen = suites.getFirst();
    assertThat(fallen.getAttribute("name")).isEqualTo("llama-3-8b");
    assertThat(fallen.getAttribute("tests")).isEqualTo("1");
    assertThat(fallen.getAttribute("failures")).isEqualTo("1");
    var failure = children(children(fallen, "testcase").getFirst(), "failure").getFirst();
    assertThat(failure.getAttribute("type")).isEqualTo("critical");
    assertThat(failure.getAttribute("message")).startsWith("EFA was asked for");
    assertThat(failure.getTextContent())
        .contains("\nobserved: Socket over eth0\n")
        .contains("seed/llama-3-8b-node-0-0.log:21  llama-3-8b-node-0-0:152:386 [0] NCCL INFO");

    var well = suites.getLast();
    assertThat(well.getAttribute("failures")).isEqualTo("0");
    assertThat(children(children(well, "testcase").getFirst(), "system-out").getFirst())
        .satisfies(said -> assertThat(said.getTextContent()).startsWith("Healthy"));
  }

  /// A job of which nothing could be judged has not passed.
  @Test
  void skipsWhatWasNotJudged() throws Exception {
    RunSummary run =
        Fabricated.straggledRun()
            .without(
                List.of(
                    new NotJudged("transport", "no line"),
                    new NotJudged("waits", "no COLL lines"),
                    new NotJudged("steps", "no line")));
    var suite = suites(Fabricated.account(List.of(run), List.of())).getFirst();

    assertThat(suite.getAttribute("tests")).isEqualTo("4");
    assertThat(suite.getAttribute("skipped")).isEqualTo("4");
    assertThat(children(suite, "testcase"))
        .allSatisfy(test -> assertThat(children(test, "skipped")).hasSize(1));
  }

  @Test
  void isWellFormedWhateverALogSays() throws Exception {
    var evil =
        "]]></failure> &amp; \"'\u0000\u001b\u0085\ufffe\uffff\ud800 \ud83d\ude00 größer\r\n";
    var suites = suites(Fabricated.account(List.of(), List.of(Fabricated.hostile(evil))));

    assertThat(suites.getFirst().getAttribute("name")).contains("]]></failure> &amp; \"'\\x00");
    assertThat(suites.getFirst().getTextContent()).contains("\\ufffe", "\ud83d\ude00");
  }

  private static List<Element> suites(ReportContent account) throws Exception {
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(ReportJunit.of(account).getBytes(UTF_8)));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("testsuites");
    return children(document.getDocumentElement(), "testsuite");
  }

  private static List<Element> children(Element parent, String name) {
    var nodes = parent.getChildNodes();
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(Element.class::isInstance)
        .map(Element.class::cast)
        .filter(child -> child.getTagName().equals(name))
        .toList();
  }
}
