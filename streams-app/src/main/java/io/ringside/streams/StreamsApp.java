package io.ringside.streams;

import io.ringside.platform.config.InvalidConfig;
import io.ringside.platform.http.Access;
import io.ringside.platform.http.Probes;
import io.ringside.schemas.event.Finding;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.config.StreamsAppConfig;
import io.ringside.streams.expect.ExpectationsFile;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.observe.AppMetrics;
import io.ringside.streams.observe.ExpectationsMetrics;
import io.ringside.streams.observe.InstallationMetrics;
import io.ringside.streams.observe.JobMetrics;
import io.ringside.streams.observe.JudgingFailures;
import io.ringside.streams.observe.NodeMetrics;
import io.ringside.streams.observe.StreamMetrics;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.StoreViews;
import io.ringside.streams.publish.fleet.FleetViews;
import io.ringside.streams.publish.fleet.HoldingsEndpoint;
import io.ringside.streams.publish.fleet.HttpPeers;
import io.ringside.streams.publish.fleet.StreamInstances;
import io.ringside.streams.publish.http.ApiEndpoint;
import io.ringside.streams.publish.http.CampaignEndpoint;
import io.ringside.streams.publish.http.Endpoint;
import io.ringside.streams.publish.http.MetricsEndpoint;
import io.ringside.streams.publish.http.NodesEndpoint;
import io.ringside.streams.publish.http.PageEndpoint;
import io.ringside.streams.publish.http.ProbeEndpoint;
import io.ringside.streams.publish.http.WebServer;
import io.ringside.streams.topology.RingsideTopology;
import io.ringside.streams.topology.ServicePace;
import io.ringside.streams.topology.Stores;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts and stops the service: topics, web server, stream, in this order, and the reverse when it
/// closes. Thread-safe.
///
/// ```
/// StreamsAppConfig ─► KafkaStreams(RingsideTopology) ─► StoreViews ─┬► JobMetrics ─► /metrics
///                                                                   └► /api, /
/// ```
public final class StreamsApp implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(StreamsApp.class);
  private static final Duration QUERY_PATIENCE = Duration.ofSeconds(3);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  private final KafkaStreams streams;
  private final JobViews views;
  private final AppMetrics metrics;
  private final WebServer web;
  private final @Nullable Probes probes;
  private final ExpectationsFile expectations;
  private final AbandonedTransactions abandoned;
  private final CountDownLatch stopped;
  private final AtomicBoolean closed = new AtomicBoolean();

  private StreamsApp(
      KafkaStreams streams,
      JobViews views,
      AppMetrics metrics,
      WebServer web,
      @Nullable Probes probes,
      ExpectationsFile expectations,
      AbandonedTransactions abandoned,
      CountDownLatch stopped) {
    this.streams = streams;
    this.views = views;
    this.metrics = metrics;
    this.web = web;
    this.probes = probes;
    this.expectations = expectations;
    this.abandoned = abandoned;
    this.stopped = stopped;
  }

  /// Creates missing topics, then starts everything. Returns while the stream still joins its
  /// group; {@link #awaitRunning} waits for that.
  ///
  /// @throws StartFailed if Kafka does not answer or the HTTP address is taken
  public static StreamsApp start(StreamsAppConfig config) {
    return start(config, Time.SYSTEM);
  }

  /// The same with another clock. Kafka's clients still use the system clock to time their waits
  /// for a broker.
  ///
  /// @throws StartFailed if Kafka does not answer or the HTTP address is taken
  public static StreamsApp start(StreamsAppConfig config, Time clock) {
    var kept = config.processing();
    return start(
        config,
        ServicePace.FLEET.keeping(
            kept.forgetAfter(), kept.keepResults(), kept.keepSamples(), kept.callsPerSecond()),
        UnaryOperator.identity(),
        clock);
  }

  /// The same with the caller's own intervals, for recordings and tests.
  ///
  /// @throws InvalidConfig if the file of expectations cannot be used
  public static StreamsApp start(StreamsAppConfig config, ServicePace pace) {
    return start(config, pace, UnaryOperator.identity());
  }

  /// The same for a caller that knows more about a finding than the service does.
  ///
  /// @param shown adds that knowledge to each finding that the API returns
  /// @throws InvalidConfig if the file of expectations cannot be used
  public static StreamsApp start(
      StreamsAppConfig config, ServicePace pace, UnaryOperator<Finding> shown) {
    return start(config, pace, shown, Time.SYSTEM);
  }

  private static StreamsApp start(
      StreamsAppConfig config, ServicePace pace, UnaryOperator<Finding> shown, Time clock) {
    var file = config.expectations().isEmpty() ? null : Path.of(config.expectations());
    var expectations = ExpectationsFile.watched(file, ExpectationsFile.POLL, instants(clock));
    try {
      return start(config, expectations, pace, shown, clock);
    } catch (RuntimeException e) {
      expectations.close();
      throw e;
    }
  }

  private static StreamsApp start(
      StreamsAppConfig config,
      ExpectationsFile expectations,
      ServicePace pace,
      UnaryOperator<Finding> shown,
      Time time) {
    var clock = instants(time);
    if (config.topics().create()) {
      TopicCreation.ensure(StreamsSettings.ofAdmin(config), config.topics());
    }
    int partitions = TopicCreation.partitions(StreamsSettings.ofAdmin(config));
    var properties = StreamsSettings.of(config);
    var settings = new StreamsConfig(properties);
    var judging = new JudgingFailures();
    var topology = RingsideTopology.build(settings, new Judge(expectations, judging), pace);
    var clients = new SizeGuardedClients();
    var streams = new KafkaStreams(topology, properties, clients, time);
    var failures = new ThreadFailures(clock);
    streams.setUncaughtExceptionHandler(failures);
    var stopped = new CountDownLatch(1);
    var abandoned =
        new AbandonedTransactions(
            Admin.create(StreamsSettings.ofAdmin(config)),
            config.applicationId(),
            StreamsSettings.transactionTimeout(settings));
    streams.setStateListener((now, before) -> changed(now, before, abandoned, stopped));

    var views = new StoreViews(streams, topology.describe(), QUERY_PATIENCE);
    var scraped = new StoreViews(streams, topology.describe(), Duration.ZERO);
    var metrics =
        new AppMetrics(
            List.of(
                new JobMetrics(scraped, config.metrics(), clock),
                new NodeMetrics(scraped, scraped, expectations, config.metrics(), clock),
                new ExpectationsMetrics(expectations::status),
                new InstallationMetrics(config.metrics()),
                judging,
                new StreamMetrics(streams, failures::total, clients::setAside)));
    try {
      var access = access(config.http(), config.metrics());
      var fleet =
          new FleetViews(
              views::holdings,
              new StreamInstances(
                  streams,
                  config.http().advertisedAddress(),
                  Stores.FINDINGS,
                  Stores.FINDINGS_INPUT,
                  () -> partitions),
              new HttpPeers(access),
              QUERY_PATIENCE);
      var web =
          serve(
              config,
              access,
              streams,
              List.of(
                  new HoldingsEndpoint(views::holdings),
                  new NodesEndpoint(fleet, expectations),
                  new CampaignEndpoint(fleet, clock),
                  new ApiEndpoint(fleet, shown)),
              metrics);
      @Nullable Probes probes;
      try {
        probes = probe(config.http(), streams);
      } catch (StartFailed e) {
        web.close();
        throw e;
      }
      streams.start();
      return new StreamsApp(streams, views, metrics, web, probes, expectations, abandoned, stopped);
    } catch (StartFailed e) {
      metrics.close();
      abandoned.close();
      streams.close(Duration.ZERO);
      throw e;
    }
  }

  private static InstantSource instants(Time clock) {
    return () -> Instant.ofEpochMilli(clock.milliseconds());
  }

  /// Address of the page, the API and `/metrics`, with the real port.
  public InetSocketAddress httpAddress() {
    return web.address();
  }

  /// The results of this instance.
  public JobViews views() {
    return views;
  }

  /// The stream's state as Kafka reports it.
  public KafkaStreams.State state() {
    return streams.state();
  }

  /// Waits until the stream is RUNNING.
  ///
  /// @return false if the time ran out or the stream stopped first
  public boolean awaitRunning(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (streams.state() != KafkaStreams.State.RUNNING) {
      if (System.nanoTime() >= deadline || stopped.await(20, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return true;
  }

  /// Waits until the stream has stopped, because of {@link #close} or a failure.
  public void awaitStopped() throws InterruptedException {
    stopped.await();
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    web.close();
    if (probes != null) {
      probes.close();
    }
    abandoned.close();
    // an orderly stop leaves the group, so that other instances take over at once
    if (!streams.close(
        CloseOptions.timeout(STOP_PATIENCE)
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP))) {
      LOGGER.atWarn().addKeyValue("patience", STOP_PATIENCE).log("stream did not stop in time");
    }
    metrics.close();
    expectations.close();
  }

  /// Access rules that also accept the host name used in links to the page.
  private static Access access(HttpConfig http, MetricsConfig links) {
    try {
      return Access.of(http.keystore(), http.keystorePassword(), http.tokenFile())
          .opening(http.namespaceTokens())
          .under(http.names())
          .under(links.pageName());
    } catch (IOException e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    }
  }

  private static WebServer serve(
      StreamsAppConfig config,
      Access access,
      KafkaStreams streams,
      List<Endpoint> api,
      AppMetrics metrics) {
    var address = new InetSocketAddress(config.http().host(), config.http().port());
    var probes =
        new ProbeEndpoint(
            () -> alive(streams.state()),
            () -> streams.state() == KafkaStreams.State.RUNNING,
            () -> streams.state().name());
    var endpoints = new ArrayList<Endpoint>(List.of(probes));
    endpoints.add(new MetricsEndpoint(metrics.registry()));
    endpoints.addAll(api);
    endpoints.add(new PageEndpoint(config.metrics().runbooks()));
    try {
      var web = WebServer.start(address, endpoints, access);
      LOGGER.atInfo().addKeyValue("address", web.address()).log("page, API and metrics are up");
      return web;
    } catch (IOException | RuntimeException e) {
      throw new StartFailed(
          "http.host and http.port: cannot listen at %s:%d (%s)"
              .formatted(config.http().host(), config.http().port(), e.getMessage()),
          e);
    }
  }

  /// The listener that answers only probes; null if it is switched off.
  private static @Nullable Probes probe(HttpConfig http, KafkaStreams streams) {
    if (http.probePort() < 0) {
      return null;
    }
    try {
      return Probes.open(
          new InetSocketAddress(http.host(), http.probePort()),
          () -> unless(alive(streams.state()), streams),
          () -> unless(streams.state() == KafkaStreams.State.RUNNING, streams));
    } catch (IOException | RuntimeException e) {
      throw new StartFailed(
          "http.host and http.probePort: cannot listen at %s:%d (%s)"
              .formatted(http.host(), http.probePort(), e.getMessage()),
          e);
    }
  }

  private static Optional<String> unless(boolean good, KafkaStreams streams) {
    return good ? Optional.empty() : Optional.of(streams.state().name());
  }

  private static boolean alive(KafkaStreams.State state) {
    return switch (state) {
      case CREATED, REBALANCING, RUNNING -> true;
      case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR -> false;
    };
  }

  private static void changed(
      KafkaStreams.State now,
      KafkaStreams.State before,
      AbandonedTransactions abandoned,
      CountDownLatch stopped) {
    LOGGER.atInfo().addKeyValue("state", now).addKeyValue("before", before).log("stream changed");
    if (now == KafkaStreams.State.REBALANCING) {
      abandoned.expect();
    }
    if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
      stopped.countDown();
    }
  }
}
