package io.ringside.standalone.demo;

import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import io.ringside.standalone.broker.ScratchFolder;
import io.ringside.standalone.news.FindingFeed;
import io.ringside.standalone.pipeline.Addresses;
import io.ringside.standalone.pipeline.ExpectationsOption;
import io.ringside.standalone.pipeline.LocalAgent;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.standalone.pipeline.PagePort;
import io.ringside.standalone.terminal.ColorOption;
import io.ringside.standalone.terminal.Console;
import io.ringside.streams.topology.ServicePace;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.Producer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Plays recorded incidents and shows what is found.
@Command(
    name = "demo",
    header = "Plays recorded incidents and shows what is found.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Plays three recorded incidents through a Kafka broker, the agent and the streams service,",
      "all in this process, and shows the findings as they arrive.",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all incidents were found", "1:one was not"})
public final class DemoCommand implements Callable<Integer> {
  /// The node of everything in the demo.
  static final String NODE = "local";

  private static final int NOT_FOUND = 1;

  /// How long after its last line an incident may take to be found.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Console console;
  private final List<Incident> incidents;
  private final Duration patience;

  @Option(
      names = "--exit",
      description = "End when all incidents are found, instead of staying up until Ctrl-C.")
  private boolean exit;

  @Option(
      names = "--port",
      defaultValue = "0",
      paramLabel = "PORT",
      description = "Port of the page, the API and the metrics; any free one if not given.")
  private int port;

  @Mixin private ColorOption color = new ColorOption();

  @Mixin private ExpectationsOption expectations = new ExpectationsOption();

  DemoCommand(Console console, List<Incident> incidents, Duration patience) {
    this.console = console;
    this.incidents = List.copyOf(incidents);
    this.patience = patience;
  }

  public static DemoCommand of(Console console) {
    return new DemoCommand(console, Incident.ALL, PATIENCE);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var out = console.out();
    var http = PagePort.free("127.0.0.1", port);
    out.println(
        "Three recorded incidents, played to a live agent, a Kafka broker and the service.");
    out.flush();
    try (var folder = ScratchFolder.create("ringside-demo-");
        var pipeline = LocalPipeline.start(http, ServicePace.FLEET, expectations.checked());
        var producer = producer(pipeline.bootstrapServers())) {
      var sampler = new KafkaPublisher(producer);
      var stage =
          new ReplayFolder(
              folder.path().resolve("pods"),
              InstantSource.system(),
              sample -> {
                var _ = sampler.send(sample);
              });
      var identity = new LocalAgent.Identity("", NODE, "");
      var globs = List.of(stage.glob());
      var printer =
          new DemoPrinter(
              console.on(color.on(console.screen())), folder.path() + "/pods/", pipeline.lines());
      var servers = pipeline.bootstrapServers();
      try (var _ =
              LocalAgent.start(servers, identity, globs, folder.path(), LocalAgent.Sensors.NONE);
          var _ = new FindingFeed(servers, printer::announce)) {
        out.println("Everything is up: " + Addresses.page(pipeline));
        var missed = play(stage, printer);
        printer.sum(incidents, missed);
        if (!exit) {
          stayUp(pipeline);
        }
        return missed.isEmpty() ? 0 : NOT_FOUND;
      }
    }
  }

  /// Sends what a sampler on this host would; the demo does not run nvidia-smi.
  private static Producer<String, byte[]> producer(String servers) {
    return ProducerSettings.producer(ProducerSettings.of(servers, Map.of()));
  }

  /// Plays the incidents in turn; returns those that were not found.
  private List<Incident> play(ReplayFolder stage, DemoPrinter printer)
      throws IOException, InterruptedException {
    for (int i = 0; i < incidents.size(); i++) {
      var incident = incidents.get(i);
      printer.open(incident, i + 1, incidents.size());
      stage.play(Script.of(incident), () -> exit && printer.isFound(incident), printer::progress);
      printer.awaitFound(incident, patience);
      printer.close();
    }
    return incidents.stream().filter(incident -> !printer.isFound(incident)).toList();
  }

  private void stayUp(LocalPipeline pipeline) throws InterruptedException {
    Addresses.print(console.out(), pipeline);
    new CountDownLatch(1).await();
  }
}
