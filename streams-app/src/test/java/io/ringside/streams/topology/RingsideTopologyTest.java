package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.ExpectationsReader;
import io.ringside.streams.job.JobState;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenRun;
import io.ringside.streams.state.JournaledStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingsideTopologyTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");
  private static final int MOST_RUNS = ServicePace.FLEET.runs();
  private static final Path DESCRIPTION = Path.of("..", "docs", "topology.txt");

  @TempDir private Path stateDir;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;
  private TestInputTopic<String, GpuSample> gpus;
  private TestOutputTopic<String, Finding> findings;
  private TestOutputTopic<String, RunSummary> runs;

  @BeforeEach
  void start() {
    var settings = settings();
    driver = new TopologyTestDriver(topology(settings), settings);
    openTopics();
  }

  private void openTopics() {
    logs = TestTopics.input(driver, Topics.LOGS);
    gpus = TestTopics.input(driver, Topics.GPU);
    findings = TestTopics.output(driver, Topics.FINDINGS);
    runs = TestTopics.output(driver, Topics.RUNS);
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void findsTheFallbackInLinesOfOnePod() {
    pipe(Recorded.in(RECORDINGS.resolve("seed-g6e-efa-fallback")));

    assertThat(findings.readKeyValuesToMap())
        .hasEntrySatisfying(
            "||llama-3-8b|llama-3-8b:0xbc42413ad5ab3a45:efa-fallback",
            finding -> assertThat(finding.summary()).contains("fell back from EFA"));
    assertThat(runs.readKeyValuesToMap())
        .hasEntrySatisfying(
            "||llama-3-8b|0xbc42413ad5ab3a45",
            run -> assertThat(run.network()).isEqualTo("Socket"));
  }

  @Test
  void saysNothingTwice() {
    var recorded = Recorded.in(RECORDINGS.resolve("pods2gpu"));
    pipe(recorded);
    assertThat(findings.readKeyValuesToList()).hasSize(2);
    assertThat(runs.readKeyValuesToList()).hasSize(1);

    pipe(recorded); // every chunk is a repeat now
    driver.advanceWallClockTime(Duration.ofMinutes(1));

    assertThat(findings.isEmpty()).isTrue();
    assertThat(runs.readKeyValuesToList()).isEmpty();
  }

  @Test
  void findsWhileTheJobStillRuns() {
    var recorded = Recorded.in(RECORDINGS.resolve("slowcoll"));
    for (var file : recorded.logs()) {
      file.subList(0, file.size() - 2).forEach(this::pipe);
    }
    driver.advanceWallClockTime(Duration.ofSeconds(2));

    assertThat(findings.readKeyValuesToMap().values())
        .anySatisfy(
            finding -> {
              assertThat(finding.kind().label()).isEqualTo("straggler");
              assertThat(finding.ranks()).containsExactly(6);
            });
  }

  @Test
  void judgesAllJobsAnewWhenExpectationsChange() {
    driver.close();
    var expectations = new AtomicReference<>(Expectations.builtIn());
    var settings = settings();
    driver =
        new TopologyTestDriver(
            RingsideTopology.build(
                new StreamsConfig(settings),
                new Judge(expectations::get, (_, _, _) -> {}),
                ServicePace.FLEET),
            settings);
    openTopics();
    pipe(Recorded.in(RECORDINGS.resolve("slowcoll")));
    assertThat(kinds()).contains("straggler");

    expectations.set(
        ExpectationsReader.read(
            "jobs: [{match: 'llama-c', thresholds: {straggler: {episodes: 1000}}}]", "test"));
    driver.advanceWallClockTime(Duration.ofSeconds(2));

    assertThat(findings.readKeyValuesToList())
        .filteredOn(change -> change.key.contains(":straggler:"))
        .singleElement()
        .satisfies(change -> assertThat(change.value).isNull());
  }

  @Test
  void remembersWhomRunsBlameForADay() {
    var recorded = Recorded.in(RECORDINGS.resolve("slowcoll"));
    pipe(recorded);
    // the same fault in another job
    recorded.logs().forEach(file -> pipe(ofJob(file.getFirst(), "other")));
    for (var file : recorded.logs()) {
      file.subList(1, file.size()).forEach(chunk -> pipe(ofJob(chunk, "other")));
    }

    KeyValueStore<String, NodeMemory> memory = driver.getKeyValueStore(Stores.NODE_MEMORY);
    assertThat(memory.get("|local").jobs())
        .extracting(JobKey::job)
        .containsExactly("llama-c", "other");
    assertThat(memory.get("|local").suspect(2)).isTrue();

    driver.advanceWallClockTime(Duration.ofHours(23));
    assertThat(memory.get("|local").suspect(2)).isTrue();
    driver.advanceWallClockTime(Duration.ofHours(3));
    assertThat(memory.get("|local")).isNull();
  }

  private static LogChunk ofJob(LogChunk chunk, String job) {
    var of = chunk.source();
    return new LogChunk(
        new LogSource(
            of.cluster(),
            of.node(),
            of.namespace(),
            of.pod(),
            of.podUid(),
            of.container(),
            job,
            job + "/" + of.file()),
        chunk.epoch(),
        chunk.sequence(),
        chunk.firstOffset(),
        chunk.nextOffset(),
        chunk.readAt(),
        chunk.live(),
        chunk.end(),
        chunk.text(),
        chunk.offsets(),
        chunk.baseNanos(),
        chunk.nanos(),
        chunk.cut());
  }

  private List<String> kinds() {
    return findings.readValuesToList().stream().map(it -> it.kind().label()).toList();
  }

  @Test
  void comparesRunsOfAJobAsTheyComeIn() {
    pipe(WrittenRun.recorded(WrittenRun.of(1, 4, "P2P/CUMEM")));
    pipe(WrittenRun.recorded(WrittenRun.of(2, 4, "SHM/direct/direct")));

    assertThat(findings.readKeyValuesToMap())
        .containsKey("||llama|llama:0x000000000000abc2:transport-regression");
    assertThat(runs.readValuesToList())
        .extracting(RunSummary::run, RunSummary::attempt)
        .contains(tuple("0x000000000000abc1", 1), tuple("0x000000000000abc2", 2));
  }

  @Test
  void comparesWithARunOfYesterdayWhoseStateIsGone() {
    pipe(WrittenRun.recorded(WrittenRun.of(1, 4, "P2P/CUMEM")));
    driver.advanceWallClockTime(Duration.ofSeconds(5));
    driver.advanceWallClockTime(ServicePace.FLEET.forget());
    assertThat(runs.readValuesToList()).extracting(RunSummary::attempt).contains(1);

    pipe(WrittenRun.recorded(WrittenRun.of(2, 4, "SHM/direct/direct")));

    assertThat(runs.readValuesToList())
        .extracting(RunSummary::run, RunSummary::attempt)
        .containsOnly(tuple("0x000000000000abc2", 2));
    assertThat(
            findings
                .readKeyValuesToMap()
                .get("||llama|llama:0x000000000000abc2:transport-regression"))
        .isNotNull()
        .satisfies(finding -> assertThat(finding.expected()).contains("attempt 1"));
  }

  @Test
  void keepsTheNewestRunsOfAJobThatStartsOverAndOver() {
    for (int attempt = 1; attempt <= MOST_RUNS + 8; attempt++) {
      pipe(WrittenRun.recorded(WrittenRun.of(attempt, 2, "P2P/CUMEM")));
    }

    var ledger = runs.readKeyValuesToMap();
    assertThat(ledger.values().stream().filter(Objects::nonNull))
        .hasSize(MOST_RUNS)
        .extracting(RunSummary::attempt)
        .allMatch(attempt -> attempt > 8);
    var jobs = (JournaledStore<?>) driver.getStateStore(Stores.JOBS);
    assertThat(((JobState) jobs.get("||llama")).runs()).hasSizeLessThanOrEqualTo(32);
  }

  @Test
  void deletesResultsOfAJobThatNobodyRanForLong() {
    var pace = ServicePace.FLEET;
    pipe(WrittenRun.recorded(WrittenRun.of(1, 4, "SHM/direct/direct")));
    driver.advanceWallClockTime(Duration.ofSeconds(5));
    var published = findings.readKeyValuesToMap().keySet();
    assertThat(published).isNotEmpty();

    driver.advanceWallClockTime(pace.forget());
    driver.advanceWallClockTime(pace.results().minus(pace.forget()).minusSeconds(10));
    assertThat(findings.readKeyValuesToMap()).doesNotContainValue(null);

    driver.advanceWallClockTime(Duration.ofMinutes(10));
    assertThat(findings.readKeyValuesToMap()).containsOnlyKeys(published).containsValue(null);
    assertThat(runs.readKeyValuesToMap()).containsEntry("||llama|0x000000000000abc1", null);
    assertThat(driver.getKeyValueStore(Stores.FINDINGS).all()).isExhausted();
    assertThat(driver.getKeyValueStore(Stores.RUNS).all()).isExhausted();
  }

  @Test
  void deletesFindingsOfRunsThatAreNoLongerKept() {
    for (int attempt = 1; attempt <= MOST_RUNS + 3; attempt++) {
      pipe(WrittenRun.recorded(WrittenRun.of(attempt, 2, "SHM/direct/direct")));
    }

    var found = findings.readKeyValuesToMap();
    assertThat(found)
        .hasSize(MOST_RUNS + 3)
        .containsEntry("||llama|llama:0x000000000000abc1:shm-fallback", null)
        .containsEntry("||llama|llama:0x000000000000abc3:shm-fallback", null);
    assertThat(found.values().stream().filter(Objects::nonNull)).hasSize(MOST_RUNS);
  }

  @ParameterizedTest
  @CsvSource({"slowcoll, |training|llama-c", "dsslow, ||dsslow", "nccltests-shm, ||all-reduce-shm"})
  void restoresStateFromItsJson(String recording, String job) {
    var recorded = Recorded.in(RECORDINGS.resolve(recording));
    pipe(recorded);
    var state = driver.getStateStore(Stores.JOBS);
    assertThat(state).isInstanceOf(JournaledStore.class);
    @SuppressWarnings("unchecked")
    var jobs = (JournaledStore<io.ringside.streams.job.JobState>) state;
    var live = jobs.get(job);

    jobs.flushCache();
    jobs.clearCache();
    var restored = jobs.get(job);

    assertThat(restored).isNotSameAs(live);
    var judge = new Judge(Expectations.builtIn());
    var now = java.time.Instant.parse("2026-11-21T12:00:00Z");
    assertThat(judge.judge(restored, now)).isEqualTo(judge.judge(live, now));
    assertThat(judge.judge(restored, now).findings()).isNotEmpty();
  }

  @Test
  void hasTheShapeThatTheDocumentationShows() throws IOException {
    var described = topology(settings()).describe().toString();
    if ("true".equals(System.getenv("RINGSIDE_UPDATE_DOCS"))) {
      Files.writeString(DESCRIPTION, described);
    }
    assertThat(described).isEqualTo(Files.readString(DESCRIPTION));
  }

  private void pipe(Recorded recorded) {
    recorded.samples().forEach(sample -> gpus.pipeInput(sample.node(), sample));
    recorded.logs().forEach(file -> pipe(file.getFirst()));
    recorded.logs().forEach(file -> file.subList(1, file.size()).forEach(this::pipe));
  }

  private void pipe(LogChunk chunk) {
    logs.pipeInput(chunk.source().node(), chunk);
  }

  private static Topology topology(Properties settings) {
    return RingsideTopology.build(
        new StreamsConfig(settings), new Judge(Expectations.builtIn()), ServicePace.FLEET);
  }

  private Properties settings() {
    var settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            "topology-test",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            "unused:1",
            StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG,
            true,
            StreamsConfig.STATE_DIR_CONFIG,
            stateDir.toString()));
    return settings;
  }
}
