package io.ringside.streams;

import io.ringside.platform.build.Build;
import io.ringside.platform.cli.UsageError;
import io.ringside.platform.config.InvalidConfig;
import io.ringside.streams.config.StreamsAppConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `ringside-streams`: reads the configuration and runs the service until the process is told to
/// stop.
@Command(
    name = "ringside-streams",
    mixinStandardHelpOptions = true,
    versionProvider = StreamsAppMain.Version.class,
    subcommands = TopicsCommand.class,
    description =
        "Judges transport and stragglers of every training job from what the agents ship.",
    footer = {
      "",
      "Environment: RINGSIDE_CONFIG, RINGSIDE_BOOTSTRAP_SERVERS, RINGSIDE_APPLICATION_ID,",
      "RINGSIDE_STATE_DIR, RINGSIDE_EXPECTATIONS, RINGSIDE_HTTP_HOST, RINGSIDE_HTTP_PORT,",
      "RINGSIDE_HTTP_PROBE_PORT.",
      "A flag wins over its variable.",
      "Exit: 0 stopped, 1 the stream failed, 2 the configuration cannot be used."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class StreamsAppMain implements Callable<Integer> {
  /// What `--version` prints.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"ringside-streams " + Build.current().version()};
    }
  }

  private static final String LOGBACK = "logback.configurationFile";

  private final Time clock;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      defaultValue = "${env:RINGSIDE_CONFIG}",
      description = "YAML file over the built-in defaults.")
  private @Nullable Path config;

  @Option(
      names = "--bootstrap-servers",
      defaultValue = "${env:RINGSIDE_BOOTSTRAP_SERVERS}",
      description = "Kafka's host:port,…")
  private @Nullable String bootstrapServers;

  @Option(
      names = "--application-id",
      defaultValue = "${env:RINGSIDE_APPLICATION_ID}",
      description = "Consumer group and prefix of internal topics.")
  private @Nullable String applicationId;

  @Option(
      names = "--state-dir",
      defaultValue = "${env:RINGSIDE_STATE_DIR}",
      description = "Kafka Streams' folder.")
  private @Nullable String stateDir;

  @Option(
      names = "--expectations",
      paramLabel = "FILE",
      defaultValue = "${env:RINGSIDE_EXPECTATIONS}",
      description = "YAML file over the built-in expectations; read again when it changes.")
  private @Nullable String expectations;

  @Option(
      names = "--http-host",
      defaultValue = "${env:RINGSIDE_HTTP_HOST}",
      description = "Interface of the page, the API and /metrics.")
  private @Nullable String httpHost;

  @Option(
      names = "--http-port",
      defaultValue = "${env:RINGSIDE_HTTP_PORT}",
      description = "Its port, 0 for a free one.")
  private @Nullable String httpPort;

  @Option(
      names = "--http-probe-port",
      paramLabel = "PORT",
      defaultValue = "${env:RINGSIDE_HTTP_PROBE_PORT}",
      description = "Where probes are answered as well, in clear and without a token.")
  private @Nullable String httpProbePort;

  @Option(
      names = "--kafka",
      paramLabel = "KEY=VALUE",
      description = "A setting for the Kafka clients as it is; may be repeated.")
  private Map<String, String> kafka = new LinkedHashMap<>();

  public StreamsAppMain() {
    this(Time.SYSTEM);
  }

  private StreamsAppMain(Time clock) {
    this.clock = clock;
  }

  /// Runs the service until a signal comes.
  public static void main(String[] args) {
    main(args, Time.SYSTEM);
  }

  /// The same with another clock.
  public static void main(String[] args, Time clock) {
    // before the first logger: without a configuration file logback prints every debug message
    if (System.getProperty(LOGBACK) == null) {
      System.setProperty(LOGBACK, "io/ringside/streams/logback-streams.xml");
    }
    // a process that is out of memory had better restart; a single record that does not fit is no
    // reason
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          LoggerFactory.getLogger(StreamsAppMain.class)
              .atError()
              .setCause(failure)
              .addKeyValue("thread", thread.getName())
              .log("thread failed");
          if (failure instanceof OutOfMemoryError) {
            Runtime.getRuntime().halt(3);
          }
        });
    System.exit(
        new CommandLine(new StreamsAppMain(clock))
            .setParameterExceptionHandler(UsageError::answer)
            .execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      return run();
    } catch (InvalidConfig | StartFailed e) {
      spec.commandLine().getErr().println(e.getMessage());
      return e instanceof InvalidConfig ? 2 : 1;
    }
  }

  private int run() throws InterruptedException {
    try (var app = StreamsApp.start(config(), clock)) {
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(app::close));
      app.awaitStopped();
      return app.state() == KafkaStreams.State.ERROR ? 1 : 0;
    }
  }

  /// The configuration from file, flags and environment.
  StreamsAppConfig config() {
    return StreamsAppConfig.read(config, settings(), System::getenv);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    put(settings, "bootstrapServers", bootstrapServers);
    put(settings, "applicationId", applicationId);
    put(settings, "stateDir", stateDir);
    put(settings, "expectations", expectations);
    put(settings, "http.host", httpHost);
    put(settings, "http.port", httpPort);
    put(settings, "http.probePort", httpProbePort);
    kafka.forEach((key, value) -> settings.put("kafka." + key, value));
    return settings;
  }

  private static void put(Map<String, String> settings, String path, @Nullable String value) {
    if (value != null) {
      settings.put(path, value);
    }
  }
}
