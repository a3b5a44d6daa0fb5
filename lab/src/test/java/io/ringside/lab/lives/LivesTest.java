package io.ringside.lab.lives;

import static io.ringside.schemas.event.FindingKind.HANG;
import static io.ringside.schemas.event.FindingKind.JOB_FAILED;
import static io.ringside.schemas.event.FindingKind.SOCKET_TRANSPORT;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.RunSummary.State.ENDED;
import static io.ringside.schemas.event.RunSummary.State.FAILED;
import static io.ringside.schemas.event.RunSummary.State.LOST;
import static io.ringside.schemas.event.RunSummary.State.PAUSED;
import static io.ringside.schemas.event.RunSummary.State.RUNNING;
import static io.ringside.schemas.event.RunSummary.State.SILENT;
import static io.ringside.schemas.event.RunSummary.State.STARTING;
import static io.ringside.schemas.event.RunSummary.State.STOPPED;
import static io.ringside.schemas.event.RunSummary.State.SUPERSEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.JobOverview;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a job's life looks like from outside, at its seconds. What must hold at all of them is
/// looked at by {@link Witness} in each.
class LivesTest {
  private static final String SOCKETS = "NET/Socket/0";
  private static final String OOM =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.";

  @TempDir private Path stateDir;
  private Cluster cluster;

