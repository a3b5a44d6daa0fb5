package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.State;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.JobOverview;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LivesTest {
  private static final String FIRST = "0x00aa000000000001";
  private static final String SECOND = "0x00bb000000000002";

  @TempDir private Path stateDir;
  private LiveJob job;

  @BeforeEach
  void begin() {
    job = new LiveJob(stateDir);
  }

  @AfterEach
  void end() {
    job.close();
  }

  private LiveJob.Start trained() {
    var start = job.start(FIRST, 100, "llama-x7k2p@n1", "llama-9abcd@n2").init("NET/Socket/0");
    start.train(20);
    assertThat(job.run(FIRST).state()).isEqualTo(State.RUNNING);
    assertThat(job.found(FindingKind.SOCKET_TRANSPORT, FIRST).orElseThrow().state())
        .isEqualTo(Finding.State.ACTIVE);
    return start;
  }

  private void assertOver(State state, Instant at) {
    assertThat(job.run(FIRST).state()).isEqualTo(state);
    assertThat(job.findings())
        .isNotEmpty()
        .allSatisfy(
            finding -> {
              assertThat(finding.state()).isEqualTo(Finding.State.CLEARED);
              assertThat(finding.until()).isEqualTo(at);
            });
    assertThat(JobOverview.of(job.shown()).state()).isEqualTo(state.label());
    assertThat(job.shown().active()).isEmpty();
  }

  @Test
  void endsWhenAllRanksHaveDestroyedTheWorld() {
    var start = trained();
    start.destroy(0);
    job.pass(3);
    assertThat(job.run(FIRST).state()).isEqualTo(State.RUNNING);

    var at = job.now();
    start.destroy(1);
    job.pass(3);
    assertOver(State.ENDED, at);
    job.pass(600);
    assertOver(State.ENDED, at);
  }

  @Test
  void goesOnAfterATestOfTheNetwork() {
    var start = trained();
    start.destroy(0).destroy(1);
    job.pass(20);
    start.line(0, "loading checkpoint shards");
    job.pass(20);
    start.line(0, "loaded checkpoint shards");
    job.pass(3);

    assertThat(job.run(FIRST).state()).isEqualTo(State.RUNNING);
    assertThat(job.shown().active()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "I1121 12:00:20.000000 41 torch/distributed/elastic/agent/server/api.py:930] Local worker group finished (WorkerState.SUCCEEDED). Waiting 300 seconds for other agents to finish",
        "Training completed. Do not forget to share your model on huggingface.co/models =)",
        "[2026-11-21 12:00:20,000] [INFO] [launch.py:351:main] Process 100 exits successfully."
      })
  void endsByTheLastWordsOfItsLauncher(String words) {
    var start = trained();
    var at = job.now();
    start.line(0, words);
    job.pass(3);

    assertOver(State.ENDED, at);
  }

  @Test
  void goesOnWhereWorkersFailedAndWhereStepsFollow() {
    var start = trained();
    start.line(
        0, "Training completed. Do not forget to share your model on huggingface.co/models =)");
    start.train(20);

    assertThat(job.run(FIRST).state()).isEqualTo(State.RUNNING);
    assertThat(job.shown().active()).isNotEmpty();
  }

  @Test
  void failsWithTheFirstFailureAtItsHead() {
    var start = trained();
    var at = job.now();
    start.line(1, "Traceback (most recent call last):");
    start.line(1, "  File \"/app/train.py\", line 7, in main");
    start.line(1, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.");
    start.line(
        1,
        "E1121 12:00:20.000000 41 torch/distributed/elastic/multiprocessing/api.py:984] failed (exitcode: 1) local_rank: 0 (pid: 100) of binary: /usr/bin/python3");
    job.pass(5);

    assertOver(State.FAILED, at);
    var overview = JobOverview.of(job.shown());
    assertThat(overview.verdict()).isEqualTo("critical");
    assertThat(overview.headline()).contains("OutOfMemory");
  }

  @Test
  void isSupersededByARetryUnderOtherNames() {
    trained();
    var at = job.now().minusMillis(500);
    job.pass(20);
    job.start(SECOND, 100, "llama-qqqqq@n3", "llama-wwwww@n4").init("NET/IB/0/GDRDMA").train(5);

    assertThat(job.run(FIRST).state()).isEqualTo(State.SUPERSEDED);
    assertThat(job.run(SECOND).state()).isEqualTo(State.RUNNING);
    assertThat(job.found(FindingKind.SOCKET_TRANSPORT, FIRST).orElseThrow().until()).isEqualTo(at);
    assertThat(JobOverview.of(job.shown()).headline()).doesNotContain("ocket");
  }

  @Test
  void copiesOfAModelThatAnswerQuestionsLiveBesideEachOther() {
    job.start(FIRST, 100, "vllm-x7k2p@n1", "vllm-9abcd@n2").init("NET/Socket/0");
    job.pass(20);
    job.start(SECOND, 100, "vllm-qqqqq@n3", "vllm-wwwww@n4").init("NET/Socket/0");
    job.pass(20);

    assertThat(job.run(FIRST).state().over()).isFalse();
    assertThat(job.run(SECOND).state().over()).isFalse();
    assertThat(job.shown().active()).extracting(Finding::run).contains(FIRST, SECOND);
  }

  @Test
  void fallsSilentAndIsNotCalledRunning() {
    trained();
    job.pass(15);
    assertThat(job.run(FIRST).state()).isEqualTo(State.PAUSED);
    job.pass(60);
    assertThat(job.run(FIRST).state()).isEqualTo(State.SILENT);
    assertThat(job.shown().running()).isFalse();
    assertThat(job.shown().goesOn()).isTrue();
  }

  @Test
  void beginsANewAttemptWhereTorchrunRestartsInOneLog() {
    var start = trained();
    start.line(
        0,
        "E1121 12:00:20.000000 41 torch/distributed/elastic/multiprocessing/api.py:984] failed (exitcode: -9) local_rank: 0 (pid: 100) of binary: /usr/bin/python3");
    start.line(
        0,
        "I1121 12:00:20.000000 41 torch/distributed/elastic/agent/server/api.py:906] [default] Worker group FAILED. 2/3 attempts left; will restart worker group");
    job.pass(4);
    assertThat(job.run(FIRST).state()).isEqualTo(State.FAILED);
    job.pass(4);
    job.start(SECOND, 200, "llama-x7k2p@n1", "llama-9abcd@n2").init("NET/IB/0/GDRDMA").train(10);

    assertThat(job.run(FIRST).state()).isEqualTo(State.FAILED);
    assertThat(job.found(FindingKind.JOB_FAILED, FIRST).orElseThrow().state())
        .isEqualTo(Finding.State.CLEARED);
    assertThat(job.run(FIRST).attempt()).isEqualTo(1);
    assertThat(job.run(SECOND).state()).isEqualTo(State.RUNNING);
    assertThat(job.run(SECOND).attempt()).isEqualTo(2);
    assertThat(job.shown().active()).noneMatch(finding -> finding.run().equals(FIRST));
    assertThat(JobOverview.of(job.shown()).verdict()).isNotEqualTo("critical");
  }

  @Test
  void countersNeverFallAndAreOfOneMoment() {
    var start = job.start(FIRST, 100, "a@n1", "b@n2").init("NET/IB/0/GDRDMA");
    for (int spell = 0; spell < 4; spell++) {
      start.train(23, 0.2);
      job.pass(14 + spell);
    }
    start.train(20, 0.2);
    job.pass(15);

    var published = job.published().stream().filter(run -> run.run().equals(FIRST)).toList();
    assertThat(published).hasSizeGreaterThan(15);
    long count = 0;
    double sum = 0;
    for (var run : published) {
      long waits = waits(run);
      double seconds = run.waits().ranks().stream().mapToDouble(it -> it.waitSeconds()).sum();
      assertThat(waits).isGreaterThanOrEqualTo(count);
      assertThat(seconds).isGreaterThanOrEqualTo(sum);
      // one of four waits is one of 200 ms
      assertThat(seconds).isBetween(0.05 * (waits - 8), 0.05 * (waits + 8));
      count = waits;
      sum = seconds;
    }
    assertThat(count).isEqualTo(2L * 2 * (4 * 23 + 20));
  }

  @Test
  void drawingGoesOnWhileTheJobDoes() {
    var start = job.start(FIRST, 100, "a@n1", "b@n2").init("NET/IB/0/GDRDMA");
    long drawn = 0;
    for (int i = 0; i < 6; i++) {
      start.train(12, 0.2);
      long waits = waits(job.run(FIRST));
      assertThat(waits).isGreaterThan(drawn);
      drawn = waits;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellsAPauseAtOnceAndAHangAfterAMinute(boolean podIsGone) {
    var start = trained();
    start.call(0);
    job.pass(1);
    if (podIsGone) {
      job.delete("llama-9abcd");
    }
    job.pass(19);
    var paused = job.found(FindingKind.HANG, FIRST).orElseThrow();
    assertThat(paused.severity()).isEqualTo(Severity.INFO);
    assertThat(paused.ranks()).containsExactly(1);
    assertThat(paused.summary()).startsWith("paused: 1 rank has waited for rank 1 for ");

    job.pass(60);
    var hangs = job.found(FindingKind.HANG, FIRST).orElseThrow();
    assertThat(hangs.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hangs.state()).isEqualTo(Finding.State.ACTIVE);
    assertThat(JobOverview.of(job.shown()).headline()).startsWith("the job hangs");

    job.delete("llama-x7k2p");
    job.delete("llama-9abcd");
    job.pass(3);
    assertThat(job.run(FIRST).state()).isEqualTo(State.ENDED);
    assertThat(job.found(FindingKind.HANG, FIRST).orElseThrow().state())
        .isEqualTo(Finding.State.CLEARED);
    assertThat(job.shown().active()).isEmpty();
  }

  @Test
  void doesNotCallACheckpointAHangThatIsAsLongAsTheOneBefore() {
    var start = trained();
    job.pass(50);
    start.train(10);
    start.call(0);
    job.pass(80);

    assertThat(job.found(FindingKind.HANG, FIRST).orElseThrow().severity())
        .isEqualTo(Severity.INFO);
  }

  @Test
  void tellsThatRanksCallDifferentOperations() {
    var start = trained();
    start.call(0).gather(1);
    job.pass(15);
    var paused = job.found(FindingKind.HANG, FIRST).orElseThrow();
    assertThat(paused.severity()).isEqualTo(Severity.INFO);
    assertThat(paused.ranks()).as("either may be wrong").isEmpty();
    assertThat(paused.summary()).startsWith("paused: ranks called different operations");
    assertThat(paused.evidence()).extracting(it -> it.text()).anyMatch(it -> it.contains("Gather"));
  }

  @Test
  void namesTheOneOfThreeThatCallsAnotherOperation() {
    var start = job.start(FIRST, 100, "a-x7k2p@n1", "a-9abcd@n2", "a-4fghi@n3");
    start.init("NET/Socket/0").train(20);
    start.call(0).call(1).gather(2);
    job.pass(80);
    var hangs = job.found(FindingKind.HANG, FIRST).orElseThrow();
    assertThat(hangs.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hangs.ranks()).containsExactly(2);
  }

  @Test
  void takesRoundsThatDisagreedLongAgoForLostLines() {
    var start = trained();
    start.call(0).gather(1);
    start.train(20);
    job.pass(70);
    assertThat(job.found(FindingKind.HANG, FIRST)).isEmpty();
  }

  @Test
  void namesTheStageThatNeverPostsItsRecv() {
    var start = pipeline();
    start.post(0, "Send", 1).post(0, "Recv", 1);
    job.pass(15);
    var paused = job.found(FindingKind.HANG, FIRST).orElseThrow();
    assertThat(paused.severity()).isEqualTo(Severity.INFO);
    assertThat(paused.ranks()).containsExactly(1);

    job.pass(60);
    assertThat(job.found(FindingKind.HANG, FIRST).orElseThrow().severity())
        .isEqualTo(Severity.CRITICAL);
  }

  @Test
  void knowsHowLongAPipelineUsuallyRests() {
    var start = pipeline();
    job.pass(50);
    start.exchange(10);
    start.post(0, "Send", 1);
    job.pass(80);

    assertThat(job.found(FindingKind.HANG, FIRST).orElseThrow().severity())
        .isEqualTo(Severity.INFO);
  }

  @Test
  void accusesNoStageWhereEachWaitsOrNoneDoes() {
    var start = pipeline();
    job.pass(70);
    assertThat(job.found(FindingKind.HANG, FIRST)).isEmpty();

    start.post(0, "Recv", 1).post(1, "Recv", 0);
    job.pass(70);
    assertThat(job.found(FindingKind.HANG, FIRST)).isEmpty();
  }

  private LiveJob.Start pipeline() {
    return job.start(FIRST, 100, "llama-x7k2p@n1", "llama-9abcd@n2")
        .init("NET/Socket/0")
        .exchange(30);
  }

  @Test
  void isSeenThoughItsBeginningIsNot() {
    var start = job.start(FIRST, 100, "a@n1", "b@n2");
    start.train(20);

    var run = job.shown().current().orElseThrow();
    assertThat(run.state()).isEqualTo(State.RUNNING);
    assertThat(run.nodes()).containsExactly("n1", "n2");
    assertThat(run.notJudged()).extracting(it -> it.what()).contains("transport", "waits");
    assertThat(run.notJudged().getFirst().because()).startsWith("joined while running");
    assertThat(job.findings()).isEmpty();
    assertThat(JobOverview.of(job.shown()).verdict()).isEqualTo("unknown");
    assertThat(run.checklist()).noneMatch(check -> check.status() == Check.Status.FAIL);

    job.pass(70);
    assertThat(job.shown().current().orElseThrow().state()).isEqualTo(State.SILENT);
  }

  @Test
  void judgesTheWaitsOfAJobThatItJoins() {
    var start = job.start(FIRST, 100, "a@n1", "b@n2");
    for (int second = 0; second < 40; second++) {
      start.train(1);
      job.gpus(85, 85);
    }
    assertThat(job.shown().current().orElseThrow().notJudged())
        .extracting(it -> it.what())
        .contains("transport", "rank numbers")
        .doesNotContain("waits", "gpus");
    assertThat(job.findings()).isEmpty();

    start.train(60, 0.2);
    var late = job.findings().stream().filter(it -> it.kind() == FindingKind.STRAGGLER).toList();
    assertThat(late).singleElement().extracting(Finding::pods).isEqualTo(List.of("b"));
    assertThat(late.getFirst().gpus()).containsExactly("0000:1b:00.0");

    start.destroy(0).destroy(1);
    job.send();
    job.pass(40);
    assertThat(job.shown().current().orElseThrow().state()).isEqualTo(State.ENDED);
    assertThat(job.shown().active()).isEmpty();
    assertThat(job.shown().runs()).hasSize(1);
  }

  @Test
  void joinsARetryAsWell() {
    job.start(FIRST, 100, "a@n1", "b@n2").train(40);
    job.pass(20);
    job.start(SECOND, 200, "c@n1", "d@n2").train(40);
    job.pass(2);

    var run = job.shown().current().orElseThrow();
    assertThat(job.shown().runs()).hasSize(2);
    assertThat(run.state()).isEqualTo(State.RUNNING);
    assertThat(run.pods()).containsExactly("c", "d");
    assertThat(run.notJudged()).extracting(it -> it.what()).doesNotContain("waits");
  }

  /// How many waits the run's histogram holds.
  private static long waits(RunSummary run) {
    return Optional.ofNullable(run.aggregates())
        .map(RunAggregates::waitHistogram)
        .map(histogram -> histogram.counts().stream().mapToLong(Long::longValue).sum())
        .orElse(0L);
  }
}
