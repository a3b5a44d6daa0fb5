package io.ringside.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.event.UnreachedWitness;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What agents are to ask and do not reach, on the runs of their nodes alone and for as long.
class UnreachedWitnessesTest {
  private static final String COMM = "0xaa00bdab65740a8d";
  private static final String OTHER = "0xbb00bdab65740a8d";
  private static final String KMSG = "may not read /dev/kmsg";
  private static final String SILENT = "10.0.0.7:28028 did not answer";
  private static final String NOBODY = "nobody listens at 10.0.0.7:28028";

  @TempDir private Path stateDir;
  private LiveJob job;
  private LiveJob.Start start;
  private long answers;

  @BeforeEach
  void begin() {
    job = new LiveJob(stateDir);
    start = job.start(COMM, 100, "llama-0@n0", "llama-1@n1", "llama-2@n2").init("NET/IB/0");
    job.pass(5);
  }

  @AfterEach
  void end() {
    job.close();
  }

  @Test
  void standsUnderNotJudgedUntilItAnswersAgain() {
    trains(1, "n1", UnreachedWitness.KERNEL_LOG, KMSG, false);
    assertThat(told("kernel log")).containsExactly("n1 may not read /dev/kmsg");

    reports("n1");
    goesOn(1);
    assertThat(told("kernel log")).isEmpty();
    assertThat(job.findings()).isEmpty();
  }

  @Test
  void namesOneNodeAndCountsTheOthers() {
    for (var node : List.of("n0", "n1", "n2")) {
      reports(node, unreached(UnreachedWitness.KERNEL_LOG, KMSG, false));
    }
    goesOn(1);

    assertThat(told("kernel log"))
        .containsExactly("n0 may not read /dev/kmsg; it is out of reach on 2 more nodes");
  }

  @Test
  void isNothingToRunsOfOtherNodes() {
    job.start(OTHER, 200, "mixtral-0@m0@mixtral", "mixtral-1@m1@mixtral").init("NET/IB/0");
    reports("m0", unreached(UnreachedWitness.KERNEL_LOG, KMSG, false));
    goesOn(1);

    assertThat(told("kernel log")).isEmpty();
    assertThat(told(OTHER, "kernel log")).containsExactly("m0 may not read /dev/kmsg");
  }

  @Test
  void tellsOfRasThatDoesNotAnswer() {
    trains(1, "n1", UnreachedWitness.RAS, SILENT, false);

    assertThat(told("RAS"))
        .containsExactly("10.0.0.7:28028 did not answer (node n1, 4 of 4 asked)");
  }

  /// Another node's agent hears of all ranks.
  @Test
  void saysNothingWhereRasAnswersElsewhere() {
    reports("n1", unreached(UnreachedWitness.RAS, SILENT, false));
    answer();
    goesOn(1);
    assertThat(told("RAS")).isEmpty();

    trains(2, "n1", UnreachedWitness.RAS, SILENT, false);
    assertThat(told("RAS")).hasSize(1);
  }

  /// RAS comes up with the first communicator: before that nobody listens.
  @Test
  void notesARasThatIsNotThereOnceTheJobRuns() {
    trains(1, "n1", UnreachedWitness.RAS, NOBODY, true);
    assertThat(told("RAS")).isEmpty();

    trains(2, "n1", UnreachedWitness.RAS, NOBODY, true);
    assertThat(told("RAS"))
        .containsExactly(
            "nobody listens at 10.0.0.7:28028 (node n1, 4 of 4 asked): NCCL has RAS from 2.24 on, and not with NCCL_RAS_ENABLE=0");
  }

  /// It goes with the job's processes.
  @Test
  void saysNothingOfARasThatIsGoneAfterTheLastLine() {
    goesOn(4);
    var gone = job.now().plusSeconds(20);
    job.pass(60);
    for (int minute = 0; minute < 3; minute++) {
      reports("n1", new UnreachedWitness(UnreachedWitness.RAS, NOBODY, true, 4, gone, job.now()));
      job.pass(60);
    }

    assertThat(told("RAS")).isEmpty();
  }

