package io.ringside.shipper;

import io.ringside.platform.http.Access;
import io.ringside.platform.http.Probes;
import io.ringside.shipper.config.ConfigWatch;
import io.ringside.shipper.config.ReloadCounts;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.mask.Masking;
import io.ringside.shipper.observe.HealthPage;
import io.ringside.shipper.observe.ShipperMetrics;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import io.ringside.shipper.publish.ProducerSlot;
import io.ringside.shipper.publish.PublishCounts;
import io.ringside.shipper.source.Source;
import io.ringside.shipper.source.log.follow.ByteBudget;
import io.ringside.shipper.source.log.follow.Checkpoints;
import io.ringside.shipper.source.log.follow.LogTailer;
import io.ringside.shipper.source.log.follow.TailCounts;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The agent: starts its sources, publishes their events, and stops them in reverse order.
///
/// ```text
///   log files ──► LogTailer ─────┐
///   nvidia-smi ─► GpuSampler ────┼──► KafkaPublisher ──► broker
///   topo -m ────► TopologyProbe ─┤           │
///   sysfs ──────► NodeReporter ──┤           │
///   kmsg ───────► KernelLog ─────┤           │
///   RAS ────────► RasProbe ──────┤           │
///   dumps ──────► DumpFiles ─────┤           │
///   Inspector ──► LogTailer ─────┘           │
///                 checkpoints ◄── acks ──────┘
/// ```
public final class Shipper implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(Shipper.class);
  private static final Duration RELOAD = Duration.ofSeconds(5);
  private static final Duration FLUSH = Duration.ofSeconds(10);

  private final LongSupplier ticker;
  private final LineCounts lines = new LineCounts();
  private final TailCounts files = new TailCounts();
  private final PublishCounts published = new PublishCounts();
  private final ProducerSlot producer;
  private final KafkaPublisher publisher;
  private final LogTailer tailer;
  private final List<Source> sources = new ArrayList<>();
  private final ReloadCounts reloads = new ReloadCounts();
  private final ByteBudget budget;
  private final ShipperMetrics metrics;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile ShipperConfig config;
  private volatile Masking masking;
  private @Nullable HealthPage page;
  private @Nullable Probes probes;

  private Shipper(
      ShipperConfig config, ProducerSlot producer, InstantSource clock, LongSupplier ticker) {
    this.config = config;
    this.ticker = ticker;
    this.producer = producer;
    this.publisher = new KafkaPublisher(producer, published, clock);
    this.budget = new ByteBudget(config.logs().inFlightBytes());
    this.metrics = new ShipperMetrics(config.cluster(), config.node());
    var identity = config.identity();
    this.masking = new Masking(config.masks(), lines.masked);
    this.tailer =
        new LogTailer(
            "logs",
            config.logs().settings(),
            identity::sourceOf,
            new Checkpoints(config.logs().checkpoints()),
            chunk -> publisher.send(this.masking.of(chunk)),
            budget,
            lines,
            files,
            clock,
            ticker);
    sources.add(tailer);
    var sensors =
        new Sensors(
            config, publisher, text -> this.masking.of(text), lines, metrics.node(), clock, ticker);
    sources.addAll(sensors.gpuSources());
    sources.addAll(sensors.witnesses());
    sources.addAll(sensors.reporter(List.copyOf(sources), lines, files));
    metrics.lines(lines);
    metrics.files(files);
    metrics.budget(budget);
    metrics.publish(
        published, producer.renewals(), () -> (long) producerMetric("record-retry-total"));
    metrics.reloads(reloads);
    metrics.gpus(sensors.gpus, sensors.droppedSamples, ticker);
    metrics.reports(sensors.droppedReports);
    metrics.kernel(sensors.kernel);
    metrics.ras(sensors.ras);
    metrics.kubernetes(sensors.kubernetes);
    metrics.dumps(sensors.dumps);
    metrics.inspector(sensors.inspector);
    metrics.hardware(sensors.hardwareFailures);
  }

  /// Starts an agent with a producer of its own.
  ///
  /// @throws IOException if the port is taken
  public static Shipper start(ShipperConfig config) throws IOException {
    return start(config, InstantSource.system(), System::nanoTime);
  }

  /// Starts an agent with the given clocks. Threads still sleep by the system's clock.
  ///
  /// @param ticker nanoseconds that never jump, as {@link System#nanoTime}
  /// @throws IOException if the port is taken
  public static Shipper start(ShipperConfig config, InstantSource clock, LongSupplier ticker)
      throws IOException {
    return start(config, ownProducer(config), null, null, clock, ticker);
  }

  /// Starts an agent that follows changes of its configuration file.
  ///
  /// @param file as given by the user
  /// @param reading reads the file again, together with flags and environment
  /// @throws IOException if the port is taken
  public static Shipper start(ShipperConfig config, Path file, Supplier<ShipperConfig> reading)
      throws IOException {
    return start(config, file, reading, InstantSource.system(), System::nanoTime);
  }

  /// Like the method above, with the given clocks.
  ///
  /// @throws IOException if the port is taken
  static Shipper start(
      ShipperConfig config,
      Path file,
      Supplier<ShipperConfig> reading,
      InstantSource clock,
      LongSupplier ticker)
      throws IOException {
    return start(config, ownProducer(config), file, reading, clock, ticker);
  }

  private static ProducerSlot ownProducer(ShipperConfig config) {
    var settings =
        ProducerSettings.of(config.kafka().getOrDefault("bootstrap.servers", ""), config.kafka());
    return ProducerSlot.renewing(() -> ProducerSettings.producer(settings), System::nanoTime);
  }

  /// Starts an agent that publishes through the given producer and does not close it.
  ///
  /// @throws IOException if the port is taken
  public static Shipper start(ShipperConfig config, Producer<String, byte[]> producer)
      throws IOException {
    return start(
        config, ProducerSlot.fixed(producer), null, null, InstantSource.system(), System::nanoTime);
  }

  private static Shipper start(
      ShipperConfig config,
      ProducerSlot producer,
      @Nullable Path file,
      @Nullable Supplier<ShipperConfig> reading,
      InstantSource clock,
      LongSupplier ticker)
      throws IOException {
    var shipper = new Shipper(config, producer, clock, ticker);
    if (file != null && reading != null) {
      shipper.sources.add(
          new ConfigWatch(file, reading, shipper::reload, RELOAD, shipper.reloads, shipper.ticker));
    }
    try {
      shipper.begin(config);
    } catch (IOException | RuntimeException e) {
      shipper.close();
      throw e;
    }
    return shipper;
  }

  private void begin(ShipperConfig config) throws IOException {
    var http = config.http();
    if (http.enabled()) {
      var liveness = new Liveness(List.copyOf(sources), ticker);
      page =
          new HealthPage(
              new InetSocketAddress(http.host(), http.port()),
              liveness::dead,
              this::unready,
              metrics::scrape,
              Access.of(http.keystore(), http.keystorePassword(), http.tokenFile())
                  .under(http.names()));
      if (http.probePort() >= 0) {
        probes =
            Probes.open(
                new InetSocketAddress(http.host(), http.probePort()),
                liveness::dead,
                this::unready);
      }
    }
    sources.forEach(Source::start);
    LOGGER
        .atInfo()
        .addKeyValue("node", config.node())
        .addKeyValue("globs", config.logs().globs())
        .addKeyValue("port", page == null ? "none" : page.port())
        .log("agent started");
  }

  /// Puts globs, patterns and limits in force. Logs which other changes need a restart; returns
  /// false if there are any.
  private boolean reload(ShipperConfig fresh) {
    var needRestart = config.needRestart(fresh);
    config = config.withReloadable(fresh);
    masking = new Masking(config.masks(), lines.masked);
    budget.limit(config.logs().inFlightBytes());
    tailer.change(config.logs().settings(), config.identity()::sourceOf);
    if (!needRestart.isEmpty()) {
      LOGGER.atWarn().addKeyValue("keys", needRestart).log("these changes need a restart");
    }
    return needRestart.isEmpty();
  }

  /// Port of `/metrics` and the probes; empty if the page is turned off.
  public Optional<Integer> port() {
    return Optional.ofNullable(page).map(HealthPage::port);
  }

  public LineCounts lines() {
    return lines;
  }

  public TailCounts files() {
    return files;
  }

  public PublishCounts published() {
    return published;
  }

  private Optional<String> unready() {
    return producerMetric("connection-count") > 0 || published.acked.sum() > 0
        ? Optional.empty()
        : Optional.of("no connection to a broker yet");
  }

  private double producerMetric(String name) {
    return producer.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(name))
        .filter(metric -> metric.getKey().group().equals("producer-metrics"))
        .map(metric -> metric.getValue().metricValue())
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .findFirst()
        .orElse(0);
  }

  /// Stops reading, waits up to ten seconds until the broker has everything, and writes the last
  /// checkpoint. Text that did not arrive is sent again after the next start.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    tailer.stopReading();
    sources.reversed().stream().filter(source -> source != tailer).forEach(Source::close);
    Thread flush = Thread.ofVirtual().start(producer::flush);
    try {
      if (!flush.join(FLUSH)) {
        LOGGER
            .atWarn()
            .addKeyValue("waited", FLUSH)
            .log("the broker did not take everything, it will be sent after the next start");
        flush.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tailer.close();
    producer.close(Duration.ofSeconds(1));
    if (page != null) {
      page.close();
    }
    if (probes != null) {
      probes.close();
    }
    metrics.close();
    LOGGER.atInfo().addKeyValue("lines", lines.lines.sum()).log("agent stopped");
  }
}
