package io.ringside.standalone.up;

import io.ringside.shipper.source.log.find.LogFiles;
import io.ringside.standalone.broker.KeptFolder;
import io.ringside.standalone.broker.ScratchFolder;
import io.ringside.standalone.broker.WorkFolder;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.standalone.news.FindingFeed;
import io.ringside.standalone.pipeline.Addresses;
import io.ringside.standalone.pipeline.ExpectationsOption;
import io.ringside.standalone.pipeline.LocalAgent;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.standalone.pipeline.PagePort;
import io.ringside.standalone.terminal.ColorOption;
import io.ringside.standalone.terminal.Console;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.ServicePace;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Watches this machine until Ctrl-C.
@Command(
    name = "up",
    header = "Watches the jobs of this machine, live.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Watches this machine live: tails log files, samples nvidia-smi if there is one, prints",
      "findings as they come, and serves the page, the API and the metrics until Ctrl-C.",
    })
public final class UpCommand implements Callable<Integer> {
  private static final String NVIDIA_SMI = "nvidia-smi";

  /// Seconds between checks for matching files.
  private static final long LOOK_SECONDS = 2;

  private final Console console;

  @Option(
      names = "--logs",
      paramLabel = "GLOB",
      defaultValue = "/var/log/pods/*/*/*.log",
      description = "Log files, several times if need be; quoted. Default: ${DEFAULT-VALUE}")
  private List<String> logs = List.of();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Keep what is learned in this folder, and go on from there at the next start. Without it "
              + "all is forgotten at the end.")
  private @Nullable Path state;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "Use this Kafka instead of a broker of its own.")
  private @Nullable String bootstrap;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      paramLabel = "HOST",
      description = "Interface of the page. Default: ${DEFAULT-VALUE}")
  private String host = "";

  @Option(
      names = "--port",
      defaultValue = "9400",
      paramLabel = "PORT",
      description = "Port of the page, 0 for any. Default: ${DEFAULT-VALUE}")
  private int port;

  @Option(names = "--cluster", defaultValue = "", paramLabel = "NAME", description = "The cluster.")
  private String cluster = "";

  @Option(
      names = {"--job-name", "--job"},
      defaultValue = "",
      paramLabel = "NAME",
      description = "Name of the job, where file and pod names tell a wrong one.")
  private String job = "";

  @Mixin private WitnessOptions witnesses = new WitnessOptions();

  @Mixin private ColorOption color = new ColorOption();

  @Mixin private ExpectationsOption expectations = new ExpectationsOption();

  UpCommand(Console console) {
    this.console = console;
  }

  public static UpCommand of(Console console) {
    return new UpCommand(console);
  }

  /// @throws UnusableInput for the caller to print
  @Override
  public Integer call() throws IOException {
    var http = PagePort.free(host, port);
    boolean gpus = isOnPath(NVIDIA_SMI, System.getenv("PATH"));
    var asked = witnesses.asked();
    var closed = new CountDownLatch(1);
    if (state != null) {
      closeInOrder(closed);
    }
    try (var folder = folder();
        var pipeline = pipeline(http, folder);
        var _ =
            LocalAgent.start(
                pipeline.bootstrapServers(),
                new LocalAgent.Identity(cluster, "", job),
                logs,
                folder.path(),
                new LocalAgent.Sensors(gpus, true, asked))) {
      var files = new MatchingFiles(logs, new LogFiles(logs, InstantSource.system()));
      console.out().println(files.now());
      console.out().println(gpus ? "Sampling nvidia-smi" : "No nvidia-smi here: logs only");
      witnesses.words().forEach(console.out()::println);
      console.out().println(history());
      Addresses.print(console.out(), pipeline);
      var bulletin =
          new FindingPrinter(
              console.on(color.on(console.screen())), InstantSource.system(), pipeline.lines());
      try (var _ = new FindingFeed(pipeline.bootstrapServers(), bulletin)) {
        while (true) {
          TimeUnit.SECONDS.sleep(LOOK_SECONDS);
          files.change().ifPresent(bulletin::say);
        }
      }
    } catch (InterruptedException e) {
      // the interrupt is the normal end
    } finally {
      closed.countDown();
    }
    return 0;
  }

  /// Closes everything in order on Ctrl-C as well, since kept state has to be closed to be found
  /// again.
  private static void closeInOrder(CountDownLatch closed) {
    var main = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(
                    () -> {
                      main.interrupt();
                      try {
                        closed.await(30, TimeUnit.SECONDS);
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    }));
  }

  private WorkFolder folder() {
    if (state == null) {
      return ScratchFolder.create("ringside-up-");
    }
    try {
      return KeptFolder.take(state)
          .orElseThrow(
              () ->
                  new UnusableInput(
                      "another ringside keeps its state in %s; give another --state"
                          .formatted(state)));
    } catch (UncheckedIOException e) {
      throw new UnusableInput("--state %s cannot be used: %s".formatted(state, e.getMessage()), e);
    }
  }

  /// Says at the start whether state is kept; at the end it would be too late to learn that.
  private String history() {
    if (state != null) {
      return "Keeping what is learned in " + state;
    }
    return bootstrap == null
        ? "What is learned is forgotten at the end; --state DIR keeps it"
        : "Results stay in the Kafka; where logs were read up to is forgotten at the end, --state DIR keeps it";
  }

  private LocalPipeline pipeline(HttpConfig http, WorkFolder folder) {
    var file = expectations.checked();
    if (bootstrap != null) {
      return LocalPipeline.on(bootstrap, http, ServicePace.FLEET, file);
    }
    return switch (folder) {
      case KeptFolder kept -> LocalPipeline.in(kept, http, ServicePace.FLEET, file);
      case ScratchFolder _ -> LocalPipeline.start(http, ServicePace.FLEET, file);
    };
  }

  static boolean isOnPath(String program, @Nullable String path) {
    return path != null
        && Arrays.stream(path.split(File.pathSeparator, -1))
            .filter(folder -> !folder.isEmpty())
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
