package io.ringside.shipper;

import io.ringside.platform.build.Build;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.config.FolderOwner;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.config.Witnesses;
import io.ringside.shipper.observe.NodeGauges;
import io.ringside.shipper.publish.DroppingSender;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.source.Source;
import io.ringside.shipper.source.WitnessReachability;
import io.ringside.shipper.source.dump.DumpCounts;
import io.ringside.shipper.source.dump.DumpFiles;
import io.ringside.shipper.source.dump.DumpPipes;
import io.ringside.shipper.source.gpu.GpuCounts;
import io.ringside.shipper.source.gpu.GpuSampler;
import io.ringside.shipper.source.gpu.GpuSensorHealth;
import io.ringside.shipper.source.gpu.NvidiaSmi;
import io.ringside.shipper.source.hardware.HardwareProbe;
import io.ringside.shipper.source.inspector.InspectorLines;
import io.ringside.shipper.source.inspector.InspectorTables;
import io.ringside.shipper.source.kernel.KernelCounts;
import io.ringside.shipper.source.kernel.KernelDevice;
import io.ringside.shipper.source.kernel.KernelLog;
import io.ringside.shipper.source.kernel.Uptime;
import io.ringside.shipper.source.kubernetes.ApiServer;
import io.ringside.shipper.source.kubernetes.KubernetesCounts;
import io.ringside.shipper.source.kubernetes.NodeWatch;
import io.ringside.shipper.source.kubernetes.PodWatch;
import io.ringside.shipper.source.kubernetes.WatchTiming;
import io.ringside.shipper.source.log.follow.ByteBudget;
import io.ringside.shipper.source.log.follow.Checkpoints;
import io.ringside.shipper.source.log.follow.LogTailer;
import io.ringside.shipper.source.log.follow.TailCounts;
import io.ringside.shipper.source.log.follow.TailSettings;
import io.ringside.shipper.source.log.line.LineCounts;
import io.ringside.shipper.source.network.KernelCounters;
import io.ringside.shipper.source.network.NetworkRates;
import io.ringside.shipper.source.node.NodeReporter;
import io.ringside.shipper.source.ras.OwnAddresses;
import io.ringside.shipper.source.ras.RasCounts;
import io.ringside.shipper.source.ras.RasProbe;
import io.ringside.shipper.source.ras.StandstillGuess;
import io.ringside.shipper.source.topology.InstanceType;
import io.ringside.shipper.source.topology.TopologyProbe;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// The configured sources other than the log files, and their counters.
final class Sensors {
  private static final Path PODS = Path.of("/var/log/pods");
  private static final Path DMI = Path.of("/sys/devices/virtual/dmi/id");

  /// Samples that may wait for the broker: about a minute's worth. Older ones are of no use.
  private static final int SAMPLES_UNDERWAY = 120;

  private static final int REPORTS_UNDERWAY = 24;

  /// Kernel log lines that may wait while the broker is away; a broken GPU causes many.
  private static final int LINES_UNDERWAY = 1_000;

  private static final int ANSWERS_UNDERWAY = 8;

  final GpuCounts gpus = new GpuCounts();
  final KernelCounts kernel = new KernelCounts();
  final RasCounts ras = new RasCounts();
  final DumpCounts dumps = new DumpCounts();
  final TailCounts inspector = new TailCounts();
  final KubernetesCounts kubernetes = new KubernetesCounts();
  final LongAdder hardwareFailures = new LongAdder();
  final LongAdder droppedSamples = new LongAdder();
  final LongAdder droppedReports = new LongAdder();

  private final ShipperConfig config;
  private final KafkaPublisher publisher;
  private final UnaryOperator<String> mask;
  private final NodeGauges readings;
  private final StandstillGuess standstill;
  private final WitnessReachability reachability;
  private final InstantSource clock;
  private final LongSupplier ticker;
  private Supplier<GpuSensor> gpuSensor = GpuSensorHealth::off;
  private Supplier<List<HardwareCounters>> hardware = List::of;

