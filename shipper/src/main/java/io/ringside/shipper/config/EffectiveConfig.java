package io.ringside.shipper.config;

import io.ringside.shipper.config.ShipperConfig.Gpu;
import io.ringside.shipper.config.ShipperConfig.Http;
import io.ringside.shipper.config.ShipperConfig.Logs;
import io.ringside.shipper.config.ShipperConfig.Report;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// A configuration as people read it, in YAML, with secrets hidden.
public final class EffectiveConfig {
  /// Settings of Kafka's clients that hold secrets, by parts of their names.
  private static final List<String> SECRET = List.of("password", "jaas", "secret", "keystore.key");

  private EffectiveConfig() {}

  public static String yaml(ShipperConfig config) {
    var out = new StringBuilder();
    out.append("cluster: ").append(quoted(config.cluster())).append('\n');
    out.append("node: ").append(quoted(config.node())).append('\n');
    out.append("namespace: ").append(quoted(config.namespace())).append('\n');
    out.append("job: ").append(quoted(config.job())).append('\n');
    out.append("instanceType: ").append(quoted(config.instanceType())).append('\n');
    out.append("jobPatterns:\n");
    for (JobPattern pattern : config.jobPatterns()) {
      out.append("  - {name: ").append(quoted(pattern.name()));
      out.append(", regex: ").append(quoted(pattern.regex())).append("}\n");
    }
    out.append("masks:\n");
    for (MaskPattern mask : config.masks()) {
      out.append("  - name: ").append(quoted(mask.name())).append('\n');
      out.append("    words:\n");
      mask.words().forEach(word -> out.append("      - ").append(quoted(word)).append('\n'));
      out.append("    regex: ").append(quoted(mask.regex())).append('\n');
    }
    out.append("kafka:\n");
    new TreeMap<>(config.kafka())
        .forEach(
            (key, value) ->
                out.append("  ")
                    .append(key)
                    .append(": ")
                    .append(isSecret(key) ? "(hidden)" : quoted(value))
                    .append('\n'));
    logs(config.logs(), out);
    gpu(config.gpu(), out);
    report(config.report(), out);
    witnesses(config.witnesses(), out);
    http(config.http(), out);
    return out.toString();
  }

  private static void logs(Logs logs, StringBuilder out) {
    out.append("logs:\n  globs:\n");
    logs.globs().forEach(glob -> out.append("    - ").append(quoted(glob)).append('\n'));
    out.append("  poll: ").append(logs.poll()).append('\n');
    out.append("  scan: ").append(logs.scan()).append('\n');
    out.append("  chunkLines: ").append(logs.chunkLines()).append('\n');
    out.append("  chunkBytes: ").append(logs.chunkBytes()).append('\n');
    out.append("  lineBytes: ").append(logs.lineBytes()).append('\n');
    out.append("  inFlightBytes: ").append(logs.inFlightBytes()).append('\n');
    out.append("  checkpoints: ").append(quoted(logs.checkpoints().toString())).append('\n');
  }

  private static void gpu(Gpu gpu, StringBuilder out) {
    out.append("gpu:\n  enabled: ").append(gpu.enabled()).append('\n');
    out.append("  command: ").append(quoted(gpu.command())).append('\n');
    out.append("  interval: ").append(gpu.interval()).append('\n');
    out.append("  topologyInterval: ").append(gpu.topologyInterval()).append('\n');
  }

  private static void report(Report report, StringBuilder out) {
    out.append("report:\n  enabled: ").append(report.enabled()).append('\n');
    out.append("  interval: ").append(report.interval()).append('\n');
    out.append("  sysfs: ").append(quoted(report.sysfs().toString())).append('\n');
  }

  private static void witnesses(Witnesses witnesses, StringBuilder out) {
    var kernel = witnesses.kernel();
    out.append("witnesses:\n  kernel:\n    enabled: ").append(kernel.enabled()).append('\n');
    out.append("    device: ").append(quoted(kernel.device().toString())).append('\n');
    var ras = witnesses.ras();
    out.append("  ras:\n    enabled: ").append(ras.enabled()).append('\n');
    out.append("    addresses: ").append(quoted(ras.addresses())).append('\n');
    out.append("    interval: ").append(ras.interval()).append('\n');
    out.append("    standing: ").append(ras.standing()).append('\n');
    var counters = witnesses.counters();
    out.append("  counters:\n    enabled: ").append(counters.enabled()).append('\n');
    out.append("    snmp: ").append(quoted(counters.snmp())).append('\n');
    out.append("    interval: ").append(counters.interval()).append('\n');
    out.append("    gpuInterval: ").append(counters.gpuInterval()).append('\n');
  }

  private static void http(Http http, StringBuilder out) {
    out.append("http:\n  enabled: ").append(http.enabled()).append('\n');
    out.append("  host: ").append(quoted(http.host())).append('\n');
    out.append("  port: ").append(http.port()).append('\n');
    out.append("  probePort: ").append(http.probePort()).append('\n');
    out.append("  names: ").append(quoted(http.names())).append('\n');
    out.append("  keystore: ").append(quoted(http.keystore())).append('\n');
    out.append("  keystorePassword: ")
        .append(http.keystorePassword().isEmpty() ? "''" : "(hidden)")
        .append('\n');
    out.append("  tokenFile: ").append(quoted(http.tokenFile())).append('\n');
  }

  private static boolean isSecret(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    return SECRET.stream().anyMatch(lower::contains);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
