package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.observe.AppMetrics;
import io.ringside.streams.observe.JobMetrics;
import io.ringside.streams.publish.FixedViews;
import io.ringside.streams.publish.Job;
import io.ringside.streams.publish.Jobs;
import io.ringside.streams.publish.http.ApiEndpoint;
import io.ringside.streams.publish.http.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Two jobs whose names try to be one, with one commId, on the same two nodes: what is shown of one
/// holds nothing of the other, from the lines to the API and the metrics.
class NamespacesTest {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final String COMM_ID = "0x7a11";

  @TempDir private Path stateDir;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;
  private TestOutputTopic<String, Finding> findings;
  private TestOutputTopic<String, RunSummary> runs;
  private Instant now = T0;

  static Stream<Arguments> pairs() {
    return Stream.of(
        Arguments.of(new JobKey("c", "team-a", "llama"), new JobKey("c", "team-b", "llama")),
        Arguments.of(new JobKey("c", "", "llama"), new JobKey("c", "team-b", "llama")),
        Arguments.of(new JobKey("c", "a", "b|llama"), new JobKey("c", "a|b", "llama")),
        Arguments.of(new JobKey("c", "a", "llama"), new JobKey("c", "a", "llama|x")),
        Arguments.of(new JobKey("c", "a", "llama"), new JobKey("c", "a", "llama\nh")),
        Arguments.of(new JobKey("c", "a", "lla\nma"), new JobKey("c", "a", "lla\\nma")));
  }

