package io.ringside.shipper;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.mask.Masking;
import io.ringside.shipper.observe.Access;
import io.ringside.shipper.observe.HealthPage;
import io.ringside.shipper.observe.ShipperMetrics;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import io.ringside.shipper.publish.PublishCounts;
import io.ringside.shipper.source.Source;
import io.ringside.shipper.source.gpu.GpuCounts;
import io.ringside.shipper.source.gpu.GpuSampler;
import io.ringside.shipper.source.gpu.NvidiaSmi;
import io.ringside.shipper.source.log.ByteBudget;
import io.ringside.shipper.source.log.Checkpoints;
import io.ringside.shipper.source.log.LineCounts;
import io.ringside.shipper.source.log.LogTailer;
import io.ringside.shipper.source.log.TailCounts;
import io.ringside.shipper.source.topology.InstanceType;
import io.ringside.shipper.source.topology.TopologyProbe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The agent: starts its sources, publishes what they give, and stops them in reverse.
///
/// ```text
///   log files ──► LogTailer ─────┐
///   nvidia-smi ─► GpuSampler ────┼──► KafkaPublisher ──► broker
///   topo -m ────► TopologyProbe ─┘           │
///                 checkpoints ◄── acks ──────┘
/// ```
public final class Shipper implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(Shipper.class);
  private static final Path DMI = Path.of("/sys/devices/virtual/dmi/id");
  private static final Duration FLUSH = Duration.ofSeconds(10);

  /// A loop that did not go round for so long will not: a send may wait for the broker, and a child
  /// for its driver, but never for so long.
  private static final Duration DEAD = Duration.ofMinutes(2);

  /// Samples of a minute or so may wait for the broker; more are of no use.
  private static final int SAMPLES_UNDERWAY = 120;

  private final LongSupplier ticker = System::nanoTime;
  private final InstantSource clock = InstantSource.system();
  private final LineCounts lines = new LineCounts();
  private final TailCounts files = new TailCounts();
  private final GpuCounts gpus = new GpuCounts();
  private final LongAdder droppedSamples = new LongAdder();
  private final AtomicInteger samplesUnderway = new AtomicInteger();
  private final PublishCounts published = new PublishCounts();
  private final Producer<String, byte[]> producer;
  private final boolean ownsProducer;
  private final KafkaPublisher publisher;
  private final LogTailer tailer;
  private final List<Source> sources = new ArrayList<>();
  private final ShipperMetrics metrics = new ShipperMetrics();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable HealthPage page;

  private Shipper(ShipperConfig config, Producer<String, byte[]> producer, boolean ownsProducer) {
    this.producer = producer;
    this.ownsProducer = ownsProducer;
    this.publisher = new KafkaPublisher(producer, published, clock);
    var budget = new ByteBudget(config.logs().inFlightBytes());
    var identity = config.identity();
    var masking = new Masking(config.masks(), lines.masked);
    this.tailer =
        new LogTailer(
            config.logs().settings(),
            identity::sourceOf,
            new Checkpoints(config.logs().checkpoints()),
            chunk -> publisher.send(masking.of(chunk)),
            budget,
            lines,
            files,
            clock,
            ticker);
    sources.add(tailer);
    if (config.gpu().enabled()) {
      sources.addAll(sensors(config));
    }
    metrics.lines(lines);
    metrics.files(files);
    metrics.budget(budget);
    metrics.publish(published, () -> (long) producerMetric("record-retry-total"));
    metrics.gpus(gpus, droppedSamples, ticker);
  }

  /// Starts an agent with a producer of its own.
  ///
  /// @throws IOException if the port is taken
  public static Shipper start(ShipperConfig config) throws IOException {
    var settings =
        ProducerSettings.of(config.kafka().getOrDefault("bootstrap.servers", ""), config.kafka());
    return start(config, ProducerSettings.producer(settings), true);
  }

  /// Starts an agent that publishes through this producer and leaves it open in the end.
  ///
  /// @throws IOException if the port is taken
  public static Shipper start(ShipperConfig config, Producer<String, byte[]> producer)
      throws IOException {
    return start(config, producer, false);
  }

  private static Shipper start(
      ShipperConfig config, Producer<String, byte[]> producer, boolean ownsProducer)
      throws IOException {
    var shipper = new Shipper(config, producer, ownsProducer);
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
      page =
          new HealthPage(
              new InetSocketAddress(config.http().host(), config.http().port()),
              this::dead,
              this::unready,
              metrics::scrape,
              Access.of(http.keystore(), http.keystorePassword(), http.tokenFile()));
    }
    sources.forEach(Source::start);
    LOGGER
        .atInfo()
        .addKeyValue("node", config.node())
        .addKeyValue("globs", config.logs().globs())
        .addKeyValue("port", page == null ? "none" : page.port())
        .log("agent started");
  }

  private List<Source> sensors(ShipperConfig config) {
    var smi = new NvidiaSmi(config.gpu().command());
    String instanceType =
        config.instanceType().isEmpty() ? InstanceType.of(DMI) : config.instanceType();
    return List.of(
        new GpuSampler(
            config.cluster(),
            config.node(),
            smi,
            GpuSampler.Timing.every(config.gpu().interval()),
            this::publish,
            gpus,
            ticker),
        new TopologyProbe(
            config.cluster(),
            config.node(),
            instanceType,
            smi,
            config.gpu().topologyInterval(),
            this::publish,
            clock,
            ticker));
  }

  private void publish(NodeTopology topology) {
    var _ = publisher.send(topology);
  }

  /// An old sample is worth little: while the broker is away new ones are dropped and counted.
  private void publish(GpuSample sample) {
    if (samplesUnderway.incrementAndGet() > SAMPLES_UNDERWAY) {
      samplesUnderway.decrementAndGet();
      droppedSamples.increment();
      return;
    }
    var _ = publisher.send(sample).whenComplete((_, _) -> samplesUnderway.decrementAndGet());
  }

  /// Where `/metrics` and the probes are, if the page is on.
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

  private Optional<String> dead() {
    long now = ticker.getAsLong();
    for (Source source : sources) {
      Duration silent = Duration.ofNanos(now - source.lastBeatNanos());
      if (silent.compareTo(DEAD) > 0) {
        return Optional.of(
            "%s has not moved for %d s"
                .formatted(source.getClass().getSimpleName(), silent.toSeconds()));
      }
    }
    return Optional.empty();
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

  /// Stops reading, gives what is on its way ten seconds to arrive, and writes the last checkpoint.
  /// What did not arrive is sent again after the next start.
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
    if (ownsProducer) {
      producer.close(Duration.ofSeconds(1));
    }
    if (page != null) {
      page.close();
    }
    metrics.close();
    LOGGER.atInfo().addKeyValue("lines", lines.lines.sum()).log("agent stopped");
  }
}
