package io.ringside.standalone.report;

import static io.ringside.standalone.report.Fabricated.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.State;
import io.ringside.schemas.event.Severity;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecoveredAttemptsTest {
  private static final String JOB = "clip-tune";
  private static final RunSummary DIED = run(1, "vis", State.FAILED, 0, 68, "clip-tune-7xk2p");

  @Test
  void theAttemptThatWentOnHeadsTheJobAndTellsTheDeathBeforeIt() {
    var verdict = verdict(DIED, run(2, "vis", State.ENDED, 400, 511, "clip-tune-q9d4m"));

    assertThat(verdict.level()).isEqualTo("info");
    assertThat(verdict.kind()).isEqualTo(FindingKind.JOB_FAILED);
    assertThat(verdict.summary())
        .isEqualTo("Healthy: no fault found. Before it run 1: the job died on rank 1: no memory");
  }

  @Test
  void countsTheDeathsAndTellsTheLast() {
    var again = run(2, "vis", State.FAILED, 100, 40, "clip-tune-b");
    var verdict = verdict(DIED, again, run(3, "vis", State.RUNNING, 200, 90, "clip-tune-c"));

    assertThat(verdict.level()).isEqualTo("info");
    assertThat(verdict.summary()).contains("Before it 2 runs died, the last was run 2: the job");
  }

  @Test
  void attemptsWithinTheSameLogAreOfOneJob() {
    assertThat(
            verdict(
                    run(1, "", State.FAILED, 0, 68, "train"),
                    run(2, "", State.ENDED, 70, 511, "train"))
                .level())
        .isEqualTo("info");
  }

  /// A crash loop looks so while its newest attempt is young.
  @Test
  void anAttemptThatIsYoungerThanTheDeadOneMakesNothingGood() {
    assertDead(DIED, run(2, "vis", State.RUNNING, 400, 60, "clip-tune-q9d4m"));
  }

  @Test
  void neitherDoesOneThatDiedOrWasLostItself() {
    assertDead(DIED, run(2, "vis", State.FAILED, 400, 511, "clip-tune-q9d4m"));
    assertDead(DIED, run(2, "vis", State.LOST, 400, 511, "clip-tune-q9d4m"));
  }

  @Test
  void neitherDoesOneThatBeganBesideIt() {
    assertDead(DIED, run(2, "vis", State.ENDED, 30, 511, "clip-tune-q9d4m"));
  }

  @Test
  void neitherDoesATestOnOneRank() {
    assertDead(
        DIED, run(2, "vis", State.ENDED, 400, 511, "clip-tune-q9d4m").with(its -> its.nranks = 1));
  }

  /// What never came up, or tells too little, may hang.
  @Test
  void neitherDoesOneThatCouldNotBeJudged() {
    assertDead(
        DIED,
        run(2, "vis", State.RUNNING, 400, 511, "clip-tune-q9d4m").with(its -> its.ranksSeen = 3));
    assertDead(
        DIED,
        run(2, "vis", State.RUNNING, 400, 511, "clip-tune-q9d4m")
            .with(
                its ->
                    its.notJudged =
                        List.of(new RunSummary.NotJudged(RunSummary.NotJudged.PROGRESS, "still"))));
  }

  /// It is still in the machine.
  @Test
  void whatIsBrokenHeadsTheJobAlsoInALaterAttempt() {
    var job =
        JobView.of(
                List.of(DIED, run(2, "vis", State.ENDED, 400, 511, "clip-tune-q9d4m")),
                List.of(death(DIED), broken(DIED)))
            .getFirst();

    assertThat(job.verdict().level()).isEqualTo("critical");
    assertThat(job.verdict().kind()).isEqualTo(FindingKind.GPU_ERROR);
  }

  /// One log that fails and one that does not, laid side by side to be compared.
  @Test
  void neitherDoesAnotherLogByHand() {
    assertDead(
        run(1, "", State.FAILED, 0, 68, "with-ib"), run(2, "", State.ENDED, 400, 511, "without"));
  }

  @Test
  void neitherDoesOneWithoutTimes() {
    assertDead(
        DIED,
        run(2, "vis", State.ENDED, 400, 511, "clip-tune-q9d4m")
            .with(
                its -> {
                  its.since = null;
                  its.until = null;
                }));
  }

  private static void assertDead(RunSummary died, RunSummary newest) {
    assertThat(verdict(died, newest).level()).isEqualTo("critical");
  }

  private static Verdict verdict(RunSummary... runs) {
    var deaths =
        Stream.of(runs)
            .filter(run -> run.state() == State.FAILED)
            .map(RecoveredAttemptsTest::death);
    return JobView.of(List.of(runs), deaths.toList()).getFirst().verdict();
  }

  private static RunSummary run(
      int attempt, String namespace, State state, int begin, int seconds, String pod) {
    return RunSummary.of(
        new JobKey("", namespace, JOB),
        "0x" + attempt,
        attempt,
        its -> {
          its.state = state;
          its.since = NOON.plusSeconds(begin);
          its.until = NOON.plusSeconds(begin + seconds);
          its.nranks = 4;
          its.ranksSeen = 4;
          its.pods = List.of(pod);
        });
  }

  private static Finding death(RunSummary run) {
    return found(run, FindingKind.JOB_FAILED, "the job died on rank 1: no memory");
  }

  private static Finding broken(RunSummary run) {
    return found(run, FindingKind.GPU_ERROR, "GPU 0000:02:00.0 reports Xid 79");
  }

  private static Finding found(RunSummary run, FindingKind kind, String summary) {
    return Finding.of(
        run.run() + "|" + kind.label(),
        kind,
        Severity.CRITICAL,
        its -> {
          its.job = new JobKey("", run.namespace(), JOB);
          its.run = run.run();
          its.state = Finding.State.ACTIVE; // nobody knows what came after a saved log
          its.since = run.until();
          its.detectedAt = NOON;
          its.summary = summary;
          its.evidence = List.of(new Evidence(run.until(), "n1", "pod", "0.log", 0, "no memory"));
        });
  }
}