  @BeforeEach
  void start() {
    driver = TestTopics.driver(stateDir, T0);
    logs = TestTopics.input(driver, Topics.LOGS);
    findings = TestTopics.output(driver, Topics.FINDINGS);
    runs = TestTopics.output(driver, Topics.RUNS);
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shareNothing(JobKey one, JobKey other) {
    run(one, "one", 1);
    run(other, "other", 2);
    pass(5);

    // topics
    var toldFindings = findings.readKeyValuesToList();
    var toldRuns = runs.readKeyValuesToList();
    assertThat(toldFindings).extracting(it -> JobKey.of(it.value)).contains(one, other);
    assertThat(toldFindings).allSatisfy(it -> isOf(it, JobKey.of(it.value), it.value.id()));
    assertThat(toldRuns).allSatisfy(it -> isOf(it, JobKey.of(it.value), it.value.run()));

    // stores, as page, API and metrics see them, and after a restart of the store of jobs
    restored(one, other);
    var jobs = Jobs.of(views()).all();
    assertThat(jobs).extracting(Job::key).containsExactlyInAnyOrder(one, other);
    assertThat(jobs).allSatisfy(job -> assertThat(job.runs()).hasSize(1));
    jobs.forEach(job -> tellsOnlyOf(job.key().equals(one) ? "one" : "other", job));

    // nodes
    KeyValueStore<String, NodeMemory> memory = driver.getKeyValueStore(Stores.NODE_MEMORY);
    try (var nodes = memory.all()) {
      nodes.forEachRemaining(
          node -> assertThat(List.of(one, other)).containsAll(node.value.jobs()));
    }

    // API and metrics
    answersEach(one, "one", "other");
    answersEach(other, "other", "one");
    exportsEach(one, 1);
    exportsEach(other, 2);
  }

  @Test
  void asksForTheNamespaceWhereTheNameAloneSaysNotWhich() {
    var first = new JobKey("c", "team-a", "llama");
    run(first, "one", 1);
    pass(5);
    assertThat(api("llama", Map.of("cluster", "c")).at("/overview/namespace").asString())
        .as("an address of before finds the only job of the name")
        .isEqualTo("team-a");

    run(new JobKey("c", "team-b", "llama"), "other", 1);
    pass(5);
    assertThatThrownBy(() -> api("llama", Map.of()))
        .hasMessage(
            "job 'llama' is in several namespaces, add ?namespace= with one of: team-a, team-b");

    run(new JobKey("d", "team-a", "llama"), "third", 1);
    pass(5);
    assertThatThrownBy(() -> api("llama", Map.of()))
        .hasMessageContaining("cluster=c&namespace=team-b")
        .hasMessageContaining("cluster=d&namespace=team-a");
    assertThat(api("llama", Map.of("cluster", "d")).at("/overview/cluster").asString())
        .isEqualTo("d");
  }

  @Test
  void readsWhatAnOlderVersionLeftOrSetsItAside() {
    var key = new JobKey("c", "team-a", "llama");
    run(key, "one", 1);
    pass(5);
    var told = views();
    var id = key.text() + "|" + told.findings().getFirst().id();
    var line = key.text() + "|" + told.runs().getFirst().run();
    stop();
    start();
    KeyValueStore<String, Finding> storedFindings = driver.getKeyValueStore(Stores.FINDINGS);
    KeyValueStore<String, RunSummary> storedRuns = driver.getKeyValueStore(Stores.RUNS);
    var older = told.findings().getFirst().with(its -> its.job = new JobKey("c", "", "llama"));
    storedFindings.put(id, older);
    storedFindings.put("c|a|b|llama|" + older.id(), older);
    storedRuns.put(line, told.runs().getFirst().within(""));

    pass(1);

    assertThat(views().findings()).containsExactly(told.findings().getFirst());
    assertThat(views().runs()).containsExactly(told.runs().getFirst());
    assertThat(findings.readKeyValuesToMap())
        .containsEntry(id, told.findings().getFirst())
        .containsEntry("c|a|b|llama|" + older.id(), null);
    assertThat(runs.readKeyValuesToMap()).containsEntry(line, told.runs().getFirst());
  }

  /// A start over sockets between two nodes.
  ///
  /// @param mark stands in the names of its pods and files, nowhere in the other's
  /// @param seconds how long it trains
  private void run(JobKey job, String mark, int seconds) {
    var pods = new ArrayList<WrittenLog>();
    for (int rank = 0; rank < 2; rank++) {
      var name = mark + "-" + rank;
      var pod =
          new WrittenLog(
              new LogSource(
                  job.cluster(),
                  "node-" + rank,
                  job.namespace(),
                  name,
                  "uid-" + name,
                  "c",
                  job.job(),
                  "/var/log/" + name + ".log"));
      var comm =
          "comm 0x55d0 rank %d nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId %s"
              .formatted(rank, COMM_ID);
      for (var message :
          List.of(
              "NCCL version 2.28.9+cuda13.0",
              "Using network Socket",
              "ncclCommInitRankConfig " + comm + " - Init START",
              "Channel 00/0 : %d[0] -> %d[0] [send] via NET/Socket/0".formatted(rank, 1 - rank),
              "ncclCommInitRankConfig " + comm + " - Init COMPLETE")) {
        pod.add(nanos(), line(name, message));
      }
      pods.add(pod);
    }
    send(pods);
    for (int i = 0; i < 10 * seconds; i++) {
      for (int rank = 0; rank < 2; rank++) {
        pods.get(rank)
            .add(
                nanos(),
                line(
                    mark + "-" + rank,
                    "AllReduce: opCount %x sendbuff 0x7f0 recvbuff 0x7f0 count 1048576 datatype 7 op 0 root 0 comm 0x55d0 [nranks=2] stream 0x5580"
                        .formatted(i)));
      }
      now = now.plusMillis(100);
    }
    send(pods);
  }

  private static String line(String pod, String message) {
    return "%s:100:100 [0] NCCL INFO %s".formatted(pod, message);
  }

  private void send(List<WrittenLog> pods) {
    for (var pod : pods) {
      pod.cut(false).forEach(chunk -> logs.pipeInput(chunk.source().node(), chunk, now));
    }
  }

  private void pass(int seconds) {
    now = now.plusSeconds(seconds);
    driver.advanceWallClockTime(Duration.ofSeconds(seconds));
  }

  private long nanos() {
    return Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L) + now.getNano();
  }

  private static void isOf(KeyValue<String, ?> record, JobKey job, String id) {
    assertThat(record.key).isEqualTo(job.text() + "|" + id);
  }

