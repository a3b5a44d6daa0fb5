package io.ringside.shipper;

import static java.util.Objects.requireNonNull;

import io.ringside.shipper.config.BadConfig;
import io.ringside.shipper.config.ConfigFile;
import io.ringside.shipper.config.EffectiveConfig;
import io.ringside.shipper.config.ShipperConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The command `ringside-shipper`. Exit code 0 after a signal or a passed check, 2 if the
/// configuration is wrong or the port is taken.
@Command(
    name = "ringside-shipper",
    mixinStandardHelpOptions = true,
    description = "Tails training logs and samples GPUs of this node, into Kafka.")
public final class ShipperMain implements Callable<Integer> {
  private static final int WRONG = 2;
  private static final String LOGBACK = "logback.configurationFile";

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--config", paramLabel = "FILE", description = "YAML; see --check for all keys")
  private @Nullable Path config;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "this node; else $NODE_NAME, else the host's name")
  private @Nullable String node;

  @Option(names = "--cluster", paramLabel = "NAME", description = "this cluster")
  private @Nullable String cluster;

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT,…", description = "Kafka brokers")
  private @Nullable String bootstrap;

  @Option(names = "--logs", paramLabel = "GLOB", description = "log files; may be repeated")
  private @Nullable List<String> logs;

  @Option(
      names = "--checkpoints",
      paramLabel = "FILE",
      description = "where to remember what was sent")
  private @Nullable Path checkpoints;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "any setting by its path, such as logs.poll=200ms")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--check", description = "validate, print the effective configuration, and end")
  private boolean check;

  /// Runs the agent until a signal comes.
  public static void main(String[] arguments) {
    // before the first logger: a jar on somebody else's class path must not bring a logback.xml
    if (System.getProperty(LOGBACK) == null) {
      System.setProperty(LOGBACK, "io/ringside/shipper/logback-shipper.xml");
    }
    System.exit(new CommandLine(new ShipperMain()).execute(arguments));
  }

  @Override
  public Integer call() throws InterruptedException {
    ShipperConfig effective;
    try {
      effective = ConfigFile.read(config, flags(), System::getenv);
    } catch (BadConfig | IOException e) {
      return wrong(e);
    }
    if (check) {
      out().print(EffectiveConfig.yaml(effective));
      out().flush();
      return 0;
    }
    try (Shipper shipper = start(effective, config)) {
      awaitSignal(shipper);
      return 0;
    } catch (IOException | KafkaException | BadConfig e) {
      return wrong(e);
    }
  }

  private Shipper start(ShipperConfig effective, @Nullable Path file) throws IOException {
    return file == null
        ? Shipper.start(effective)
        : Shipper.start(effective, file, () -> ConfigFile.read(file, flags(), System::getenv));
  }

  private Map<String, String> flags() {
    var flags = new LinkedHashMap<String, String>();
    put(flags, "node", node);
    put(flags, "cluster", cluster);
    put(flags, "kafka.bootstrap.servers", bootstrap);
    put(flags, "logs.globs", logs == null ? null : String.join(",", logs));
    put(flags, "logs.checkpoints", checkpoints == null ? null : checkpoints.toString());
    flags.putAll(settings);
    return flags;
  }

  private static void put(Map<String, String> flags, String key, @Nullable String value) {
    if (value != null) {
      flags.put(key, value);
    }
  }

  /// The hook itself closes the agent: the JVM ends when the hook does.
  private static void awaitSignal(Shipper shipper) throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(shipper::close, "stop"));
    new CountDownLatch(1).await();
  }

  private int wrong(Exception e) {
    Throwable root = e;
    while (root instanceof KafkaException && root.getCause() != null) {
      root = root.getCause();
    }
    err().println("ringside-shipper: " + root.getMessage());
    err().flush();
    return WRONG;
  }

  private PrintWriter out() {
    return requireNonNull(spec).commandLine().getOut();
  }

  private PrintWriter err() {
    return requireNonNull(spec).commandLine().getErr();
  }
}
