package io.ringside.streams.publish.http;

import static io.ringside.schemas.event.Finding.State.ACTIVE;
import static io.ringside.schemas.event.Finding.State.CLEARED;
import static io.ringside.schemas.event.FindingKind.EFA_FALLBACK;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.RunSummary.State.ENDED;
import static io.ringside.schemas.event.RunSummary.State.RUNNING;
import static io.ringside.schemas.event.Severity.CRITICAL;
import static io.ringside.schemas.event.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.observe.AppMetrics;
import io.ringside.streams.observe.JobMetrics;
import io.ringside.streams.publish.FixedViews;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.Samples;
import io.ringside.streams.publish.ViewsUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class WebServerTest {
  private static final FixedViews VIEWS =
      new FixedViews(
          List.of(
              Samples.run("llama", "0xaa", 1, ENDED),
              Samples.run("llama", "0xbb", 2, RUNNING),
              Samples.run("team/über job", "0xcc", 1, RUNNING)),
          List.of(
              Samples.finding("f1", "llama", "0xbb", EFA_FALLBACK, CRITICAL, ACTIVE),
              Samples.finding("f2", "llama", "0xbb", STRAGGLER, WARNING, CLEARED)));

  private final AtomicReference<JobViews> views = new AtomicReference<>(VIEWS);
  private final AtomicReference<String> state = new AtomicReference<>("RUNNING");
  private final HttpClient client = HttpClient.newHttpClient();
  private AppMetrics metrics;
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    JobViews current = () -> views.get().look();
    metrics =
        new AppMetrics(
            List.of(
                new JobMetrics(
                    current,
                    new MetricsConfig(10, 10, 2, 32, Duration.ofHours(1)),
                    InstantSource.fixed(Samples.T0))));
    server =
        WebServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            List.of(
                new ProbeEndpoint(
                    () -> !state.get().equals("ERROR"),
                    () -> state.get().equals("RUNNING"),
                    state::get),
                new MetricsEndpoint(metrics.registry()),
                new ApiEndpoint(current),
                new PageEndpoint("")));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    metrics.close();
  }

  @Test
  void listsJobsWithTheirVerdict() throws Exception {
    var jobs = json("/api/jobs").get("jobs");

    assertThat(jobs).hasSize(2);
    assertThat(jobs.get(0).get("job").asString()).isEqualTo("llama");
    assertThat(jobs.get(0).get("verdict").asString()).isEqualTo("critical");
    assertThat(jobs.get(0).get("run").asString()).isEqualTo("0xbb");
    assertThat(jobs.get(0).get("findings").get("cleared").asInt()).isEqualTo(1);
    assertThat(jobs.get(1).get("verdict").asString()).isEqualTo("ok");
  }

  @Test
  void showsOneJobWithRunsNewestFirstAndItsFindings() throws Exception {
    var job = json("/api/jobs/llama");

    assertThat(job.get("overview").get("attempt").asInt()).isEqualTo(2);
    assertThat(job.get("runs").findValuesAsString("run")).containsExactly("0xbb", "0xaa");
    assertThat(job.get("findings").get(0).get("evidence").get(0).get("text").asString())
        .contains("<script>alert('x')</script> & \"quoted\"");
  }

  @Test
  void findsAJobByAnyNameAUserMayHaveGivenIt() throws Exception {
    assertThat(json("/api/jobs/team%2F%C3%BCber%20job/runs").get("runs")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 2",
    "?state=active, 1",
    "?state=cleared&severity=warning, 1",
    "?kind=efa-fallback, 1",
    "?kind=hang, 0",
    "?job=llama&cluster=east, 2",
    "?job=nobody, 0",
  })
  void narrowsFindings(String query, int expected) throws Exception {
    var found = json("/api/findings" + query);

    assertThat(found.get("findings")).hasSize(expected);
    assertThat(found.get("total").asInt()).isEqualTo(expected);
  }

  @Test
  void sendsNoMoreFindingsThanAskedForAndSaysHowManyThereAre() throws Exception {
    var found = json("/api/findings?limit=1");

    assertThat(found.get("findings")).hasSize(1);
    assertThat(found.get("total").asInt()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"/api/findings, findings", "/api/jobs, jobs"})
  void turnsPagesWithoutLosingOrRepeatingAnything(String path, String list) throws Exception {
    var whole = json(path);
    var first = json(path + "?limit=1");
    var second = json(path + "?limit=1&cursor=" + first.get("next").asString());

    assertThat(whole.get("next").isNull()).isTrue();
    assertThat(List.of(first.get(list).get(0), second.get(list).get(0)))
        .containsExactly(whole.get(list).get(0), whole.get(list).get(1));
    assertThat(second.get("next").isNull()).isTrue();
    assertThat(second.get("total").asInt()).isEqualTo(2);
    assertThat(whole.get("missing")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/findings?severity=bad      | 400 | only info, warning, critical",
        "/api/findings?kind=EFA_FALLBACK | 400 | efa-fallback",
        "/api/findings?state=            | 400 | only active, cleared",
        "/api/findings?limit=0           | 400 | limit must be 1 to 10000",
        "/api/findings?cursor=zzz        | 400 | cursor must be the 'next' of an earlier answer",
        "/api/jobs?limit=many            | 400 | limit must be 1 to 10000",
        "/api/findings?colour=red        | 400 | unknown parameter 'colour'",
        "/api/findings?job=a&job=b       | 400 | given twice",
        "/api/findings?job               | 400 | has no value",
        "/api/jobs?x=1                   | 400 | unknown parameter 'x'",
        "/api/jobs/nobody                | 404 | no job is called 'nobody'",
        "/api/jobs/llama/walks           | 404 | known: /api/v1/jobs",
        "/api/nothing                    | 404 | known: /api/v1/jobs",
        "/etc/passwd                     | 404 | nothing is here",
        "/..%2f..%2fetc%2fpasswd         | 404 | nothing is here",
      })
  void saysWhyItRefuses(String path, int status, String reason) throws Exception {
    var response = get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(EventJson.MAPPER.readTree(response.body()).get("error").asString()).contains(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
  void allowsReadingOnly(String method) throws Exception {
    var response = send(request("/api/jobs").method(method, BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD");
  }

  @Test
  void refusesABody() throws Exception {
    var response = send(request("/api/jobs").method("GET", BodyPublishers.ofString("{}")));

    assertThat(response.statusCode()).isEqualTo(413);
  }

  @Test
  void refusesAnEndlessAddress() throws Exception {
    assertThat(get("/api/jobs/" + "x".repeat(3_000)).statusCode()).isEqualTo(414);
  }

  @Test
  void answersHeadLikeGetWithoutTheBody() throws Exception {
    var head = send(request("/api/jobs").HEAD());

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValueAsLong("Content-Length"))
        .hasValue(get("/api/jobs").body().getBytes(StandardCharsets.UTF_8).length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/app.js", "/api/jobs", "/metrics", "/nothing"})
  void sendsSecurityHeadersWithEverything(String path) throws Exception {
    var headers = get(path).headers();

    assertThat(headers.firstValue("Content-Security-Policy"))
        .hasValueSatisfying(
            policy -> assertThat(policy).startsWith("default-src 'none'").doesNotContain("unsafe"));
    assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(headers.firstValue("X-Frame-Options")).hasValue("DENY");
  }

  @Test
  void compressesForWhoAsks() throws Exception {
    var response =
        client.send(
            request("/api/jobs/llama").header("Accept-Encoding", "gzip").build(),
            BodyHandlers.ofByteArray());

    assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(get("/api/jobs/llama").body());
    }
  }

  @Test
  void letsABrowserKeepThePageUntilItChanges() throws Exception {
    var first = get("/app.js");
    var tag = first.headers().firstValue("ETag").orElseThrow();

    var second = send(request("/app.js").header("If-None-Match", tag));

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(second.statusCode()).isEqualTo(304);
    assertThat(second.body()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "CREATED,200,503",
    "REBALANCING,200,503",
    "RUNNING,200,200",
    "ERROR,503,503",
  })
  void isReadyOnlyWhileTheStreamRuns(String now, int healthz, int readyz) throws Exception {
    state.set(now);

    assertThat(get("/healthz").statusCode()).isEqualTo(healthz);
    assertThat(get("/readyz").statusCode()).isEqualTo(readyz);
    assertThat(get("/readyz").body()).isEqualTo(now + "\n");
  }

  @Test
  void saysThatTheResultsAreMovingInsteadOfShowingNone() throws Exception {
    views.set(
        () -> {
          throw new ViewsUnavailable("moving between instances", new IllegalStateException());
        });

    var response = get("/api/jobs");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body()).contains("moving between instances");
    assertThat(get("/metrics").body()).contains("ringside_views_available 0.0");
  }

  @Test
  void exportsMetricsInBothTextFormats() throws Exception {
    var plain = get("/metrics");
    var open = send(request("/metrics").header("Accept", "application/openmetrics-text"));

    assertThat(plain.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(plain.body())
        .contains(
            "ringside_findings_active{cluster=\"east\",job=\"llama\",kind=\"efa-fallback\",namespace=\"training\","
                + "severity=\"critical\"} 1.0")
        .contains("jvm_memory_used_bytes");
    assertThat(open.body()).endsWith("# EOF\n");
  }

  @Test
  void survivesAClientThatTalksNonsense() throws Exception {
    try (var socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.getOutputStream().write("\0\1\2 / nonsense\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      socket.getInputStream().readAllBytes();
    }

    assertThat(get("/api/jobs").statusCode()).isEqualTo(200);
  }

  private JsonNode json(String path) throws Exception {
    var response = get(path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    return EventJson.MAPPER.readTree(response.body());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path.strip()));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + server.address().getPort() + path));
  }
}