  /// What was out of reach while it ran stays said, and what comes behind it does not.
  @Test
  void keepsWhatWasSoAsARunEnded() {
    trains(3, "n1", UnreachedWitness.KERNEL_LOG, KMSG, false);
    for (int rank = 0; rank < 3; rank++) {
      start.destroy(rank);
    }
    job.pass(30);
    reports("n1");
    reports(
        "n2",
        new UnreachedWitness(
            UnreachedWitness.COUNTERS,
            "cannot read /proc/net/snmp",
            false,
            4,
            job.now(),
            job.now()));
    job.pass(60);

    assertThat(told("kernel log")).containsExactly("n1 may not read /dev/kmsg");
    assertThat(told("error counters")).isEmpty();
  }

  /// Machines without NVLink have nothing to tell of it.
  @Test
  void missesLinksWhereTheNodeHasSome() {
    var why = "cannot ask nvidia-smi nvlink: nvidia-smi exited with 1: no output";
    topology("n1", "PHB");
    trains(1, "n1", UnreachedWitness.NVLINK, why, false);
    assertThat(told("NVLink")).isEmpty();

    topology("n1", "NV18");
    trains(1, "n1", UnreachedWitness.NVLINK, why, false);
    assertThat(told("NVLink")).containsExactly("n1 " + why);
  }

  @Test
  void missesFilesWhoseFolderTheAgentCannotSee() {
    trains(
        1,
        "n1",
        UnreachedWitness.FLIGHT_RECORDER,
        "may not list /var/log/flight-recorder/a",
        false);
    trains(1, "n2", UnreachedWitness.INSPECTOR, "has no folder /var/log/nccl-inspector", true);

    assertThat(told("flight recorder"))
        .containsExactly("n1 may not list /var/log/flight-recorder/a");
    assertThat(told("NCCL Inspector")).containsExactly("n2 has no folder /var/log/nccl-inspector");
  }

  private void trains(int minutes, String node, String witness, String why, boolean absent) {
    for (int minute = 0; minute < minutes; minute++) {
      reports(node, unreached(witness, why, absent));
      goesOn(1);
    }
  }

  /// Ranks that make a call every ten seconds.
  private void goesOn(int minutes) {
    for (int i = 0; i < 6 * minutes; i++) {
      for (int rank = 0; rank < 3; rank++) {
        start.line(rank, "a line that says nothing");
      }
      job.pass(10);
    }
  }

  /// Since before the job.
  private UnreachedWitness unreached(String witness, String why, boolean absent) {
    return new UnreachedWitness(witness, why, absent, 4, LiveJob.T0.minusSeconds(180), job.now());
  }

  private void reports(String node, UnreachedWitness... unreached) {
    job.report(
        new NodeReport(
            "",
            node,
            job.now(),
            60,
            new NodeReport.Agent("", Instant.EPOCH, List.of(), List.of()),
            new GpuSensor(GpuSensor.State.OFF, null, 1, 0, 0, ""),
            new NodeReport.Logs(1, 0, 0, 0, 0),
            List.of(),
            List.of(),
            List.of(unreached)));
  }

  private void topology(String node, String link) {
    job.topology(
        new NodeTopology(
            "",
            node,
            job.now(),
            "",
            "",
            List.of(),
            List.of(List.of("X", link), List.of(link, "X"))));
  }

  private void answer() {
    var said =
        "### %d.000 json 0.002s\n{\"nccl_version\": \"2.28.9\", \"communicators_count\": 1, \"communicators\": [{\"hash\": \"%s\", \"size\": 3, \"ranks\": [{\"rank\": 0, \"host\": \"192.0.2.1\", \"pid\": 100, \"collective_counts\": {\"AllReduce\": 7}}], \"missing_ranks\": []}]}"
            .formatted(job.now().getEpochSecond(), COMM);
    job.tell(
        new LogChunk(
            LogSource.ofNode("", "n0", "ras 10.0.0.6:28028"),
            0,
            answers,
            answers,
            ++answers,
            job.now(),
            true,
            false,
            Text.of(PackedWitness.line(PackedWitness.RAS, said.getBytes(UTF_8)).orElseThrow()),
            new int[] {0},
            0,
            new long[0],
            new int[0]));
  }

  private List<String> told(String what) {
    return told(COMM, what);
  }

  private List<String> told(String comm, String what) {
    return job.run(comm).notJudged().stream()
        .filter(missing -> missing.what().equals(what))
        .map(NotJudged::because)
        .toList();
  }
}
