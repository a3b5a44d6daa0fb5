package io.ringside.shipper;

import io.ringside.platform.build.Build;
import io.ringside.platform.cli.UsageError;
import io.ringside.platform.config.InvalidConfig;
import io.ringside.shipper.config.EffectiveConfig;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.mask.MaskTrial;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The command `ringside-shipper`. Exit code 0 after a signal or a passed check, 2 if the
/// configuration is wrong or the port is taken.
public final class ShipperMain {
  private static final int WRONG = 2;

  private final ParseResult given;
  private final InstantSource clock;
  private final LongSupplier ticker;
  private final PrintWriter out;
  private final PrintWriter err;

  private ShipperMain(ParseResult given, InstantSource clock, LongSupplier ticker) {
    this.given = given;
    this.clock = clock;
    this.ticker = ticker;
    this.out = given.commandSpec().commandLine().getOut();
    this.err = given.commandSpec().commandLine().getErr();
  }

  /// Runs the agent until a signal comes.
  public static void main(String[] arguments) {
    main(arguments, InstantSource.system(), System::nanoTime);
  }

  /// Like the method above, with the given clocks.
  ///
  /// @param ticker nanoseconds that never jump, as {@link System#nanoTime}
  public static void main(String[] arguments, InstantSource clock, LongSupplier ticker) {
    AgentLog.use();
    System.exit(
        new CommandLine(command())
            .setExecutionStrategy(given -> answer(given, clock, ticker))
            .setParameterExceptionHandler(UsageError::answer)
            .execute(arguments));
  }

  /// A custom execution strategy has to handle `--help` and `--version` itself.
  private static int answer(ParseResult given, InstantSource clock, LongSupplier ticker) {
    var told = CommandLine.executeHelpRequest(given);
    return told == null ? new ShipperMain(given, clock, ticker).run() : told;
  }

  /// The command line, built by calls because reading annotations makes eight proxy classes at each
  /// start.
  public static CommandSpec command() {
    var command = CommandSpec.create().name("ringside-shipper");
    command
        .usageMessage()
        .description("Tails training logs and samples GPUs of this node, into Kafka.");
    return command
        .addOption(option("--config", "FILE", Path.class, "YAML; see --check for all keys"))
        .addOption(
            option(
                "--node", "NAME", String.class, "this node; else $NODE_NAME, else the host's name"))
        .addOption(option("--cluster", "NAME", String.class, "this cluster"))
        .addOption(option("--bootstrap", "HOST:PORT,…", String.class, "Kafka brokers"))
        .addOption(option("--logs", "GLOB", List.class, "log files; may be repeated", String.class))
        .addOption(option("--checkpoints", "FILE", Path.class, "where to remember what was sent"))
        .addOption(
            option(
                "--set",
                "KEY=VALUE",
                Map.class,
                "any setting by its path, such as logs.poll=200ms",
                String.class,
                String.class))
        .addOption(flag("validate, print the effective configuration, and end", "--check").build())
        .addOption(flag("show this and end", "-h", "--help").usageHelp(true).build())
        .addOption(flag("show the version and end", "-V", "--version").versionHelp(true).build())
        .version("ringside-shipper " + Build.current().version());
  }

  private static OptionSpec option(
      String name, String label, Class<?> type, String description, Class<?>... of) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(type)
        .auxiliaryTypes(of.length == 0 ? new Class<?>[] {type} : of)
        .arity("1")
        .description(description)
        .build();
  }

  private static OptionSpec.Builder flag(String description, String... names) {
    return OptionSpec.builder(names).arity("0").type(boolean.class).description(description);
  }

  private int run() {
    ShipperConfig effective;
    Path config = given.matchedOptionValue("--config", null);
    try {
      effective = ShipperConfig.read(config, flags(), System::getenv);
      if (given.hasMatchedOption("--check")) {
        refuseSlowMasks(effective);
      }
    } catch (InvalidConfig e) {
      return wrong(e);
    }
    if (given.hasMatchedOption("--check")) {
      out.print(EffectiveConfig.yaml(effective));
      out.flush();
      return 0;
    }
    try (Shipper shipper = start(effective, config)) {
      awaitSignal(shipper);
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    } catch (IOException | KafkaException e) {
      return wrong(e);
    }
  }

  private Shipper start(ShipperConfig effective, @Nullable Path file) throws IOException {
    return file == null
        ? Shipper.start(effective, clock, ticker)
        : Shipper.start(
            effective,
            file,
            () -> ShipperConfig.read(file, flags(), System::getenv),
            clock,
            ticker);
  }

  private Map<String, String> flags() {
    var flags = new LinkedHashMap<String, String>();
    put(flags, "node", given.matchedOptionValue("--node", null));
    put(flags, "cluster", given.matchedOptionValue("--cluster", null));
    put(flags, "kafka.bootstrap.servers", given.matchedOptionValue("--bootstrap", null));
    List<String> logs = given.matchedOptionValue("--logs", null);
    put(flags, "logs.globs", logs == null ? null : String.join(",", logs));
    Path checkpoints = given.matchedOptionValue("--checkpoints", null);
    put(flags, "logs.checkpoints", checkpoints == null ? null : checkpoints.toString());
    flags.putAll(given.matchedOptionValue("--set", Map.<String, String>of()));
    return flags;
  }

  private static void put(Map<String, String> flags, String key, @Nullable String value) {
    if (value != null) {
      flags.put(key, value);
    }
  }

  /// The shutdown hook closes the agent, since the JVM ends when the hook ends.
  private static void awaitSignal(Shipper shipper) throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(shipper::close, "stop"));
    new CountDownLatch(1).await();
  }

  /// Checks only the user's own masks; the masks that ship with the agent are checked in the build.
  private static void refuseSlowMasks(ShipperConfig effective) {
    var shipped = ShipperConfig.read(null, Map.of("node", "any"), _ -> null).masks();
    for (var mask : effective.masks()) {
      var slow = shipped.contains(mask) ? Optional.<String>empty() : MaskTrial.slowOn(mask);
      if (slow.isPresent()) {
        throw new InvalidConfig(
            "mask '%s' is too slow: a line of '%s' over and over takes longer than its length allows, since the expression looks to the line's end at each find"
                .formatted(mask.name(), slow.get()));
      }
    }
  }

  private int wrong(Exception e) {
    Throwable root = e;
    while (root instanceof KafkaException && root.getCause() != null) {
      root = root.getCause();
    }
    err.println("ringside-shipper: " + root.getMessage());
    err.flush();
    return WRONG;
  }
}