  /// @param lines counters of the log lines
  /// @param mask hides secrets in a line
  /// @param readings receives the values that this node's own `/metrics` shows
  Sensors(
      ShipperConfig config,
      KafkaPublisher publisher,
      UnaryOperator<String> mask,
      LineCounts lines,
      NodeGauges readings,
      InstantSource clock,
      LongSupplier ticker) {
    this.config = config;
    this.readings = readings;
    this.publisher = publisher;
    this.mask = mask;
    this.clock = clock;
    this.ticker = ticker;
    this.standstill = new StandstillGuess(lines.lines::sum, ticker);
    this.reachability = new WitnessReachability(clock);
  }

  /// The GPU sampler and the topology probe; empty if GPUs are turned off.
  List<Source> gpuSources() {
    if (!config.gpu().enabled()) {
      return List.of();
    }
    var smi = new NvidiaSmi(config.gpu().command());
    var samples = new DroppingSender<GpuSample>(publisher::send, SAMPLES_UNDERWAY, droppedSamples);
    var sampler =
        new GpuSampler(
            config.cluster(),
            config.node(),
            smi,
            GpuSampler.Timing.every(config.gpu().interval()),
            sample -> {
              readings.take(sample);
              standstill.take(sample);
              samples.send(sample);
            },
            gpus,
            ticker);
    gpuSensor = sampler::sensor;
    return List.of(sampler, topology(smi));
  }

  private TopologyProbe topology(NvidiaSmi smi) {
    String instanceType =
        config.instanceType().isEmpty() ? InstanceType.of(DMI) : config.instanceType();
    return new TopologyProbe(
        config.cluster(),
        config.node(),
        instanceType,
        smi,
        config.gpu().topologyInterval(),
        topology -> {
          var _ = publisher.send(topology);
        },
        clock,
        ticker);
  }

  /// The enabled witnesses: sources other than logs and GPUs.
  List<Source> witnesses() {
    var sources = new ArrayList<Source>();
    if (config.witnesses().kernel().enabled()) {
      sources.add(kernel(config.witnesses().kernel().device()));
    }
    if (config.witnesses().ras().enabled()) {
      sources.add(ras(config.witnesses().ras()));
    }
    if (config.witnesses().dumps().enabled()) {
      sources.add(dumps(config.witnesses().dumps()));
    }
    if (config.witnesses().dumps().ask()) {
      sources.add(
          new DumpPipes(
              config.witnesses().dumps().pipes(), standstill::isStandstill, dumps, clock, ticker));
    }
    if (config.witnesses().inspector().enabled()) {
      sources.add(inspector(config.witnesses().inspector()));
      sources.add(tables(config.witnesses().inspector()));
    }
    if (config.witnesses().kubernetes().enabled()) {
      var asked = config.witnesses().kubernetes();
      var pods = pods(asked);
      sources.add(pods);
      sources.add(
          new NodeWatch(
              config.node(),
              server(asked),
              WatchTiming.USUAL,
              pods,
              kubernetes,
              reachability.contact(UnreachedWitness.KUBERNETES),
              clock,
              ticker));
    }
    var counters = config.witnesses().counters();
    if (counters.enabled() && config.report().enabled()) {
      var probe =
          new HardwareProbe(
              new HardwareProbe.Settings(
                  config.report().sysfs(),
                  counters.snmp().isEmpty() ? null : Path.of(counters.snmp()),
                  config.gpu().enabled() ? new NvidiaSmi(config.gpu().command()) : null,
                  counters.interval(),
                  counters.gpuInterval()),
              hardwareFailures,
              reachability,
              ticker);
      hardware = probe::take;
      sources.add(probe);
    }
    return sources;
  }

  private RasProbe ras(Witnesses.Ras asked) {
    var answers = new DroppingSender<LogChunk>(publisher::send, ANSWERS_UNDERWAY, ras.dropped);
    return new RasProbe(
        config.cluster(),
        config.node(),
        asked.list(),
        RasProbe.Timing.of(asked.interval(), asked.standing()),
        standstill,
        new OwnAddresses(asked.list()),
        mask,
        answers::send,
        ras,
        reachability,
        clock,
        ticker);
  }

