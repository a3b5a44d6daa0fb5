package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportGithubTest {
  @Test
  void annotatesTheLineThatProvesAFinding() {
    var lines =
        ReportGithub.of(
                Fabricated.account(
                    List.of(Fabricated.fallbackRun(), Fabricated.straggledRun()),
                    List.of(Fabricated.fallback(), Fabricated.straggler())))
            .lines()
            .toList();

    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst())
        .startsWith(
            "::error file=seed/llama-3-8b-node-0-0.log,line=21,title=efa-fallback in llama-3-8b::"
                + "EFA was asked for but failed to start; all 4 ranks talk over TCP sockets.%0A")
        .contains("%0Aobserved: Socket over eth0%0A");
    assertThat(lines.get(1)).startsWith("::warning file=pods/c1/trainer/0.log,title=straggler");
    assertThat(lines.getLast()).startsWith("✖ 2 jobs: 1 critical, 1 with warnings");
  }

  /// A workflow obeys every line that begins with two colons, so no text of a log may begin one.
  @Test
  void escapesWhatWouldEndACommandOrBeginAnother() {
    var evil = "50%\r\n::set-output name=a::b\n::error::no";
    var text = ReportGithub.of(Fabricated.account(List.of(), List.of(Fabricated.hostile(evil))));

    assertThat(text.lines()).hasSize(2);
    assertThat(text.lines().toList().getFirst())
        .startsWith(
            "::warning file=0%3A1%2C2 %25.log,title=nccl-error in job 50%25\\x0d\\x0a%3A%3Aset")
        .contains("::summary 50%25\\x0d\\x0a::set-output");
    assertThat(text.lines().toList().getLast()).startsWith("▲ ");
  }
}
