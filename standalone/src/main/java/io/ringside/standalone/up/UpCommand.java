package io.ringside.standalone.up;

import io.ringside.shipper.source.log.find.LogFiles;
import io.ringside.standalone.broker.ScratchFolder;
import io.ringside.standalone.pipeline.Addresses;
import io.ringside.standalone.pipeline.ExpectationsOption;
import io.ringside.standalone.pipeline.LocalAgent;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.standalone.pipeline.PagePort;
import io.ringside.standalone.terminal.Console;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.JudgeJobs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
      "Watches this machine live: tails log files, samples nvidia-smi if there is one,",
      "and serves the page, the API and the metrics until Ctrl-C.",
    })
public final class UpCommand implements Callable<Integer> {
  private static final String NVIDIA_SMI = "nvidia-smi";

  private final Console console;

  @Option(
      names = "--logs",
      paramLabel = "GLOB",
      defaultValue = "/var/log/pods/*/*/*.log",
      description = "Log files, several times if need be; quoted. Default: ${DEFAULT-VALUE}")
  private List<String> logs = List.of();

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

  @Mixin private ExpectationsOption expectations = new ExpectationsOption();

  UpCommand(Console console) {
    this.console = console;
  }

  public static UpCommand of(Console console) {
    return new UpCommand(console);
  }

  @Override
  public Integer call() throws IOException {
    var http = PagePort.free(new HttpConfig(host, port));
    boolean gpus = isOnPath(NVIDIA_SMI, System.getenv("PATH"));
    try (var folder = ScratchFolder.create("ringside-up-");
        var pipeline = pipeline(http);
        var _ =
            LocalAgent.start(
                pipeline.bootstrapServers(),
                new LocalAgent.Identity(cluster, "", job),
                logs,
                folder.path(),
                gpus)) {
      console.out().println(watching());
      console.out().println(gpus ? "Sampling nvidia-smi" : "No nvidia-smi here: logs only");
      Addresses.print(console.out(), pipeline);
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // to be told to stop is how it ends
    }
    return 0;
  }

  /// How many files match: none may be a glob that the shell took apart, or a path that is not this machine's.
  private String watching() {
    int files = new LogFiles(logs, InstantSource.system()).list().size();
    return "Watching %s: %s"
        .formatted(
            String.join(" ", logs),
            switch (files) {
              case 0 -> "no file matches now; what appears later is read";
              case 1 -> "1 file now, and what appears later";
              default -> files + " files now, and what appears later";
            });
  }

  private LocalPipeline pipeline(HttpConfig http) {
    var file = expectations.checked();
    return bootstrap == null
        ? LocalPipeline.start(http, JudgeJobs.Pace.FLEET, file)
        : LocalPipeline.on(bootstrap, http, JudgeJobs.Pace.FLEET, file);
  }

  static boolean isOnPath(String program, @Nullable String path) {
    return path != null
        && Arrays.stream(path.split(File.pathSeparator, -1))
            .filter(folder -> !folder.isEmpty())
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
