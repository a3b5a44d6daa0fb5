package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.GpuSensor.State;
import io.ringside.shipper.source.LoopingSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Samples the node's GPUs through one long-lived nvidia-smi process. A child process that ends is
/// started again, after a growing pause; one that falls silent is killed. Without a driver the
/// agent continues with logs only, and tries again every minute.
public final class GpuSampler extends LoopingSource {
  /// Intervals and pauses of the sampler.
  ///
  /// @param interval between polls
  /// @param patience time without a line after which the child counts as hung
  /// @param firstRetry pause after a child ended; doubles up to `lastRetry`
  public record Timing(
      Duration interval, Duration patience, Duration firstRetry, Duration lastRetry) {
    /// Patience of ten intervals, at least ten seconds; pauses of 1 s to 1 min between children.
    public static Timing every(Duration interval) {
      Duration ten = interval.multipliedBy(10);
      Duration least = Duration.ofSeconds(10);
      return new Timing(
          interval,
          ten.compareTo(least) < 0 ? least : ten,
          Duration.ofSeconds(1),
          Duration.ofMinutes(1));
    }
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(GpuSampler.class);
  private static final Duration PROBE = Duration.ofSeconds(20);

  /// The rows of one poll come together; after a pause this long the poll is complete.
  private static final long POLL_PAUSE_MILLIS = 100;

  private final String cluster;
  private final String node;
  private final NvidiaSmi smi;
  private final Timing timing;
  private final Consumer<GpuSample> sink;
  private final GpuCounts counts;
  private final GpuSensorHealth health;
  private NvidiaSmi.@Nullable Fields fields;
  private Duration rest;
  private boolean saidAbsent;
  private boolean saidText;
  private String lastText = "";

  /// The program itself is missing or fails, so frequent retries are useless.
  private boolean pauseLong;

  public GpuSampler(
      String cluster,
      String node,
      NvidiaSmi smi,
      Timing timing,
      Consumer<GpuSample> sink,
      GpuCounts counts,
      LongSupplier ticker) {
    super("gpus", ticker);
    this.cluster = cluster;
    this.node = node;
    this.smi = smi;
    this.timing = timing;
    this.sink = sink;
    this.counts = counts;
    this.rest = timing.firstRetry;
    this.health = new GpuSensorHealth(counts, timing.interval, timing.patience, ticker);
  }

  @Override
  protected void round() throws InterruptedException {
    long before = counts.samples.sum();
    try {
      sample();
      counts.restarts.increment();
      if (counts.samples.sum() == before && health.now().state() != State.STALLED) {
        health.failing(lastText.isEmpty() ? smi.command() + " ended without a poll" : lastText);
      }
    } catch (IOException e) {
      sayAbsent(e);
    } finally {
      rest = counts.samples.sum() > before ? timing.firstRetry : longer(rest);
    }
  }

  @Override
  protected Duration rest() {
    return rest;
  }

  private void sayAbsent(IOException e) {
    pauseLong = true;
    String reason = String.valueOf(e.getMessage());
    if (e instanceof MissingProgram) {
      health.missing(reason);
    } else if (e.getCause() instanceof TimeoutException) {
      health.stalled(reason);
    } else {
      health.failing(reason);
    }
    if (!saidAbsent) {
      saidAbsent = true;
      LOGGER
          .atInfo()
          .addKeyValue("reason", e.getMessage())
          .log("no GPU samples from this node, going on without");
    }
  }

  private Duration longer(Duration pause) {
    if (pauseLong) {
      pauseLong = false;
      return timing.lastRetry;
    }
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(timing.lastRetry) > 0 ? timing.lastRetry : twice;
  }

  /// Runs one child process until it ends or hangs.
  private void sample() throws IOException, InterruptedException {
    if (fields == null) {
      fields = NvidiaSmi.Fields.of(help());
    }
    Process child = smi.query(fields.names(), timing.interval);
    var lines = new LinkedBlockingQueue<Optional<String>>();
    Thread.ofVirtual().start(() -> readLines(child, lines));
    try {
      follow(lines, fields);
    } finally {
      child.destroyForcibly();
      // do not start another while one cannot be killed: it would hang as well
      while (!stopping() && !child.waitFor(1, TimeUnit.SECONDS)) {
        beat();
      }
    }
  }

  private String help() throws IOException {
    try {
      return smi.run(PROBE, "--help-query-gpu");
    } catch (IOException e) {
      if (e.getCause() == null && e.getMessage() != null && e.getMessage().contains("exited")) {
        return "";
      }
      throw e;
    }
  }

  private void follow(BlockingQueue<Optional<String>> lines, NvidiaSmi.Fields asked)
      throws InterruptedException {
    var csv = new NvidiaSmiCsv(cluster, node, ZoneOffset.UTC);
    long silentSince = ticker.getAsLong();
    while (!stopping()) {
      long wait = csv.pending() > 0 ? POLL_PAUSE_MILLIS : 1_000;
      Optional<String> line = lines.poll(wait, TimeUnit.MILLISECONDS);
      long now = ticker.getAsLong();
      beat();
      if (line == null) {
        csv.finish().ifPresent(this::give);
        if (now - silentSince > timing.patience.toNanos()) {
          counts.stalls.increment();
          health.stalled("%s says nothing for %s".formatted(smi.command(), timing.patience));
          LOGGER
              .atWarn()
              .addKeyValue("silentFor", timing.patience)
              .log("nvidia-smi says nothing, killing it");
          return;
        }
      } else if (line.isEmpty()) {
        csv.finish().ifPresent(this::give);
        return;
      } else {
        silentSince = now;
        take(csv, line.get(), asked);
      }
    }
  }

  private void take(NvidiaSmiCsv csv, String line, NvidiaSmi.Fields asked) {
    int before = csv.pending();
    var sample = csv.line(line);
    sample.ifPresent(this::give);
    boolean understood =
        sample.isPresent() || csv.pending() > before || NvidiaSmiCsv.recognises(line);
    if (!understood && !line.isBlank() && !asked.without(line)) {
      lastText = line;
      if (!saidText) {
        saidText = true;
        LOGGER
            .atWarn()
            .addKeyValue("line", line)
            .log("nvidia-smi printed something that is not a sample");
      }
    }
  }

  private void give(GpuSample sample) {
    health.polled();
    saidAbsent = false;
    sink.accept(sample);
  }

  private static void readLines(Process child, BlockingQueue<Optional<String>> into) {
    try (var reader =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        into.add(Optional.of(line));
      }
    } catch (IOException ignored) {
      // the child was killed
    }
    into.add(Optional.empty());
  }

  /// The state of the sensor. May be called from any thread.
  public GpuSensor sensor() {
    return health.now();
  }
}