  private DumpFiles dumps(Witnesses.Dumps asked) {
    return new DumpFiles(
        new FolderOwner(asked.globs(), config.identity(), PODS),
        asked.settled(),
        publisher::send,
        dumps,
        reachability.contact(UnreachedWitness.FLIGHT_RECORDER),
        clock,
        ticker);
  }

  private static ApiServer server(Witnesses.Kubernetes asked) {
    return new ApiServer(URI.create(asked.server()), asked.token(), asked.certificate());
  }

  private PodWatch pods(Witnesses.Kubernetes asked) {
    var ends = new DroppingSender<LogChunk>(publisher::send, LINES_UNDERWAY, kubernetes.dropped);
    return new PodWatch(
        config.identity(),
        server(asked),
        WatchTiming.USUAL,
        asked.teamLabel(),
        mask,
        ends::send,
        kubernetes,
        reachability.contact(UnreachedWitness.KUBERNETES),
        clock,
        ticker);
  }

  private LogTailer inspector(Witnesses.Inspector asked) {
    var logs = config.logs();
    return new LogTailer(
        "inspector",
        new TailSettings(asked.globs(), logs.poll(), logs.scan(), logs.settings().limits()),
        new FolderOwner(asked.globs(), config.identity(), PODS)::of,
        new Checkpoints(logs.checkpoints().resolveSibling("inspector.json")),
        chunk ->
            InspectorLines.packed(chunk, mask)
                .map(publisher::send)
                .orElseGet(() -> CompletableFuture.completedFuture(null)),
        new ByteBudget(logs.inFlightBytes()),
        new LineCounts(),
        inspector,
        clock,
        ticker);
  }

  private InspectorTables tables(Witnesses.Inspector asked) {
    return new InspectorTables(
        asked.globs(),
        new FolderOwner(asked.tables(), config.identity(), PODS),
        mask,
        publisher::send,
        inspector,
        reachability.contact(UnreachedWitness.INSPECTOR),
        clock,
        ticker);
  }

  private KernelLog kernel(Path device) {
    var lines = new DroppingSender<LogChunk>(this::masked, LINES_UNDERWAY, kernel.dropped);
    return new KernelLog(
        config.cluster(),
        config.node(),
        () -> KernelDevice.open(device),
        Uptime.now(),
        KernelLog.Limits.USUAL,
        lines::send,
        kernel,
        reachability.contact(UnreachedWitness.KERNEL_LOG),
        clock,
        ticker);
  }

  private CompletableFuture<Void> masked(LogChunk chunk) {
    return publisher.send(chunk.withText(Text.of(mask.apply(chunk.text().toString()))));
  }

  /// The reporter on the node and on the given sources; empty if reports are turned off.
  List<Source> reporter(List<Source> sources, LineCounts lines, TailCounts files) {
    if (!config.report().enabled()) {
      return List.of();
    }
    var names = new ArrayList<>(sources.stream().map(Source::name).toList());
    var reports = new DroppingSender<NodeReport>(publisher::send, REPORTS_UNDERWAY, droppedReports);
    return List.of(
        new NodeReporter(
            config.cluster(),
            config.node(),
            Build.current().version(),
            config.report().interval(),
            new NetworkRates(new KernelCounters(config.report().sysfs()), ticker),
            new NodeReporter.Parts(
                names,
                new Liveness(sources, ticker)::stuck,
                gpuSensor,
                () ->
                    new NodeReport.Logs(
                        files.files.get(),
                        Math.max(0, files.lagBytes.get()),
                        Math.max(0, files.lagMillis.get()) / 1e3,
                        lines.lines.sum(),
                        files.bytesLeftBehind.sum()),
                hardware,
                reachability::unreached),
            report -> {
              readings.take(report);
              reports.send(report);
            },
            clock,
            ticker));
  }
}
