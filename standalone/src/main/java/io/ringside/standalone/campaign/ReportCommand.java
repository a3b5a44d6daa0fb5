package io.ringside.standalone.campaign;

import io.ringside.schemas.event.RunSummary;
import io.ringside.standalone.analyze.ReportStart;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.standalone.report.CampaignFormat;
import io.ringside.standalone.terminal.ColorOption;
import io.ringside.standalone.terminal.Console;
import io.ringside.streams.ledger.campaign.Campaign;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Prints where the GPU-hours of many runs went.
@Command(
    name = "report",
    header = "Tells where the fleet's GPU-hours went, from the ledger.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Adds up the ledger of all runs: goodput, what cost most, which machines, and the trend.",
      "It judges nothing anew. The ledger is a service's, up's as well, or a file's.",
    },
    footer = {
      "",
      "What was recorded is a ledger, too:",
      "  ringside analyze --json logs/ | ringside report --ledger -",
    })
public final class ReportCommand implements Callable<Integer> {
  private final Console console;
  private final InputStream stdin;
  private final InstantSource clock;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "30d",
      description = {
        "From when on: so long before now (of a file: before its last run ended), such as 12h or",
        "30d, or a time (2026-11-20T20:42:30Z). Default: ${DEFAULT-VALUE}",
      })
  private String since = "";

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:9400",
      description = "The service to ask. Default: ${DEFAULT-VALUE}, where up has its page.")
  private String url = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the service's bearer token, where it asks for one.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description = {
        "Read this instead, - for standard input: lines of ringside.runs.v1, or what",
        "analyze --json prints.",
      })
  private @Nullable String ledger;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "What to print: text (for people, the default), json, markdown.")
  private CampaignFormat format = CampaignFormat.TEXT;

  @Mixin private ColorOption color = new ColorOption();

  ReportCommand(Console console, InputStream stdin, InstantSource clock) {
    this.console = console;
    this.stdin = stdin;
    this.clock = clock;
  }

  public static ReportCommand of(Console console) {
    return new ReportCommand(console, System.in, InstantSource.system());
  }

  /// @throws UnusableInput for the caller to print
  @Override
  public Integer call() throws InterruptedException {
    var from = ReportStart.of(since);
    console.out().println(format.write(campaign(from), color.on(console.screen())));
    console.out().flush();
    return 0;
  }

  private Campaign campaign(ReportStart from) throws InterruptedException {
    if (ledger != null) {
      var runs = LedgerFile.read(ledger, stdin);
      var last = last(runs);
      return Campaign.of(runs, from.begin(last), last.orElse(Instant.EPOCH));
    }
    var answer = new Service(url, tokenFile).campaign(from.begin(Optional.of(clock.instant())));
    answer.missing().forEach(each -> console.err().println("ringside: missing: " + each));
    return answer.campaign();
  }

  private static Optional<Instant> last(List<RunSummary> runs) {
    return runs.stream()
        .map(RunSummary::until)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder());
  }
}
