package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringside.lab.lives.Machine.Use;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.RunSummary.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Alerts over what Prometheus had of whole lives: they begin with what is wrong, last as long, and
/// end with the run. Needs promtool, which comes with Debian's prometheus.
class AlertsOfLivesTest {
  private static final Path RULES = Path.of("../deploy/prometheus/rules/ringside.yaml");
  private static final Duration TAKEOVER = Duration.ofMinutes(2);
  private static final Duration LATER = Duration.ofMinutes(6);

  /// So long is told of the start or the end of a run that is over.
  private static final Duration TOLD = Duration.ofMinutes(12);

  /// So long other jobs are waited for that may have the same.
  private static final Duration HELD = Duration.ofMinutes(6);

  /// Agents look this often: Prometheus scrapes four times a minute, and each look costs.
  private static final Duration TICK = Duration.ofSeconds(5);

  /// So long a page about many jobs lasts when the last of them is well.
  private static final Duration KEPT = Duration.ofMinutes(16);

  private static final String SOCKETS = "NET/Socket/0";

  @TempDir private Path folder;
  private final List<String> demands = new ArrayList<>();
  private Cluster cluster;

  @BeforeEach
  void begin() throws IOException {
    cluster = new Cluster(Files.createDirectory(folder.resolve("state")), TICK);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void aHang() throws Exception {
    var attempt = attempt().init().train(60);
    silent("RingsideHang", Duration.ofMinutes(1));
    attempt.callAllBut(1).use(1, Use.RESTS);
    cluster.pass(45);
    silent("RingsideHang", Duration.ofMinutes(1));
    cluster.pass(75);
    silent("RingsideHang", Duration.ofMinutes(1));
    cluster.pass(HELD.toSeconds());
    fires("RingsideHang");
    cluster.pass(120);
    fires("RingsideHang");
    attempt.terminate();
    endsWithTheRun("RingsideHang");
    promtool();
  }

  @Test
  void aStraggler() throws Exception {
    var attempt = attempt().init().train(60).train(540, 1, 0.3);
    silent("RingsideStraggler", Duration.ofMinutes(9));
    attempt.train(180, 1, 0.3);
    fires("RingsideStraggler");
    attempt.destroy();
    endsWithTheRun("RingsideStraggler");
    promtool();
  }

  /// It would begin to fire when the run is over.
  @Test
  void aStragglerUntilTheEnd() throws Exception {
    var attempt = attempt().init().train(60).train(570, 1, 0.3);
    attempt.destroy();
    after(LATER);
    silent("RingsideStraggler", LATER.plusMinutes(10));
    silent("RingsideStragglerSevere", LATER);
    promtool();
  }

  @Test
  void socketsBetweenNodes() throws Exception {
    var attempt = attempt().init(SOCKETS).train(240);
    silent("RingsideTransport", Duration.ofMinutes(3));
    attempt.train(120);
    fires("RingsideTransport");
    attempt.destroy();
    endsWithTheRun("RingsideTransport");
    promtool();
  }

  /// What is told of a start is news for a time of its own, also when the run is over.
  @Test
  void aLateStart() throws Exception {
    var attempt = attempt();
    attempt.begin(0, "IB");
    cluster.pass(45);
    silent("RingsideLateStart", Duration.ofSeconds(30));
    cluster.pass(60);
    attempt.init().train(30);
    fires("RingsideLateStart");
    attempt.destroy();
    after(TOLD.plus(LATER));
    silent("RingsideLateStart", Duration.ofMinutes(2));
    promtool();
  }

  @Test
  void aDeath() throws Exception {
    var attempt = attempt().init().train(60);
    silent("RingsideJobFailed", Duration.ofMinutes(1));
    attempt.kill().die(1, "RuntimeError: CUDA error: invalid argument");
    cluster.pass(60);
    fires("RingsideJobFailed");
    after(TOLD.plus(LATER));
    silent("RingsideJobFailed", Duration.ofMinutes(2));
    promtool();
  }

  @Test
  void aFallbackFromEfa() throws Exception {
    var attempt = withoutEfa(attempt()).train(240);
    silent("RingsideEfaFallback", Duration.ofMinutes(3));
    attempt.train(HELD.toSeconds());
    fires("RingsideEfaFallback");
    attempt.destroy();
    endsWithTheRun("RingsideEfaFallback");
    promtool();
  }

  private static Attempt withoutEfa(Attempt attempt) {
    for (int rank = 0; rank < attempt.ranks(); rank++) {
      attempt.nccl(rank, "NET/OFI Initializing aws-ofi-nccl 1.14.0");
      attempt.nccl(rank, "NET/OFI Failed to initialize rdma protocol");
    }
    return attempt.init(SOCKETS);
  }

  @Test
  void aStragglerThatCostsMostOfTheTime() throws Exception {
    var attempt = attempt().init().train(20);
    late(attempt, 200);
    silent("RingsideStragglerSevere", Duration.ofMinutes(3));
    late(attempt, 300);
    fires("RingsideStragglerSevere");
    attempt.destroy();
    endsWithTheRun("RingsideStragglerSevere");
    promtool();
  }

  /// Rank 1 in each second call, for most of the time of two.
  private void late(Attempt attempt, int seconds) {
    attempt.repeat(
        seconds / 2.0,
        2,
        (_, ahead) -> {
          attempt.step(1, 1.3, ahead);
          attempt.step(-1, 0, ahead + 1.5);
        });
  }

  @Test
  void waitsByTurns() throws Exception {
    var attempt = cluster.start("llama", "llama-0@n1", "llama-1@n2", "llama-2@n3").init();
    attempt.train(60);
    byTurns(attempt, 840);
    silent("RingsideBarrierWait", Duration.ofMinutes(10));
    byTurns(attempt, 240);
    fires("RingsideBarrierWait");
    attempt.destroy();
    endsWithTheRun("RingsideBarrierWait");
    promtool();
  }

  /// Each rank is late now and then, and none more than the others.
  private void byTurns(Attempt attempt, int seconds) {
    attempt.repeat(
        seconds / 2.0,
        2,
        (turn, ahead) -> {
          attempt.step(turn % 3, 1.55, ahead);
          attempt.step(-1, 0, ahead + 1.7);
        });
  }

  @Test
  void stepsThatTakeLonger() throws Exception {
    var attempt = attempt().init().trainAndTell(300, 0.5).trainAndTell(840, 1);
    silent("RingsideStepRegression", Duration.ofMinutes(15));
    attempt.trainAndTell(300, 1);
    fires("RingsideStepRegression");
    attempt.destroy();
    endsWithTheRun("RingsideStepRegression");
    promtool();
  }

  @Test
  void aPortThatSendsAgain() throws Exception {
    var attempt =
        cluster.start("llama", "llama-0@n1", "llama-1@n2", "llama-2@n3", "llama-3@n4").init();
    attempt.train(1_020);
    silent("RingsideNetworkErrors", Duration.ofMinutes(15));
    for (int minute = 0; minute < 10; minute++) {
      cluster.machine("n2").resend(900_000);
      attempt.train(60);
    }
    fires("RingsideNetworkErrors");
    attempt.destroy();
    endsWithTheRun("RingsideNetworkErrors");
    promtool();
  }

  @Test
  void anAttemptThatTakesTheSlowerWay() throws Exception {
    var first = attempt().init().train(300);
    first.destroy();
    cluster.pass(30);
    var second = cluster.start("llama", "llama-2@n1", "llama-3@n2").init(SOCKETS).train(30);
    silent("RingsideTransportRegression", Duration.ofMinutes(5));
    second.train(120);
    fires("RingsideTransportRegression");
    second.destroy();
    endsWithTheRun("RingsideTransportRegression");
    promtool();
  }

  @Test
  void aWarningOfNccl() throws Exception {
    var attempt = attempt().init().train(60);
    attempt.line(
        1,
        "llama-1:100:100 [0] misc/ibvwrap.cc:198 NCCL WARN Call to ibv_modify_qp failed with error Connection timed out");
    attempt.train(120);
    silent("RingsideNcclErrors", Duration.ofMinutes(2));
    attempt.train(300);
    fires("RingsideNcclErrors");
    attempt.destroy();
    after(TOLD.plus(TOLD).plus(LATER));
    silent("RingsideNcclErrors", Duration.ofMinutes(2));
    promtool();
  }

  /// Of a death of which nobody says more than NCCL: what a launcher says heads the finding of
  /// another alert.
  @Test
  void aStartThatNcclGivesUp() throws Exception {
    var attempt = attempt().begin();
    for (int rank = 0; rank < attempt.ranks(); rank++) {
      attempt.line(
          rank,
          "llama-%d:100:100 [0] bootstrap.cc:105 NCCL WARN Bootstrap : no socket interface found"
              .formatted(rank));
    }
    attempt.kill();
    cluster.pass(HELD.toSeconds() - 30);
    silent("RingsideNcclFailed", HELD);
    cluster.pass(120);
    fires("RingsideNcclFailed");
    attempt.evict();
    after(TOLD.plus(LATER));
    silent("RingsideNcclFailed", Duration.ofMinutes(2));
    promtool();
  }

  /// What nccl-tests measured is told for a time of its own: their runs are over at once.
  @Test
  void aSlowTest() throws Exception {
    var attempt = attempt().init().train(20);
    silent("RingsideBandwidth", Duration.ofSeconds(15));
    attempt.measure(30, 0).destroy();
    cluster.pass(60);
    fires("RingsideBandwidth");
    after(TOLD.plus(LATER));
    silent("RingsideBandwidth", Duration.ofMinutes(2));
    promtool();
  }

  @Test
  void wrongResults() throws Exception {
    var attempt = attempt().init().train(20).measure(360, 4);
    silent("RingsideGpuError", Duration.ofSeconds(15));
    attempt.destroy();
    cluster.pass(60);
    fires("RingsideGpuError");
    after(TOLD.plus(TOLD).plus(LATER));
    silent("RingsideGpuError", Duration.ofMinutes(2));
    promtool();
  }

  /// Jobs of which the third makes one page of all: it lasts until the last of them is well.
  @Test
  void aNetworkThatManyLose() throws Exception {
    var jobs = new ArrayList<Attempt>();
    for (int i = 0; i < 3; i++) {
      var job =
          cluster.start(
              "llama-" + "abc".charAt(i),
              "pod-%d@n%d".formatted(i, i),
              "pad-%d@m%d".formatted(i, i));
      jobs.add(withoutEfa(job));
      silent("RingsideSharedCause", Duration.ofMinutes(1));
      trainAll(jobs, 60);
    }
    fires("RingsideSharedCause");
    trainAll(jobs, 600);
    fires("RingsideSharedCause");
    jobs.forEach(Attempt::destroy);
    after(KEPT.plus(LATER));
    silent("RingsideSharedCause", LATER);
    silent("RingsideEfaFallback", LATER);
    promtool();
  }

  private void trainAll(List<Attempt> jobs, int seconds) {
    jobs.getFirst()
        .repeat(
            Attempt.CALLS_A_SECOND * seconds,
            1.0 / Attempt.CALLS_A_SECOND,
            (_, ahead) -> jobs.forEach(job -> job.step(-1, 0, ahead)));
  }

  /// A node on which two jobs are late is suspect for a day, and the runs themselves are over.
  @Test
  void aNodeThatTwoRunsBlame() throws Exception {
    for (var job : List.of("llama", "mistral")) {
      silent("RingsideNodeSuspect", Duration.ofMinutes(2));
      var attempt = cluster.start(job, job + "-0@n1", job + "-1@n2");
      attempt.init().train(60).train(120, 1, 0.3).destroy();
      cluster.pass(30);
    }
    cluster.pass(300);
    fires("RingsideNodeSuspect");
    after(LATER);
    fires("RingsideNodeSuspect");
    promtool();
  }

  /// The rank may have more to do, on whichever node it runs.
  @Test
  void aNodeWhereTheSameRankIsLateAgain() throws Exception {
    for (int i = 0; i < 2; i++) {
      attempt().init().train(60).train(120, 1, 0.3).destroy();
      cluster.pass(30);
    }
    cluster.pass(300);
    silent("RingsideNodeSuspect", Duration.ofMinutes(10));
    promtool();
  }

  @Test
  void linesThatNobodyKnows() throws Exception {
    var attempt = attempt().init();
    for (int line = 0; line < 100; line++) {
      attempt.nccl(0, "Frobnicated quux " + line);
    }
    attempt.train(1_500);
    silent("RingsideBlind", Duration.ofMinutes(24));
    attempt.train(600);
    fires("RingsideBlind");
    attempt.destroy();
    after(Duration.ofHours(1).plusSeconds(30).plus(LATER));
    silent("RingsideBlind", LATER);
    promtool();
  }

  @Test
  void ranksThatDiffer() throws Exception {
    var attempt = attempt();
    attempt.nccl(0, "NCCL_ALGO set by environment to Ring");
    attempt.nccl(1, "NCCL_ALGO set by environment to Tree");
    attempt.init().train(240);
    silent("RingsideDrift", Duration.ofMinutes(3));
    attempt.train(120);
    fires("RingsideDrift");
    attempt.destroy();
    endsWithTheRun("RingsideDrift");
    promtool();
  }

  @Test
  void aGpuThatIsThrottled() throws Exception {
    var attempt = attempt().init().train(60);
    cluster.machine("n2").throttle(0x40);
    attempt.train(500);
    silent("RingsideGpuThrottled", Duration.ofMinutes(8));
    attempt.train(240);
    fires("RingsideGpuThrottled");
    attempt.destroy();
    endsWithTheRun("RingsideGpuThrottled");
    promtool();
  }

  /// It is the machine's to be mended, also when the run is over.
  @Test
  void aGpuThatBreaks() throws Exception {
    var attempt = attempt().init().train(120);
    silent("RingsideGpuError", Duration.ofMinutes(1));
    cluster.machine("n2").breaks("GPU is lost");
    attempt.train(60);
    fires("RingsideGpuError");
    attempt.destroy();
    after(TOLD.plus(TOLD).plus(LATER));
    silent("RingsideGpuError", Duration.ofMinutes(2));
    promtool();
  }

  @Test
  void aRankOfWhichNothingComes() throws Exception {
    cluster.machine("n2").stopAgent();
    var attempt = attempt().init().train(840);
    silent("RingsideRanksMissing", Duration.ofMinutes(13));
    attempt.train(240);
    fires("RingsideRanksMissing");
    attempt.destroy();
    endsWithTheRun("RingsideRanksMissing");
    promtool();
  }

  @Test
  void aSensorThatStalls() throws Exception {
    var attempt = attempt().init().train(60);
    cluster.machine("n2").senses(GpuSensor.State.STALLED);
    attempt.train(500);
    silent("RingsideSensorStalled", Duration.ofMinutes(8));
    attempt.train(300);
    fires("RingsideSensorStalled");
    attempt.destroy();
    endsWithTheRun("RingsideSensorStalled");
    promtool();
  }

  @Test
  void linesThatAreLost() throws Exception {
    var attempt = attempt().init().train(60);
    silent("RingsideTelemetryGap", Duration.ofMinutes(1));
    attempt.lose(1).train(200);
    fires("RingsideTelemetryGap");
    attempt.destroy();
    endsWithTheRun("RingsideTelemetryGap");
    promtool();
  }

  @Test
  void agentsThatAreAllAway() throws Exception {
    var attempt = attempt().init().train(60);
    attempt.rest();
    cluster.pass(100).pass(Duration.ofMinutes(25), Series.SCRAPED);
    silent("RingsideNoLogs", Duration.ofMinutes(25));
    for (var name : List.of("n1", "n2")) {
      cluster.machine(name).stopAgent();
    }
    cluster.pass(100).is(attempt, State.LOST).pass(Duration.ofMinutes(15), Series.SCRAPED);
    silent("RingsideNoLogs", Duration.ofMinutes(15));
    cluster.pass(Duration.ofMinutes(10), Series.SCRAPED);
    fires("RingsideNoLogs");
    for (var name : List.of("n1", "n2")) {
      cluster.machine(name).startAgent(cluster.now());
    }
    attempt.train(60);
    attempt.destroy();
    after(Duration.ofMinutes(40));
    silent("RingsideNoLogs", Duration.ofMinutes(30));
    promtool();
  }

  private Attempt attempt() {
    return cluster.start("llama", "llama-0@n1", "llama-1@n2");
  }

  /// So long after the end of all runs, which is told soon.
  private void after(Duration time) {
    cluster.pass(40).pass(time.minusSeconds(40), Series.SCRAPED);
  }

  /// At this moment of the life.
  private void fires(String alert) {
    demand(
        "count(ALERTS{alertname=\"%s\",alertstate=\"firing\"})".formatted(alert), "[{value: 1}]");
  }

  /// For so long until now.
  private void silent(String alert, Duration time) {
    demand(
        "count(count_over_time(ALERTS{alertname=\"%s\",alertstate=\"firing\"}[%ds]))"
            .formatted(alert, time.toSeconds()),
        "[]");
  }

  /// The run ends now: as long as another instance may need to take its job over the alert may
  /// last, and no other one about a run begins or goes on.
  private void endsWithTheRun(String alert) {
    after(TAKEOVER.plusSeconds(30).plus(LATER));
    silent(alert, LATER);
    demand(
        "count(count_over_time(ALERTS{alertstate=\"firing\",job=\"llama\"}[%ds]))"
            .formatted(LATER.toSeconds()),
        "[]");
  }

  private void demand(String query, String samples) {
    long seconds = Duration.between(Cluster.T0, cluster.now()).minusSeconds(1).toSeconds();
    long step = Series.SCRAPED.toSeconds();
    demands.add(
        "{expr: '%s', eval_time: %ds, exp_samples: %s}"
            .formatted(query, seconds / step * step, samples));
  }

  private void promtool() throws IOException, InterruptedException {
    assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool"))),
        "promtool is not installed");
    var tests = folder.resolve("life.yaml");
    Files.writeString(
        tests,
        """
        rule_files: [%s]
        evaluation_interval: 15s
        tests:
          - interval: 15s
            input_series:
              - %s
            promql_expr_test:
              - %s
        """
            .formatted(
                RULES.toAbsolutePath().normalize(),
                String.join("\n      - ", cluster.witness().series().promtool()),
                String.join("\n      - ", demands)));
    var process =
        new ProcessBuilder("promtool", "test", "rules", tests.toString())
            .redirectErrorStream(true)
            .start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
  }
}
