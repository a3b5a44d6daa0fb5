package io.ringside.streams.publish.http;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LateStep;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.suspect.BlamedNodes;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.ledger.ListedRanks;
import io.ringside.streams.observe.AppMetrics;
import io.ringside.streams.observe.JobMetrics;
import io.ringside.streams.publish.FixedViews;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.Samples;
import io.ringside.streams.recorded.Recorded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Serves the page over recordings given as folders, beside a hostile job, a restarted one and a
/// large one; for work on the page. Arguments: port, folders. `-Dplain=true` leaves out what is
/// made up, for pictures.
public final class PagePreview {
  private PagePreview() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    var folders = List.of(args).subList(1, args.length).stream().map(Path::of).toList();
    var server = serve(Integer.parseInt(args[0]), views(folders));
    System.out.println("http://127.0.0.1:" + server.address().getPort() + "/");
    Thread.currentThread().join();
  }

  static WebServer serve(int port, JobViews views) throws IOException {
    var metrics =
        new AppMetrics(
            List.of(
                new JobMetrics(
                    views,
                    new MetricsConfig(500, 100, 5, 32, Duration.ofHours(1)),
                    InstantSource.fixed(Samples.T0))));
    return WebServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        List.of(
            new ProbeEndpoint(() -> true, () -> true, () -> "RUNNING"),
            new MetricsEndpoint(metrics.registry()),
            new NodesEndpoint(() -> blamed(views), Expectations::builtIn),
            new CampaignEndpoint(views, InstantSource.fixed(Samples.T0.plusSeconds(86_400))),
            new ApiEndpoint(views),
            new PageEndpoint("https://wiki.example.org/runbooks")));
  }

  /// What the findings say of nodes, as the topology would remember it.
  static List<NodeMemory> blamed(JobViews views) {
    var nodes = new TreeMap<String, NodeMemory>();
    var look = views.look();
    for (var finding : look.findings()) {
      int ofRun =
          look.runs().stream()
              .filter(run -> run.job().equals(finding.job()) && run.run().equals(finding.run()))
              .mapToInt(run -> run.nodes().size())
              .findFirst()
              .orElse(0);
      BlamedNodes.of(finding, ofRun, finding.detectedAt())
          .forEach(
              (node, blame) ->
                  nodes.merge(
                      blame.key(),
                      NodeMemory.of(blame.cluster(), node).with(blame, 64),
                      (known, _) -> known.with(blame, 64)));
    }
    return List.copyOf(nodes.values());
  }

  /// What the judge says of the recordings, and three jobs made up.
  static FixedViews views(List<Path> folders) {
    var runs = new ArrayList<RunSummary>();
    var findings = new ArrayList<Finding>();
    for (var folder : folders) {
      var verdict = Recorded.in(folder).judged();
      runs.addAll(verdict.runs());
      findings.addAll(verdict.findings());
    }
    if (!Boolean.getBoolean("plain")) {
      hostile(runs, findings);
      restarted(runs, findings);
      Starts.of("finetune-8b", runs, findings);
      large("pretrain-70b", 1_024, runs, findings);
    }
    return new FixedViews(List.copyOf(runs), List.copyOf(findings));
  }

  /// Names and lines that try to be markup, terminal control, or right to left.
  static void hostile(List<RunSummary> runs, List<Finding> findings) {
    var job = "<img src=x onerror=\"document.title='owned'\">";
    runs.add(Samples.run(job, "0xbad", 1, RunSummary.State.RUNNING));
    var finding =
        Samples.finding(
            "hostile",
            job,
            "0xbad",
            FindingKind.NCCL_ERROR,
            Severity.WARNING,
            Finding.State.ACTIVE);
    findings.add(
        finding.with(
            its -> {
              its.job = new JobKey(finding.cluster(), finding.namespace(), job);
              its.since = finding.since();
              its.until = null;
              its.summary = "<b>bold</b> <script>document.title='owned'</script>";
              its.expected = "</pre><script>document.title='owned'</script>";
              its.observed = "javascript:document.title='owned'";
              its.cause = "\"><svg onload=document.title='owned'>";
              its.evidence =
                  List.of(
                      line(
                          "\u001b[31mred\u001b[0m \u0000 nul \u0007 bell \u202eright to left\u202c done"),
                      line("<script>document.title='owned'</script>"),
                      line("x".repeat(3_000)));
            }));
  }

  private static Evidence line(String text) {
    return new Evidence(Samples.T0, "node-1", "pod-0", "/var/log/<pods>/0.log", 42, text);
  }

  private static void restarted(List<RunSummary> runs, List<Finding> findings) {
    runs.add(Samples.run("mixtral-8x7b", "0x5be1a9c20d3f4e77", 1, RunSummary.State.ENDED));
    runs.add(Samples.run("mixtral-8x7b", "0x91c07f2ab8e65d03", 2, RunSummary.State.RUNNING));
    findings.add(
        Samples.finding(
            "f1",
            "mixtral-8x7b",
            "0x5be1a9c20d3f4e77",
            FindingKind.HANG,
            Severity.CRITICAL,
            Finding.State.CLEARED));
  }

  /// One job of many ranks, eight a node.
  static FixedViews large(int nranks) {
    var runs = new ArrayList<RunSummary>();
    var findings = new ArrayList<Finding>();
    large("pretrain-400b", nranks, runs, findings);
    return new FixedViews(runs, findings);
  }

  private static void large(String job, int nranks, List<RunSummary> runs, List<Finding> findings) {
    var base = Samples.run(job, "0x77aa", 3, RunSummary.State.RUNNING);
    var ranks =
        IntStream.range(0, nranks)
            .mapToObj(
                rank ->
                    new RunSummary.RankWait(
                        rank,
                        "node-" + rank / 8,
                        job + "-worker-" + rank / 8,
                        null,
                        rank == 517 ? 2.0 : 340 + rank % 7,
                        rank == 517 ? 940 : rank % 5,
                        rank == 517 ? 338.4 : rank % 5 * 0.3,
                        null,
                        null))
            .toList();
    var nodes = IntStream.range(0, nranks / 8).mapToObj(i -> "node-" + i).toList();
    runs.add(
        RunSummary.of(
            new JobKey(base.cluster(), base.namespace(), base.job()),
            base.run(),
            3,
            its -> {
              its.since = base.since();
              its.until = base.until();
              its.state = base.state();
              its.nranks = nranks;
              its.ranksSeen = nranks;
              its.nodes = nodes;
              its.pods = nodes;
              its.instanceType = "p5.48xlarge";
              its.ncclVersion = base.ncclVersion();
              its.pluginVersion = base.pluginVersion();
              its.libfabricVersion = base.libfabricVersion();
              its.network = "Libfabric";
              its.channels = 16;
              its.environment = base.environment();
              its.transports =
                  List.of(
                      new RunSummary.Transport("intra-pod", "P2P/CUMEM", 14_336, ""),
                      new RunSummary.Transport("inter-node", "NET/Libfabric/GDRDMA", 4_096, ""));
              its.checklist =
                  List.of(new Check("plugin loaded", Check.Status.PASS, "Libfabric 2.1", null));
              its.waits =
                  new RunSummary.Waits(9_000, 940, 338.4, "container", ListedRanks.of(ranks));
              its.aggregates = LargeRun.aggregates();
            }));
    findings.add(
        Samples.finding(
                "s",
                base.job(),
                base.run(),
                FindingKind.STRAGGLER,
                Severity.WARNING,
                Finding.State.ACTIVE)
            .with(its -> its.lateStep = lateStep(nranks)));
  }

  private static LateStep lateStep(int nranks) {
    return new LateStep(
        "ReduceScatter",
        Samples.T0,
        nranks,
        List.of(
            new LateStep.Call(2, 0.36, true),
            new LateStep.Call(77, 0.021, false),
            new LateStep.Call(308, 0, false),
            new LateStep.Call(512, 0.012, false),
            new LateStep.Call(nranks - 1, 0.034, false)));
  }
}