  @BeforeEach
  void begin() {
    cluster = new Cluster(stateDir);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private Attempt attempt() {
    return cluster.start("llama", "llama-x7k2p@n1", "llama-9abcd@n2");
  }

  /// With a finding that stays open as long as the run does.
  private Attempt trained() {
    var attempt = attempt().init(SOCKETS).train(20);
    cluster.is(attempt, RUNNING);
    assertThat(cluster.open(attempt)).contains(SOCKET_TRANSPORT);
    return attempt;
  }

  private Attempt healthy() {
    cluster.witness().well("llama");
    return attempt().init().train(20);
  }

  private void assertQuiet(Attempt attempt) {
    assertThat(cluster.open(attempt)).isEmpty();
  }

  @Test
  void healthyFromStartToEnd() {
    cluster.witness().well("llama");
    var attempt = attempt().init();
    cluster.pass(2).is(attempt, RUNNING);
    attempt.train(60);
    cluster.is(attempt, RUNNING);
    attempt.destroy();
    cluster.pass(3).stays(attempt, ENDED, 120);
    assertThat(cluster.overview("llama").verdict()).isIn("ok", "info", "unknown");
  }

  @Test
  void startsSlowly() {
    cluster.witness().well("llama");
    var attempt = attempt();
    attempt.init(0, "NET/IB/0/GDRDMA");
    cluster.pass(3);
    attempt.init(1, "NET/IB/0/GDRDMA").train(20);
    cluster.is(attempt, RUNNING);
  }

  @Test
  void isStartingUntilItsFirstCommunicatorIsUp() {
    var attempt = attempt();
    for (int rank = 0; rank < 2; rank++) {
      attempt.nccl(rank, "NCCL version 2.28.9+cuda13.0");
    }
    cluster.pass(3);
    assertThat(cluster.job("llama").orElseThrow().state()).contains(STARTING);

    attempt.begin();
    cluster.pass(3).is(attempt, STARTING);
    assertThat(cluster.run(attempt).checklist())
        .noneMatch(check -> check.status() == Check.Status.FAIL);
  }

  @Test
  void endsByItself() {
    var attempt = trained();
    attempt.destroy(0);
    cluster.pass(2).is(attempt, RUNNING);
    attempt.destroy(1);
    cluster.pass(3).stays(attempt, ENDED, 60);
    assertQuiet(attempt);
    cluster.pass(600).is(attempt, ENDED);
    assertQuiet(attempt);
  }

  @Test
  void endsByItsLaunchersWord() {
    var attempt = trained();
    attempt.line(
        0, "Training completed. Do not forget to share your model on huggingface.co/models =)");
    attempt.over(ENDED);
    cluster.pass(3).stays(attempt, ENDED, 30);
    assertQuiet(attempt);
  }

  @Test
  void isAskedToEnd() {
    var attempt = trained();
    attempt.terminate();
    cluster.pass(5).stays(attempt, STOPPED, 90);
    assertQuiet(attempt);
    assertThat(cluster.found(attempt, JOB_FAILED).orElseThrow().severity())
        .isEqualTo(Severity.INFO);
  }

  @Test
  void diesOfAnException() {
    var attempt = trained();
    attempt.die(1, OOM).kill(0);
    cluster.pass(5).stays(attempt, FAILED, 90);
    assertQuiet(attempt);
    assertThat(cluster.overview("llama").verdict()).isEqualTo("critical");
    assertThat(cluster.overview("llama").headline()).contains("OutOfMemory");
  }

  @Test
  void diesOfAnExceptionOfWhichNobodySaysMore() {
    var attempt = trained();
    attempt.traceback(1, "KeyError: 'labels'").kill(0);
    cluster.pass(15).stays(attempt, FAILED, 120);
    assertThat(cluster.found(attempt, JOB_FAILED)).isPresent();
    assertQuiet(attempt);
  }

  @Test
  void catchesAnExceptionAndGoesOn() {
    cluster.witness().well("llama");
    var attempt = attempt().init().train(20);
    attempt.traceback(1, "KeyError: 'labels'").rest();
    cluster.pass(2);
    attempt.train(30);
    cluster.is(attempt, RUNNING);
  }

  @Test
  void isKilledAndNobodySaysSo() {
    var attempt = trained();
    attempt.kill();
    cluster.pass(15).is(attempt, PAUSED);
    cluster.pass(50).stays(attempt, SILENT, 60);
    assertThat(cluster.open(attempt)).doesNotContain(HANG);
  }

  @Test
  void isKilledInTheMiddleOfACall() {
    var attempt = trained();
    attempt.call(0);
    cluster.pass(0.5);
    attempt.kill();
    cluster.pass(120).is(attempt, SILENT);
    // its GPUs are free: nobody waits in a kernel
    assertThat(cluster.open(attempt)).doesNotContain(HANG);
  }

  @Test
  void isEvicted() {
    var attempt = trained();
    attempt.evict();
    cluster.pass(3).stays(attempt, ENDED, 30);
    assertQuiet(attempt);
  }

  /// Its last lines nobody has read.
  @Test
  void isEvictedWhileItsAgentsRestart() {
    var attempt = trained();
    machinesWithoutAgents();
    attempt.train(5).evict();
    cluster.pass(3);
    agentsStart();
    cluster.pass(5).stays(attempt, ENDED, 120);
    assertQuiet(attempt);
  }

  @Test
  void losesOnePodAndHangs() {
    var attempt = trained();
    attempt.call(0);
    cluster.pass(1);
    attempt.evict(1);
    cluster.pass(19);
    var paused = cluster.found(attempt, HANG).orElseThrow();
    assertThat(paused.severity()).isEqualTo(Severity.INFO);
    assertThat(paused.ranks()).containsExactly(1);
    cluster.pass(60);
    assertThat(cluster.found(attempt, HANG).orElseThrow().severity()).isEqualTo(Severity.CRITICAL);
    attempt.evict(0);
    cluster.pass(3).is(attempt, ENDED);
    assertQuiet(attempt);
  }

  @Test
  void hangs() {
    var attempt = trained();
    attempt.callAllBut(1).use(1, Machine.Use.RESTS);
    cluster.pass(20);
    var paused = cluster.found(attempt, HANG).orElseThrow();
    assertThat(paused.severity()).isEqualTo(Severity.INFO);
    assertThat(paused.ranks()).containsExactly(1);
    cluster.pass(60).is(attempt, SILENT);
    assertThat(cluster.found(attempt, HANG).orElseThrow().severity()).isEqualTo(Severity.CRITICAL);
    attempt.terminate();
    cluster.pass(5).is(attempt, STOPPED);
    assertQuiet(attempt);
  }

  @Test
  void aHangThatAWatchdogToldCostsMoreUntilItEnds() {
    var attempt = trained();
    attempt.callAllBut(1).use(1, Machine.Use.RESTS);
    cluster.pass(30);
    attempt.line(
        0,
        "[rank0]:[E1121 12:00:51.000000 ProcessGroupNCCL.cpp:689] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=30000) ran for 30044 milliseconds before timing out.");
    cluster.pass(3);
    assertThat(cluster.found(attempt, HANG).orElseThrow().severity()).isEqualTo(Severity.CRITICAL);
    double before = gpuSeconds(attempt);
    double billed = billed(attempt);
    cluster.pass(300);
    double later = gpuSeconds(attempt);
    assertThat(later).isGreaterThan(before + 500);
    assertThat(billed(attempt)).isGreaterThan(billed + 500);
    attempt.terminate();
    cluster.pass(5).is(attempt, STOPPED);
    assertQuiet(attempt);
    assertThat(gpuSeconds(attempt)).isBetween(later, later + 30);
    cluster.pass(300);
    assertThat(gpuSeconds(attempt)).isBetween(later, later + 30);
  }

  private double gpuSeconds(Attempt attempt) {
    var known = cluster.found(attempt, HANG).orElseThrow().cost().gpuSeconds();
    return known == null ? 0 : known;
  }

  private double billed(Attempt attempt) {
    var bill = Objects.requireNonNull(cluster.run(attempt).bill());
    return bill.items().getFirst().gpuSeconds();
  }

  @Test
  void hangsAndComesBack() {
    var attempt = trained();
    attempt.callAllBut(1).use(1, Machine.Use.RESTS);
    cluster.pass(90);
    assertThat(cluster.open(attempt)).contains(HANG);
    attempt.call(1);
    cluster.pass(0.5);
    // the call that the others waited in is made
    attempt.skip().train(40);
    cluster.is(attempt, RUNNING);
    assertThat(cluster.open(attempt)).doesNotContain(HANG);
  }

  @Test
  void checkpointsAreNoHangs() {
    var attempt = healthy();
    for (int i = 0; i < 3; i++) {
      attempt.rest();
      cluster.pass(45);
      attempt.train(20);
    }
    cluster.is(attempt, RUNNING);
  }

  @Test
  void pausesAndFallsSilent() {
    var attempt = healthy();
    attempt.rest();
    cluster.pass(15).is(attempt, PAUSED);
    cluster.pass(50).is(attempt, SILENT);
    assertThat(cluster.job("llama").orElseThrow().running()).isFalse();
    cluster.stays(attempt, SILENT, 120);
    attempt.train(10);
    cluster.is(attempt, RUNNING);
  }

  @Test
  void itsNodesAreLost() {
    var attempt = trained();
    cluster.machine("n1").lose();
    cluster.machine("n2").lose();
    cluster.pass(15).is(attempt, PAUSED);
    cluster.pass(65).stays(attempt, LOST, 120);
    assertQuiet(attempt);
    assertThat(cluster.job("llama").orElseThrow().goesOn()).isFalse();
    cluster.pass(300).is(attempt, LOST);
  }

  @Test
  void itsAgentsAreAwayForAWhile() {
    var attempt = trained();
    for (var name : new String[] {"n1", "n2"}) {
      cluster.machine(name).stopAgent();
    }
    attempt.train(100);
    cluster.is(attempt, LOST);
    for (var name : new String[] {"n1", "n2"}) {
      cluster.machine(name).startAgent(cluster.now());
    }
    attempt.train(20);
    cluster.is(attempt, RUNNING);
    assertThat(cluster.open(attempt)).contains(SOCKET_TRANSPORT);
  }

  @Test
  void oneNodeIsLost() {
    var attempt = trained();
    attempt.call(0);
    cluster.machine("n2").lose();
    cluster.pass(80).is(attempt, SILENT);
    var hang = cluster.found(attempt, HANG).orElseThrow();
    assertThat(hang.ranks()).containsExactly(1);
    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
  }

  @Test
  void agentsThatLiveOnMakeASilentJobNoLostOne() {
    var attempt = trained();
    attempt.rest();
    cluster.pass(70).stays(attempt, SILENT, 120);
    assertThat(cluster.open(attempt)).contains(SOCKET_TRANSPORT);
  }

  @Test
  void aClockThatIsBehindLosesNobody() {
    for (var name : new String[] {"n1", "n2"}) {
      cluster.machine(name).setClock(Duration.ofMinutes(-10));
    }
    var attempt = trained();
    attempt.rest();
    cluster.pass(80).stays(attempt, SILENT, 120);
  }

  @Test
  void aClockThatIsAheadLetsNobodyTrain() {
    for (var name : new String[] {"n1", "n2"}) {
      cluster.machine(name).setClock(Duration.ofMinutes(10));
    }
    var attempt = trained();
    attempt.rest();
    cluster.pass(15).is(attempt, PAUSED);
    cluster.pass(60).stays(attempt, SILENT, 60);
  }

  @Test
  void aClockThatIsSetBackStopsNobody() {
    cluster.machine("n2").setClock(Duration.ofMinutes(5));
    var attempt = attempt().init(SOCKETS).train(20);
    cluster.machine("n2").setClock(Duration.ZERO);
    for (int i = 0; i < 20; i++) {
      attempt.train(1);
      cluster.is(attempt, RUNNING);
    }
  }

  @Test
  void clocksThatDifferByFiftyMillisecondsAccuseNobody() {
    cluster.machine("n2").setClock(Duration.ofMillis(50));
    healthy().train(120);
  }

  @Test
  void logsAreRotated() {
    var attempt = healthy();
    attempt.rotate().train(20);
    attempt.rotate().train(20);
    cluster.is(attempt, RUNNING);
    attempt.destroy();
    cluster.pass(3).stays(attempt, ENDED, 30);
  }

  /// By logrotate's `copytruncate`, whose copies lie in the same folders and match the globs: one
  /// that is made while lines are unread, one before them, and one while no agent is there.
  @Test
  void logsAreCopiedAndTruncated() throws IOException {
    var logs = List.of(cluster.tail("n1", "llama"), cluster.tail("n2", "llama"));
    var attempt = healthy();
    logs.forEach(TailedLogs::copyTruncate);
    attempt.train(20);
    cluster.is(attempt, RUNNING);
    logs.forEach(TailedLogs::copyTruncate);
    attempt.train(20);
    logs.forEach(TailedLogs::stopAgent);
    attempt.train(2);
    logs.forEach(TailedLogs::copyTruncate);
    attempt.train(2);
    logs.forEach(TailedLogs::startAgent);
    attempt.train(20);
    cluster.is(attempt, RUNNING);
    attempt.destroy();
    cluster.pass(3).stays(attempt, ENDED, 10);

    assertThat(logs)
        .extracting(TailedLogs::truncations)
        .containsOnly(2L); // of the third only what it left is seen
    assertThat(logs).allSatisfy(log -> assertThat(log.sent()).isEqualTo(log.printed()));
    var run = cluster.run(attempt);
    long printed = logs.stream().mapToLong(TailedLogs::printed).sum();
    assertThat(Objects.requireNonNull(run.reading()).lines()).isEqualTo(printed);
    assertThat(run.notJudged()).extracting(RunSummary.NotJudged::what).doesNotContain("waits");
    assertThat(cluster.job("llama").orElseThrow().runs()).hasSize(1);
  }

  @Test
  void retriesUnderOtherNames() {
    var first = trained();
    first.kill();
    cluster.pass(20);
    var second = cluster.start("llama", "llama-qqqqq@n3", "llama-wwwww@n4").init().train(10);
    cluster.is(first, SUPERSEDED).is(second, RUNNING);
    assertQuiet(first);
    assertThat(cluster.overview("llama").headline()).doesNotContain("ocket");
    second.destroy();
    cluster.pass(3).is(first, SUPERSEDED).is(second, ENDED);
  }

  @Test
  void staysSupersededWhenItsPodsGo() {
    var first = trained();
    first.kill();
    cluster.pass(20);
    var second = attempt().init().train(20);
    cluster.is(first, SUPERSEDED).is(second, RUNNING);
    second.kill();
    cluster.pass(20);
    var third = cluster.start("llama", "llama-qqqqq@n1", "llama-wwwww@n2").init().train(10);
    second.evict();
    third.train(10);
    cluster.is(first, SUPERSEDED).is(second, SUPERSEDED).is(third, RUNNING);
    third.evict();
    cluster.pass(6).is(third, ENDED).stays(second, SUPERSEDED, 10).is(first, SUPERSEDED);
  }

  @Test
  void retriesOnTheSameMachinesAtOnce() {
    var first = trained();
    first.die(1, OOM).kill(0);
    cluster.pass(8).is(first, FAILED);
    var second = cluster.start("llama", "llama-qqqqq@n1", "llama-wwwww@n2").init().train(30);
    cluster.is(first, FAILED).is(second, RUNNING);
    assertThat(cluster.run(second).attempt()).isEqualTo(2);
    assertThat(cluster.overview("llama").verdict()).isNotEqualTo("critical");
  }

  /// A job that never set NCCL_DEBUG, as most do.
  @Test
  void retriesUnderOtherNamesWithoutAnyLineOfNccl() {
    var first = attempt();
    tellSteps(first, 0, 60);
    assertThat(cluster.overview("llama").state()).isEqualTo("running");
    first.die(0, OOM).kill();
    cluster.pass(30);
    assertThat(cluster.overview("llama"))
        .extracting(JobOverview::state, JobOverview::verdict)
        .containsExactly("failed", "critical");

    var second = cluster.start("llama", "llama-qqqqq@n3", "llama-wwwww@n4");
    tellSteps(second, 40, 100);

    var now = cluster.overview("llama");
    assertThat(now)
        .extracting(JobOverview::state, JobOverview::attempt)
        .containsExactly("running", 2);
    assertThat(now.verdict()).isNotEqualTo("critical");
    assertThat(now.headline()).doesNotContain("memory");
  }

  private void tellSteps(Attempt attempt, int from, int to) {
    for (int step = from; step < to; step++) {
      attempt.line(0, "step %d loss 2.5 step_time 1.0s".formatted(step));
      cluster.pass(1);
    }
  }

  @Test
  void isInstalledWhileItTrains() {
    machinesWithoutAgents();
    var attempt = attempt().init(SOCKETS).train(60);
    assertThat(cluster.job("llama")).isEmpty();
    agentsStart();
    attempt.train(10);
    cluster.is(attempt, RUNNING);
    assertThat(cluster.open(attempt)).contains(SOCKET_TRANSPORT);
    attempt.destroy();
    cluster.pass(3).is(attempt, ENDED);
    assertQuiet(attempt);
  }

  /// Its init lines are in files that are gone.
  @Test
  void isInstalledAfterItsFirstLinesWereRotatedAway() {
    cluster.witness().well("llama");
    machinesWithoutAgents();
    var attempt = attempt().init(SOCKETS).train(30);
    attempt.rotateAway().train(15);
    agentsStart();
    attempt.train(5);
    assertThat(cluster.overview("llama"))
        .extracting(JobOverview::state, JobOverview::verdict)
        .containsExactly("running", "unknown");
    attempt.train(20);
    cluster.is(attempt, RUNNING);
    var run = cluster.run(attempt);
    assertThat(run.run()).matches("2-ranks-joined-20261121T12003\\dZ");
    assertThat(run.pods()).containsExactlyInAnyOrder("llama-x7k2p", "llama-9abcd");
    assertThat(run.notJudged())
        .extracting(RunSummary.NotJudged::what)
        .contains("transport", "rank numbers")
        .doesNotContain("waits");
    assertThat(cluster.found(attempt)).isEmpty();

    cluster.witness().notWell("llama");
    attempt.train(60, 1, 0.2);
    var late = cluster.found(attempt, STRAGGLER).orElseThrow();
    assertThat(late.state()).isEqualTo(Finding.State.ACTIVE);
    assertThat(late.pods()).containsExactly("llama-9abcd");
    assertThat(late.ranks()).as("numbered by place").containsExactly(0);
    attempt.train(60);
    assertQuiet(attempt);

    attempt.destroy();
    cluster.pass(3).stays(attempt, ENDED, 60);
    assertQuiet(attempt);
    assertThat(cluster.job("llama").orElseThrow().runs()).hasSize(1);
  }

  @Test
  void isInstalledAfterItEnded() {
    machinesWithoutAgents();
    var attempt = attempt().init(SOCKETS).train(20);
    attempt.destroy();
    cluster.pass(600);
    agentsStart();
    cluster.pass(3).stays(attempt, ENDED, 120);
    assertQuiet(attempt);
    assertThat(cluster.found(attempt, SOCKET_TRANSPORT)).isPresent();
  }

  @Test
  void isInstalledAfterItDied() {
    machinesWithoutAgents();
    var attempt = attempt().init(SOCKETS).train(20);
    attempt.die(1, OOM).kill(0);
    cluster.pass(600);
    agentsStart();
    cluster.pass(3).stays(attempt, FAILED, 120);
    assertQuiet(attempt);
  }

  @Test
  void isInstalledLongAfterItsLinesStopped() {
    machinesWithoutAgents();
    var attempt = attempt().init(SOCKETS).train(20);
    attempt.kill();
    cluster.pass(600);
    agentsStart();
    cluster.pass(15).stays(attempt, SILENT, 120);
    assertThat(cluster.open(attempt)).doesNotContain(HANG);
  }

  @Test
  void twoJobsShareGpus() {
    cluster.witness().well("llama");
    cluster.witness().well("whisper");
    var first = attempt().init().train(30);
    var second = cluster.start("whisper", "whisper-x7k2p@n1", "whisper-9abcd@n2").init();
    for (int i = 0; i < 200; i++) {
      first.step();
      second.step();
      cluster.pass(0.5);
    }
    cluster.is(first, RUNNING).is(second, RUNNING);
    second.destroy();
    first.train(70);
    cluster.is(first, RUNNING).is(second, ENDED);
  }

  @Test
  void aStragglerEndsWithItsRun() {
    var attempt = attempt().init().train(60, 1, 0.2);
    assertThat(cluster.open(attempt)).contains(STRAGGLER);
    attempt.destroy();
    cluster.pass(3).stays(attempt, ENDED, 30);
    assertQuiet(attempt);
  }

  @Test
  void aStragglerStaysOneWhenAnInstanceStops() {
    var attempt = attempt().init().train(60, 1, 0.2);
    var before = cluster.found(attempt, STRAGGLER).orElseThrow();
    cluster.takeOver();
    for (int i = 0; i < 10; i++) {
      attempt.train(3, 1, 0.2);
      assertThat(cluster.open(attempt)).contains(STRAGGLER);
    }
    var after = cluster.found(attempt, STRAGGLER).orElseThrow();
    assertThat(after.since()).isEqualTo(before.since());
    assertThat(after.cost().gpuSeconds()).isGreaterThan(before.cost().gpuSeconds());
    attempt.destroy();
    cluster.pass(3).takeOver().stays(attempt, ENDED, 60);
    assertQuiet(attempt);
  }

  @Test
  void aHangCostsUntilSomebodyEndsIt() {
    var attempt = trained();
    attempt.callAllBut(1).use(1, Machine.Use.RESTS);
    var stood = cluster.now();
    cluster.pass(90);
    attempt.terminate();
    cluster.pass(5).is(attempt, STOPPED);
    var run = cluster.run(attempt);
    assertThat(run.until()).isEqualTo(stood.plusSeconds(90));
    assertThat(cluster.found(attempt, HANG).orElseThrow().until()).isEqualTo(run.until());
    assertThat(Objects.requireNonNull(run.bill()).items())
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.cause()).isEqualTo(HANG);
              assertThat(item.gpuSeconds()).isCloseTo(2 * 90.0, within(2.0));
            });
  }

  @Test
  void aHangStaysOneWhenAnInstanceStops() {
    var attempt = trained();
    attempt.callAllBut(1).use(1, Machine.Use.RESTS);
    cluster.pass(40).takeOver().pass(40).is(attempt, SILENT);
    var hang = cluster.found(attempt, HANG).orElseThrow();
    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hang.ranks()).containsExactly(1);
    attempt.terminate();
    cluster.pass(5).takeOver().stays(attempt, STOPPED, 60);
    assertQuiet(attempt);
  }

  @Test
  void aJobThatWasReadLateStaysSilentWhenAnInstanceStops() {
    machinesWithoutAgents();
    var attempt = attempt().init(SOCKETS).train(20);
    attempt.kill();
    cluster.pass(600);
    agentsStart();
    cluster.pass(15).is(attempt, SILENT).takeOver().stays(attempt, SILENT, 60);
  }

  @Test
  void aJobWhoseLastLinesWereReadLateIsNotLostWhenAnInstanceStops() {
    var attempt = trained();
    machinesWithoutAgents();
    attempt.train(120);
    attempt.kill();
    agentsStart();
    cluster.pass(100).is(attempt, SILENT).takeOver().stays(attempt, SILENT, 90);
  }

  @Test
  void instancesThatComeAndGoAccuseNobody() {
    var attempt = healthy();
    for (int i = 0; i < 6; i++) {
      cluster.takeOver();
      attempt.train(15);
      cluster.is(attempt, RUNNING);
      attempt.rest();
      cluster.pass(15).takeOver().pass(2).is(attempt, PAUSED);
      attempt.train(3);
    }
    attempt.destroy();
    cluster.takeOver().pass(3).stays(attempt, ENDED, 60);
  }

  @Test
  void aTestOfTheNetworkIsNoEnd() {
    var attempt = trained();
    cluster.witness().mayGoOn(attempt);
    attempt.destroy();
    cluster.pass(20);
    attempt.line(0, "loading checkpoint shards");
    cluster.pass(20);
    attempt.line(0, "loaded checkpoint shards");
    cluster.pass(3).is(attempt, RUNNING);
    assertThat(cluster.open(attempt)).contains(SOCKET_TRANSPORT);
  }

  private void machinesWithoutAgents() {
    cluster.machine("n1").stopAgent();
    cluster.machine("n2").stopAgent();
  }

  private void agentsStart() {
    cluster.machine("n1").startAgent(cluster.now());
    cluster.machine("n2").startAgent(cluster.now());
  }
}
