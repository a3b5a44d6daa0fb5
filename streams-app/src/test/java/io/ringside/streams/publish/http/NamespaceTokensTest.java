package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.ringside.platform.http.Access;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.State;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.publish.FixedViews;
import io.ringside.streams.publish.InstanceHoldings;
import io.ringside.streams.publish.Samples;
import io.ringside.streams.publish.fleet.HoldingsEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two tenants with a token each, who have a job of one name and one of their own.
@Timeout(60)
class NamespaceTokensTest {
  private static final String FLEET = "correct-horse-battery-staple";
  private static final String RED = "the-token-of-team-red";
  private static final String BLUE = "the-token-of-team-blue";
  private static final FixedViews VIEWS =
      new FixedViews(
          List.of(
              run("red", "llama", "0xaa"), run("red", "red-job", "0xab"),
              run("blue", "llama", "0xba"), run("blue", "blue-job", "0xbb")),
          List.of(finding("red", "llama", "0xaa"), finding("blue", "llama", "0xba")));

  private static final List<Endpoint> ENDPOINTS =
      List.of(
          new ProbeEndpoint(() -> true, () -> true, () -> "RUNNING"),
          new HoldingsEndpoint(() -> InstanceHoldings.NONE),
          new MetricsEndpoint(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)),
          new NodesEndpoint(List::of, Expectations::builtIn),
          new CampaignEndpoint(VIEWS, () -> Samples.T0.plusSeconds(86_400)),
          new ApiEndpoint(VIEWS),
          new PageEndpoint(""));
  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    var tokens = "# tenants\nred: " + RED + "\n\nblue:" + BLUE + "\n";
    server = WebServer.start(FREE, ENDPOINTS, access(tokens));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/jobs",
        "/jobs?cluster=east",
        "/jobs?namespace=red",
        "/jobs/llama",
        "/jobs/red-job",
        "/jobs/llama/runs",
        "/findings",
        "/findings?job=llama",
        "/campaign"
      })
  void tellsOfItsOwnNamespaceWhatThatIsAskedForTellsEverybody(String path) throws Exception {
    for (var api : List.of("/api", "/api/v1")) {
      var own = ask(api + path, RED);
      var named = path.contains("namespace=") ? path : and(path, "namespace=red");

      assertThat(own.statusCode()).isEqualTo(200);
      assertThat(own.body())
          .isEqualTo(ask(api + named, FLEET).body())
          .doesNotContain("blue", "0xba", "0xbb");
    }
  }

  @Test
  void findsNoJobOfAnother() throws Exception {
    assertThat(ask("/api/v1/jobs/blue-job", RED).statusCode()).isEqualTo(404);
    assertThat(ask("/api/v1/jobs/red-job", BLUE).statusCode()).isEqualTo(404);
    assertThat(ask("/api/v1/jobs/llama", FLEET).statusCode()).as("of two").isEqualTo(400);
    assertThat(total("/api/v1/jobs", FLEET)).isEqualTo(4);
    assertThat(total("/api/v1/jobs", BLUE)).isEqualTo(2);
    assertThat(total("/api/v1/findings", BLUE)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/jobs?namespace=blue",
        "/api/v1/jobs?namespace=",
        "/api/v1/jobs/llama?namespace=blue",
        "/api/v1/jobs/llama/runs?namespace=blue",
        "/api/v1/findings?namespace=blue",
        "/api/v1/campaign?namespace=blue",
        "/api/v1/nodes",
        "/api/nodes?suspect=true",
        "/metrics",
        "/instance/holdings"
      })
  void isRefusedWhatIsNotItsOwn(String path) throws Exception {
    var refused = ask(path, RED);

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("'red' alone").doesNotContain("llama");
    assertThat(ask(path, FLEET).statusCode()).isEqualTo(200);
  }

  @Test
  void seesThePageAndTheProbes() throws Exception {
    assertThat(ask("/", RED).statusCode()).isEqualTo(200);
    assertThat(ask("/app.js", RED).statusCode()).isEqualTo(200);
    assertThat(ask("/healthz", RED).statusCode()).isEqualTo(200);
    assertThat(ask("/", RED + "x").statusCode()).isEqualTo(401);
    assertThat(ask("/api/v1/jobs", RED.substring(1)).statusCode()).isEqualTo(401);
  }

  @Test
  void seesItsJobsOnThePage() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "no Chromium");
    // as a proxy asks that has the token
    Endpoint proxied =
        request ->
            ENDPOINTS.stream()
                .flatMap(endpoint -> endpoint.answer(request.within("red")).stream())
                .findFirst();
    try (var page = WebServer.start(FREE, List.of(proxied))) {
      var seen = browser.get().open("http://127.0.0.1:%d/".formatted(page.address().getPort()));

      assertThat(seen.dom()).contains("red-job").doesNotContain("blue-job", "cannot be shown");
    }
  }

  @Test
  void saysWhichLineCannotBeUsedAndNoToken() throws Exception {
    assertThatThrownBy(() -> access("red: " + RED + "\nblue: short\n"))
        .hasMessageContaining("http.namespaceTokens: line 2")
        .hasMessageContaining("16 printable");
    assertThatThrownBy(() -> access(RED)).hasMessageContaining("line 1");
    assertThatThrownBy(() -> access("red: " + RED + "\nblue: " + RED))
        .hasMessageContaining("line 2")
        .hasMessageNotContaining(RED);
    assertThatThrownBy(() -> access("red: " + FLEET)).hasMessageContaining("opens something else");
    assertThatThrownBy(() -> Access.OPEN.opening("tokens"))
        .hasMessageContaining("needs http.tokenFile");
    assertThatThrownBy(() -> access("").opening("/nowhere"))
        .hasMessageContaining("http.namespaceTokens: /nowhere");
    assertThat(access("").opening("").authorization()).contains("Bearer " + FLEET);
  }

  private Access access(String tokens) throws IOException {
    var fleet = Files.writeString(folder.resolve("token"), FLEET);
    var file = Files.writeString(folder.resolve("tokens"), tokens);
    return Access.of("", "", fleet.toString()).opening(file.toString());
  }

  private HttpResponse<String> ask(String path, String token) throws Exception {
    var address = "http://127.0.0.1:" + server.address().getPort() + path;
    var request =
        HttpRequest.newBuilder(URI.create(address)).header("Authorization", "Bearer " + token);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private int total(String path, String token) throws Exception {
    return EventJson.MAPPER.readTree(ask(path, token).body()).get("total").asInt();
  }

  private static String and(String path, String parameter) {
    return path + (path.contains("?") ? "&" : "?") + parameter;
  }

  private static RunSummary run(String namespace, String job, String run) {
    return Samples.run(job, run, 1, State.RUNNING).within(namespace);
  }

  private static Finding finding(String namespace, String job, String run) {
    return Samples.finding(
            namespace + run,
            job,
            run,
            FindingKind.EFA_FALLBACK,
            Severity.CRITICAL,
            Finding.State.ACTIVE)
        .with(its -> its.job = new JobKey("east", namespace, job));
  }
}
