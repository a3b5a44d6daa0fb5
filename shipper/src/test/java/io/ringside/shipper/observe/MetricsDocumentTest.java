package io.ringside.shipper.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.event.NodeReport;
import io.ringside.shipper.config.ReloadCounts;
import io.ringside.shipper.publish.PublishCounts;
import io.ringside.shipper.source.dump.DumpCounts;
import io.ringside.shipper.source.gpu.GpuCounts;
import io.ringside.shipper.source.kernel.KernelCounts;
import io.ringside.shipper.source.kubernetes.KubernetesCounts;
import io.ringside.shipper.source.log.follow.ByteBudget;
import io.ringside.shipper.source.log.follow.TailCounts;
import io.ringside.shipper.source.log.line.LineCounts;
import io.ringside.shipper.source.ras.RasCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The agent's table in docs/metrics.md is what it shows.
class MetricsDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");
  private static final String BEGIN = "<!-- metrics of ringside-shipper: begin -->\n";
  private static final String END = "<!-- metrics of ringside-shipper: end -->";
  private static final Pattern HELP = Pattern.compile("# HELP (\\S+) (.*)");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

  /// With `-Dringside.write=true` the table is written instead of compared.
  @Test
  void listsEveryMetricAsTheAgentShowsIt() throws IOException {
    var document = Files.readString(DOCUMENT);
    int from = document.indexOf(BEGIN) + BEGIN.length();
    int to = document.indexOf(END);
    if (Boolean.getBoolean("ringside.write")) {
      document = document.substring(0, from) + table() + document.substring(to);
      Files.writeString(DOCUMENT, document);
      to = document.indexOf(END);
    }

    assertThat(document.substring(from, to)).isEqualTo(table());
  }

  private static String table() {
    var scraped = everything();
    var rows = new TreeMap<String, String>();
    HELP.matcher(scraped)
        .results()
        .forEach(
            help -> {
              var name = help.group(1);
              rows.put(
                  name,
                  "| `%s` | %s | %s | %s. |\n"
                      .formatted(name, type(scraped, name), labels(scraped, name), help.group(2)));
            });
    return "| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n"
        + String.join("", rows.values());
  }

  private static String type(String scraped, String name) {
    var type = Pattern.compile("# TYPE " + name + " (\\w+)").matcher(scraped);
    return type.find() ? type.group(1) : "";
  }

  private static String labels(String scraped, String name) {
    var labels = new TreeSet<String>();
    scraped
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .forEach(line -> LABEL.matcher(line).results().forEach(it -> labels.add(it.group(1))));
    return labels.stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
  }

  private static String everything() {
    try (var metrics = new ShipperMetrics("east", "n1")) {
      metrics.lines(new LineCounts());
      metrics.files(new TailCounts());
      metrics.budget(new ByteBudget(1));
      metrics.publish(new PublishCounts(), new LongAdder(), () -> 0);
      metrics.reloads(new ReloadCounts());
      metrics.gpus(new GpuCounts(), new LongAdder(), () -> 0);
      metrics.reports(new LongAdder());
      metrics.kernel(new KernelCounts());
      metrics.ras(new RasCounts());
      metrics.kubernetes(new KubernetesCounts());
      metrics.dumps(new DumpCounts());
      metrics.inspector(new TailCounts());
      metrics.hardware(new LongAdder());
      metrics.node().take(sample());
      metrics.node().take(report());
      return metrics.scrape();
    }
  }

  private static GpuSample sample() {
    return new GpuSample(
        "east",
        "n1",
        Instant.EPOCH,
        List.of(
            new GpuReading(
                0,
                "0000:0b:00.0",
                "",
                "",
                1.0,
                1.0,
                1.0,
                1.0,
                1.0,
                1.0,
                1.0,
                1.0,
                0L,
                0L,
                null,
                null)));
  }

  private static NodeReport report() {
    return new NodeReport(
        "east",
        "n1",
        Instant.EPOCH,
        5,
        new NodeReport.Agent("", Instant.EPOCH, List.of(), List.of()),
        new GpuSensor(GpuSensor.State.OFF, null, 1, 0, 0, ""),
        new NodeReport.Logs(0, 0, 0, 0, 0),
        List.of(new NetworkInterface("eth0", 0, NetworkInterface.Kind.ETHERNET, 0, 0, 0.0, 0.0)));
  }
}
