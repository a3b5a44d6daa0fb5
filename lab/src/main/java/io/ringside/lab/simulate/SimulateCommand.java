package io.ringside.lab.simulate;

import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.standalone.terminal.Console;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.ServicePace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Drives a broker with the load of a fleet.
@Command(
    name = "simulate",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Generates the load of a fleet: log lines and GPU samples as the agents of its nodes would send",
      "them, at a chosen rate, and measures how long findings take behind the lines that prove them.",
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final Duration LAST_FINDINGS = Duration.ofSeconds(15);

  private final Console console;
  private final InstantSource clock;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "Kafka to drive; a broker and service of this process if not given.")
  private @Nullable String bootstrap;

  @Option(
      names = "--nodes",
      defaultValue = "4",
      paramLabel = "N",
      description = "Nodes of the fleet; ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--gpus",
      defaultValue = "8",
      paramLabel = "N",
      description = "GPUs of a node, 1 to 8; ${DEFAULT-VALUE}.")
  private int gpus;

  @Option(
      names = "--jobs",
      defaultValue = "1",
      paramLabel = "N",
      description = "Jobs that share the nodes; ${DEFAULT-VALUE}.")
  private int jobs;

  @Option(
      names = "--collectives-per-second",
      defaultValue = "50",
      paramLabel = "N",
      description = "Lines of collectives that each rank prints a second; ${DEFAULT-VALUE}.")
  private double collectivesPerSecond;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Lines a second of the whole fleet, instead of --collectives-per-second.")
  private @Nullable Double rate;

  @Option(
      names = "--sample-seconds",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seconds between GPU samples, 0 for none; ${DEFAULT-VALUE}.")
  private int sampleSeconds;

  @Option(
      names = "--duration",
      converter = Length.class,
      defaultValue = "60s",
      paramLabel = "60s",
      description = "How long; ${DEFAULT-VALUE}.")
  private Duration duration = Duration.ofSeconds(60);

  @Option(
      names = "--start-over",
      converter = Length.class,
      defaultValue = "0s",
      paramLabel = "60s",
      description = "How long until the last job starts, one after the other; ${DEFAULT-VALUE}.")
  private Duration startOver = Duration.ZERO;

  @Option(
      names = "--warm-up",
      converter = Length.class,
      defaultValue = "0s",
      paramLabel = "30s",
      description = "How long before findings are timed; ${DEFAULT-VALUE}.")
  private Duration warmUp = Duration.ZERO;

  @Option(
      names = "--fault",
      defaultValue = "none",
      paramLabel = "none|straggler",
      description = "What goes wrong in the first job after a third of the time; ${DEFAULT-VALUE}.")
  private FaultChoice fault = FaultChoice.NONE;

  @Option(
      names = "--witnesses",
      description =
          "Agents ask all their witnesses: reports with counters of ports and GPUs, NCCL's RAS and Inspector, the flight recorder, the kernel's log.")
  private boolean witnesses;

  @Option(
      names = "--probe",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Small jobs, one a second, whose fallback to sockets is timed; there by default.")
  private boolean probe = true;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "S",
      description = "Seed of the jobs; ${DEFAULT-VALUE}.")
  private long seed;

  /// What can go wrong in the first job.
  enum FaultChoice {
    NONE,
    STRAGGLER
  }

  SimulateCommand(Console console, InstantSource clock) {
    this.console = console;
    this.clock = clock;
  }

  /// The command on the real clock.
  public static SimulateCommand of(Console console) {
    return new SimulateCommand(console, InstantSource.system());
  }

  @Override
  public Integer call() throws InterruptedException {
    if (bootstrap != null) {
      drive(bootstrap);
      return 0;
    }
    try (var pipeline =
        LocalPipeline.start(new HttpConfig("127.0.0.1", 0), ServicePace.FLEET, null)) {
      drive(pipeline.bootstrapServers());
    }
    return 0;
  }

  /// What the options ask for.
  FleetLoad.Wishes wishes() {
    double perRank = rate == null ? collectivesPerSecond : rate / (nodes * (double) gpus);
    return new FleetLoad.Wishes(
        nodes,
        gpus,
        jobs,
        perRank,
        sampleSeconds,
        duration,
        startOver,
        warmUp,
        fault == FaultChoice.STRAGGLER,
        witnesses,
        probe,
        seed);
  }

  private void drive(String servers) throws InterruptedException {
    try (var producer = ProducerSettings.producer(ProducerSettings.of(servers, Map.of()));
        var latency = new LatencyProbe(servers, System::nanoTime)) {
      var load = new FleetLoad(wishes(), new KafkaPublisher(producer), latency, clock);
      var end = load.run(this::progress);
      await(latency);
      wipe();
      report(end, latency);
    }
  }

  /// Findings behind the last lines still come.
  private void await(LatencyProbe latency) throws InterruptedException {
    var deadline = clock.instant().plus(LAST_FINDINGS);
    while (latency.open() > 0 && clock.instant().isBefore(deadline)) {
      Thread.sleep(Duration.ofMillis(100));
    }
  }

  private void report(FleetLoad.Progress end, LatencyProbe latency) {
    var out = console.out();
    out.printf(
        Locale.ROOT,
        "%d lines in %d records, %.1f s: %.0f lines/s; sending was %.1f s behind in the end%n",
        end.lines(),
        end.records(),
        end.seconds(),
        end.lines() / end.seconds(),
        end.behind());
    if (probe) {
      var seconds = latency.seconds();
      out.printf(
          Locale.ROOT,
          "proving line to finding, %d fallbacks: p50 %.2f s, p99 %.2f s, longest %.2f s; %d never came%n",
          seconds.size(),
          at(seconds, 0.5),
          at(seconds, 0.99),
          at(seconds, 1),
          latency.open());
    }
    if (fault == FaultChoice.STRAGGLER) {
      out.printf(
          Locale.ROOT,
          "straggler: found %.1f s after its first late step%n",
          latency.secondsOf("load-0"));
    }
    out.println(LoadConclusion.of(end.behind(), latency.seconds(), latency.open()));
    out.flush();
  }

  private static double at(List<Double> sorted, double share) {
    return sorted.isEmpty()
        ? Double.NaN
        : sorted.get((int) Math.round(share * (sorted.size() - 1)));
  }

  private void progress(FleetLoad.Progress now) {
    if (console.watched()) {
      console
          .err()
          .printf(
              Locale.ROOT,
              "\r\u001b[K%3.0f s of %d: %.0f lines/s%s",
              now.seconds(),
              duration.toSeconds(),
              now.lines() / now.seconds(),
              now.behind() > 1 ? ", %.0f s behind".formatted(now.behind()) : "");
      console.err().flush();
    }
  }

  private void wipe() {
    if (console.watched()) {
      console.err().print("\r\u001b[K");
      console.err().flush();
    }
  }
}
