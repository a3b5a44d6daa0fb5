package io.ringside.streams.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.socket.SocketTransport;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.recorded.Recorded;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class IsolationTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final List<String> heard = new ArrayList<>();

  @Test
  void aDetectorThatFailsKeepsNoOtherFromJudging() {
    var verdict = judged(new TooSmallArray(), new SocketTransport());

    assertThat(verdict.findings())
        .extracting(Finding::kind)
        .containsExactly(FindingKind.SOCKET_TRANSPORT);
    assertThat(verdict.runs())
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.notJudged()).contains(NotJudged.failed("too-small-array"));
              assertThat(run.failed()).isTrue();
              assertThat(run.judged()).isFalse();
            });
    assertThat(heard).containsExactly("too-small-array java.lang.ArrayIndexOutOfBoundsException");
  }

  @Test
  void saysNothingOfFailuresWhereThereAreNone() {
    assertThat(judged(new SocketTransport()).runs()).noneMatch(run -> run.failed());
    assertThat(heard).isEmpty();
  }

  @Test
  void aRunHasAThousandFindingsAtMost() {
    var verdict =
        judged(
            examination ->
                Collections.nCopies(1_500, new SocketTransport().examine(examination).getFirst()));

    assertThat(verdict.findings()).hasSize(1_000);
  }

  private Judge.Verdict judged(Detector... detectors) {
    var judge =
        new Judge(
            Expectations::builtIn,
            List.of(detectors),
            (what, _, cause) -> heard.add(what + " " + cause.getClass().getName()));
    var records = new ArrayList<AgentEvent>();
    Recorded.in(Path.of("../examples/recordings/always")).logs().forEach(records::addAll);
    var job = new Replay().addAll(records).jobs().values().iterator().next();
    return judge.judge(job, NOW);
  }

  private static final class TooSmallArray implements Detector {
    @Override
    public List<Finding> examine(Examination examination) {
      var seconds = new double[0];
      seconds[examination.run().nranks()] = 1;
      return List.of();
    }
  }
}
