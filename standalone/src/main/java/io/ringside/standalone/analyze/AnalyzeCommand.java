package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Severity;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.input.Spool;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.standalone.pipeline.ExpectationsOption;
import io.ringside.standalone.report.ReportContent;
import io.ringside.standalone.report.ReportFormat;
import io.ringside.standalone.terminal.ColorOption;
import io.ringside.standalone.terminal.Console;
import io.ringside.standalone.terminal.Version;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Judges recorded files and prints a report.
@Command(
    name = "analyze",
    header = "Judges logs that you already have, and prints a report.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Judges recorded files: container logs, kubelet trees, nvidia-smi CSV recordings,",
      "topo -m and nccl-tests output, told apart by content; plain, packed (gzip, zstd,",
      "bzip2) or in archives (tar, zip). No broker is started.",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:judged; what could not be read is named",
      "2:bad arguments, or nothing that can be judged",
      "3:a finding that is reported is at least as bad as --fail-on",
      "4:judged in part: something failed within Ringside, see 'Not judged'",
    },
    footer = {
      "",
      "All files are taken for those of one node, unless names of hosts or folders tell nodes",
      "apart, or folders are given as NODE=PATH:",
      "  ringside analyze gpu-1=logs/gpu-1 gpu-2=logs/gpu-2",
    })
public final class AnalyzeCommand implements Callable<Integer> {
  /// Exit code: a finding reached `--fail-on`.
  static final int FINDINGS = 3;

  /// Exit code: a part of Ringside itself failed, and no finding reached `--fail-on`.
  static final int IN_PART = 4;

  private final Console console;
  private final Analyzer analyzer;
  private final InputStream stdin;
  private final Function<List<Path>, Growth> growth;

  @Parameters(
      arity = "1..*",
      paramLabel = "[NODE=]PATH",
      description =
          "Files, archives and folders to read, - for standard input; hidden files are left alone.")
  private List<String> paths = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "What to print: text (a report for people, the default), json, markdown (to paste into "
              + "an issue), junit (tests of a CI server), sarif (code scanning), github (annotations).")
  private @Nullable ReportFormat format;

  @Option(names = "--json", description = "The same as --format json.")
  private boolean json;

  @Option(
      names = "--watch",
      description =
          "Judge again whenever the files grow, and print what is new, until Ctrl-C; with "
              + "--fail-on until a finding is that bad.")
  private boolean watch;

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      description = "Exit with 3 if a finding is at least this bad: info, warning, critical.")
  private @Nullable Severity failOn;

  @Mixin private ReportFilterOptions filterOptions = new ReportFilterOptions();

  @Option(
      names = "--job-name",
      defaultValue = "",
      paramLabel = "NAME",
      description = "Name of the job, where file and pod names tell a wrong one.")
  private String job = "";

  @Option(names = "--cluster", defaultValue = "", paramLabel = "NAME", description = "Its cluster.")
  private String cluster = "";

  @Option(
      names = "--zone",
      defaultValue = "UTC",
      paramLabel = "ZONE",
      description =
          "Time zone of the nvidia-smi recordings, such as Europe/Berlin; UTC if not given.")
  private ZoneId zone = ZoneId.of("UTC");

  @Option(
      names = "--through-broker",
      hidden = true,
      description = "Go the way of demo and up: a broker, the agent's publisher, the service.")
  private boolean throughBroker;

  @Mixin private ColorOption color = new ColorOption();

  @Mixin private ExpectationsOption expectations = new ExpectationsOption();

  AnalyzeCommand(Console console, Analyzer analyzer, InputStream stdin) {
    this(console, analyzer, stdin, Growth::of);
  }

  /// @param growth waits for changes of the files below some paths, for `--watch`
  AnalyzeCommand(
      Console console, Analyzer analyzer, InputStream stdin, Function<List<Path>, Growth> growth) {
    this.growth = growth;
    this.console = console;
    this.analyzer = analyzer;
    this.stdin = stdin;
  }

  /// The command with the real analyzer.
  public static AnalyzeCommand of(Console console) {
    return new AnalyzeCommand(
        console,
        new DirectAnalyzer(InstantSource.system(), Runtime.getRuntime().availableProcessors()),
        System.in);
  }

  /// @throws UnusableInput for the caller to print
  @Override
  public Integer call() throws InterruptedException {
    var asked = filterOptions.filter();
    if (watch) {
      return watch(asked);
    }
    if (paths.contains("-") && console.typedAt()) {
      console.err().println("ringside: reading what you type or paste, until Ctrl-D");
    }
    var account = judged(asked, true);
    print(account);
    if (isReached(account)) {
      return FINDINGS;
    }
    return account.failed() ? IN_PART : 0;
  }

  private ReportContent judged(ReportFilter asked, boolean warning) throws InterruptedException {
    try (var spool = new Spool(stdin)) {
      var inputs = Inputs.of(paths, spool);
      if (warning) {
        inputs.skipped().stream().filter(Inputs.Skipped::given).forEach(this::warn);
      }
      var account = asked.of(analyze(inputs).account());
      return account.with(EvidenceLines.of(inputs, account.findings()));
    }
  }

  /// Returns when a finding reaches `--fail-on`, or when interrupted.
  private int watch(ReportFilter asked) throws InterruptedException {
    if (paths.contains("-")) {
      throw new UnusableInput(
          "--watch goes with files; what comes on standard input is read to its end");
    }
    if (json || format != null && format != ReportFormat.TEXT) {
      throw new UnusableInput("--watch prints text; give no other --format");
    }
    var files = growth.apply(Inputs.paths(paths));
    var report = new WatchedReport(console.on(color.on(console.screen())));
    var account = judged(asked, true);
    report.begin(account);
    if (isReached(account)) {
      return FINDINGS;
    }
    report.watching();
    do {
      files.await();
      account = judged(asked, false);
      report.goOn(account);
    } while (!isReached(account));
    return FINDINGS;
  }

  private boolean isReached(ReportContent account) {
    return failOn != null && account.reaches(failOn);
  }

  private void warn(Inputs.Skipped left) {
    console.err().println("ringside: left out %s: %s".formatted(left.path(), left.reason()));
  }

  private Analysis analyze(Inputs inputs) throws InterruptedException {
    var progress = new DrawnProgress(console.progress());
    try {
      return (throughBroker ? new PipelineAnalyzer() : analyzer)
          .analyze(inputs, new Labels(cluster, job, zone, expectations.checked()), progress);
    } catch (IOException e) {
      throw new UnusableInput(sentence(e), e);
    } finally {
      progress.done();
    }
  }

  private static String sentence(IOException e) {
    var message = String.valueOf(e.getMessage());
    return message.endsWith(".") ? message : message + ".";
  }

  private void print(ReportContent account) {
    var chosen = format != null ? format : json ? ReportFormat.JSON : ReportFormat.TEXT;
    console.out().println(chosen.write(account, color.on(console.screen()), Version.OF_BUILD));
    console.out().flush();
  }
}