  /// Which jobs the store knows when it has only what it wrote.
  private void restored(JobKey one, JobKey other) {
    @SuppressWarnings("unchecked")
    var jobs =
        (io.ringside.streams.state.JournaledStore<io.ringside.streams.job.JobState>)
            driver.getStateStore(Stores.JOBS);
    jobs.flushCache();
    jobs.clearCache();
    assertThat(jobs.keys()).containsExactlyInAnyOrder(one.text(), other.text());
    assertThat(jobs.get(one.text()).key()).isEqualTo(one);
    assertThat(jobs.get(other.text()).key()).isEqualTo(other);
  }

  private FixedViews views() {
    return new FixedViews(values(Stores.RUNS), values(Stores.FINDINGS));
  }

  private <T> List<T> values(String name) {
    KeyValueStore<String, T> store = driver.getKeyValueStore(name);
    var values = new ArrayList<T>();
    try (var all = store.all()) {
      all.forEachRemaining(entry -> values.add(entry.value));
    }
    return values;
  }

  private static void tellsOnlyOf(String mark, Job job) {
    assertThat(job.runs().getFirst().pods()).containsExactly(mark + "-0", mark + "-1");
    assertThat(job.findings()).isNotEmpty();
    for (var finding : job.findings()) {
      assertThat(finding.evidence())
          .isNotEmpty()
          .allSatisfy(line -> assertThat(line.file()).contains("/" + mark + "-"));
      assertThat(finding.pods()).allMatch(pod -> pod.startsWith(mark));
    }
  }

  private void answersEach(JobKey job, String mark, String others) {
    var address = Map.of("cluster", job.cluster(), "namespace", job.namespace());
    var detail = api(job.job(), address);
    assertThat(detail.at("/overview/namespace").asString()).isEqualTo(job.namespace());
    assertThat(detail.toString()).contains(mark + "-0").doesNotContain(others + "-");
    assertThat(get(List.of("api", "jobs", job.job(), "runs"), address).toString())
        .contains(mark + "-0")
        .doesNotContain(others + "-");

    var all = get(List.of("api", "jobs"), Map.of());
    assertThat(all.at("/total").asInt()).isEqualTo(2);
    var found =
        get(
            List.of("api", "findings"),
            Map.of("namespace", job.namespace(), "cluster", job.cluster(), "job", job.job()));
    assertThat(found.at("/total").asInt()).isPositive();
    assertThat(found.toString()).contains(mark + "-0").doesNotContain(others + "-");

    // pages of one entry go through both
    var first = get(List.of("api", "jobs"), Map.of("limit", "1"));
    var second =
        get(List.of("api", "jobs"), Map.of("limit", "1", "cursor", first.at("/next").asString()));
    assertThat(first.at("/jobs/0")).isNotEqualTo(second.at("/jobs/0"));
    assertThat(second.at("/next").isNull()).isTrue();
  }

  private JsonNode api(String job, Map<String, String> query) {
    return get(List.of("api", "jobs", job), query);
  }

  private JsonNode get(List<String> path, Map<String, String> query) {
    var request = new Request(path, query, "", "");
    var response = new ApiEndpoint(views()).answer(request).orElseThrow();
    return EventJson.MAPPER.readTree(response.body());
  }

  /// Each has its own lines, and the same ones.
  private void exportsEach(JobKey job, int seconds) {
    var bounds = new MetricsConfig(500, 100, 5, 32, Duration.ofHours(1));
    try (var app = new AppMetrics(List.of(new JobMetrics(views(), bounds, () -> now)))) {
      var own =
          app.registry()
              .scrape()
              .lines()
              .filter(line -> line.contains("job=\"%s\"".formatted(label(job.job()))))
              .filter(line -> line.contains("namespace=\"%s\"".formatted(label(job.namespace()))))
              .toList();
      assertThat(own)
          .anyMatch(line -> line.startsWith("ringside_findings_active{"))
          .filteredOn(line -> line.startsWith("ringside_job_ranks_seen{"))
          .singleElement()
          .asString()
          .endsWith(" 2.0");
      assertThat(own)
          .filteredOn(line -> line.startsWith("ringside_job_lines_total{"))
          .singleElement()
          .asString()
          .endsWith(" " + (10.0 + 20 * seconds));
    }
  }

  private static String label(String name) {
    return name.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
