package io.ringside.standalone.report;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.schemas.event.RunSummary.Transport;
import io.ringside.schemas.event.RunSummary.Waits;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Runs and findings as the service would give them, made by hand from real logs.
final class Fabricated {
  static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final String LOG = "seed/llama-3-8b-node-0-0.log";

  private Fabricated() {}

  static RunSummary fallbackRun() {
    return RunSummary.of(
        new JobKey("", "", "llama-3-8b"),
        "0xabf3b3a8ae6e4e5f",
        1,
        its -> {
          its.state = RunSummary.State.ENDED;
          its.nranks = 4;
          its.ranksSeen = 1;
          its.nodes = List.of("local");
          its.pods = List.of("llama-3-8b-node-0-0");
          its.instanceType = "g6e.8xlarge";
          its.ncclVersion = "2.27.3+cuda12.9";
          its.pluginVersion = "1.16.2";
          its.libfabricVersion = "2.1";
          its.network = "Socket";
          its.channels = 2;
          its.environment = Map.of("NCCL_SOCKET_IFNAME", "^docker0,lo");
          its.transports = List.of(new Transport("inter-node", "NET/Socket", 8, "NET/Libfabric"));
          its.checklist =
              List.of(
                  new Check("NCCL version", Check.Status.PASS, "2.27.3+cuda12.9", null),
                  new Check("plugin loaded", Check.Status.PASS, "Libfabric (v10)", null),
                  new Check(
                      "network in use", Check.Status.FAIL, "Socket, expected Libfabric", null),
                  new Check(
                      "every rank initialised", Check.Status.UNKNOWN, "1 of 4 have lines", null));
        });
  }

  static Finding fallback() {
    return finding(
        FindingKind.EFA_FALLBACK,
        Severity.CRITICAL,
        "llama-3-8b",
        "0xabf3b3a8ae6e4e5f",
        List.of(),
        null,
        null,
        "EFA was asked for but failed to start; all 4 ranks talk over TCP sockets.",
        "Libfabric over EFA (g6e.8xlarge has 1 adapter)",
        "Socket over eth0",
        Cost.UNKNOWN,
        "libfabric offers no EFA provider in this container: no /dev/infiniband device",
        List.of(
            evidence(
                null,
                LOG,
                2101,
                "llama-3-8b-node-0-0:152:386 [0] NCCL INFO NET/OFI No eligible"
                    + " providers were found"),
            evidence(
                null,
                LOG,
                2198,
                "[2025-12-28 16:04:25] llama-3-8b-node-0-0:152:386 [0] int"
                    + " nccl_net_ofi_create_plugin(nccl_net_ofi_plugin_t**):259 NCCL WARN NET/OFI Unable"
                    + " to find a protocol that worked.  Failing initialization."),
            evidence(
                null,
                LOG,
                3044,
                "llama-3-8b-node-0-0:152:386 [0] NCCL INFO Using network" + " Socket")));
  }

  static RunSummary straggledRun() {
    return RunSummary.of(
        new JobKey("", "", "llama-c"),
        "0x6f1c02e1d9aa310b",
        1,
        its -> {
          its.since = NOON;
          its.until = NOON.plusMillis(29_400);
          its.state = RunSummary.State.ENDED;
          its.nranks = 8;
          its.ranksSeen = 8;
          its.nodes = List.of("local");
          its.pods = List.of("llama-c-node-0-0", "llama-c-node-0-1");
          its.ncclVersion = "2.28.9+cuda13.0";
          its.network = "Socket";
          its.channels = 2;
          its.transports =
              List.of(
                  new Transport("intra-pod", "P2P/CUMEM", 96, "P2P/CUMEM"),
                  new Transport("intra-node", "NET/Socket", 8, "P2P/CUMEM"));
          its.checklist =
              List.of(
                  new Check(
                      "NCCL version", Check.Status.PASS, "2.28.9+cuda13.0 on all 8 ranks", null),
                  new Check("rings and trees connected", Check.Status.PASS, "2 channels", null));
          its.waits =
              new Waits(
                  3600,
                  100,
                  12.134,
                  "container",
                  IntStream.range(0, 8)
                      .mapToObj(
                          rank ->
                              new RankWait(
                                  rank,
                                  "local",
                                  "llama-c-node-0-" + rank / 4,
                                  null,
                                  rank == 6 ? 0.11 : 12.2 - rank / 10.0,
                                  rank == 6 ? 100 : 0,
                                  rank == 6 ? 12.134 : 0,
                                  null,
                                  null))
                      .toList());
        });
  }

  /// The same job started once more.
  static RunSummary again(RunSummary run, String id, int attempt) {
    return RunSummary.of(
        new JobKey(run.cluster(), run.namespace(), run.job()),
        id,
        attempt,
        its -> {
          its.since = run.since();
          its.until = run.until();
          its.state = run.state();
          its.nranks = run.nranks();
          its.ranksSeen = run.ranksSeen();
          its.nodes = run.nodes();
          its.pods = run.pods();
          its.instanceType = run.instanceType();
          its.ncclVersion = run.ncclVersion();
          its.pluginVersion = run.pluginVersion();
          its.libfabricVersion = run.libfabricVersion();
          its.network = run.network();
          its.channels = run.channels();
          its.environment = run.environment();
          its.transports = run.transports();
          its.checklist = run.checklist();
        });
  }

  static Finding straggler() {
    return finding(
        FindingKind.STRAGGLER,
        Severity.WARNING,
        "llama-c",
        "0x6f1c02e1d9aa310b",
        List.of(6),
        NOON.plusMillis(8_411),
        NOON.plusMillis(24_093),
        "Rank 6 keeps the 7 others waiting: it was last in 100 of 3,600 rounds, by 121 ms each.",
        "all ranks arrive within 5 ms",
        "rank 6 arrives 121 ms after the others",
        new Cost(84.9, 2.3),
        null,
        List.of(
            evidence(
                NOON.plusMillis(8_411),
                "pods/c1/trainer/0.log",
                284113,
                "llama-c-node-0-1:2675:2675 [2] NCCL INFO AllReduce: opCount 7a sendbuff"
                    + " 0x7f2e count 4194304 datatype 7 op 0 root 0 comm 0x55d1 [nranks=8]")));
  }

  static Finding splitPlacement() {
    return finding(
        FindingKind.SPLIT_PLACEMENT,
        Severity.WARNING,
        "llama-c",
        "0x6f1c02e1d9aa310b",
        List.of(0, 1, 2, 3, 4, 5, 6, 7),
        null,
        null,
        "8 ranks of one node sit in 2 pods and talk over sockets between them.",
        "",
        "",
        Cost.UNKNOWN,
        "one pod per 4 GPUs",
        List.of(evidence(NOON, "pods/c1/trainer/0.log", 1024, "… via NET/Socket/0")));
  }

  /// With the lines of the fallback's proof.
  static ReportContent account(List<RunSummary> runs, List<Finding> findings) {
    return ReportContent.of(input(), runs, findings)
        .with(
            new LineNumbers(
                Map.of(
                    new LineNumbers.Place(LOG, 2101), new LineNumbers.Line(LOG, 21),
                    new LineNumbers.Place(LOG, 2198), new LineNumbers.Line(LOG, 22),
                    new LineNumbers.Place(LOG, 3044), new LineNumbers.Line(LOG, 30))));
  }

  /// A finding whose every text is hostile to whoever shows it.
  static Finding hostile(String text) {
    return finding(
        FindingKind.NCCL_ERROR,
        Severity.WARNING,
        "job " + text,
        "run",
        List.of(),
        null,
        null,
        "summary " + text,
        text,
        text,
        Cost.UNKNOWN,
        text,
        List.of(evidence(null, "0:1,2 %.log", 7, text)));
  }

  static InputSummary input() {
    return new InputSummary(
        List.of(
            new InputSummary.File(
                LOG, "log", 137, 12_361, "local", "llama-3-8b-node-0-0", "llama-3-8b"),
            new InputSummary.File("nvidia-smi.csv", "nvidia-smi", 31, 59_850, "local", "", "")),
        137,
        null,
        List.of(
            new InputSummary.Skipped(
                "truth/t.rank0.csv", "CSV data that is no nvidia-smi" + " recording")));
  }

  static Evidence evidence(@Nullable Instant time, String file, long offset, String text) {
    var pod = file.equals(LOG) ? "llama-3-8b-node-0-0" : "llama-c-node-0-1";
    return new Evidence(time, "local", pod, file, offset, text);
  }

  static Finding finding(
      FindingKind kind,
      Severity severity,
      String job,
      String run,
      List<Integer> ranks,
      @Nullable Instant since,
      @Nullable Instant until,
      String summary,
      String expected,
      String observed,
      Cost cost,
      @Nullable String cause,
      List<Evidence> evidence) {
    return Finding.of(
        job + "|" + kind.label() + "|" + run,
        kind,
        severity,
        its -> {
          its.state = until == null ? Finding.State.ACTIVE : Finding.State.CLEARED;
          its.job = new JobKey("", "", job);
          its.run = run;
          its.ranks = ranks;
          its.nodes = List.of("local");
          its.pods = List.of(evidence.getFirst().pod());
          its.since = since;
          its.until = until;
          its.detectedAt = NOON;
          its.summary = summary;
          its.expected = expected;
          its.observed = observed;
          its.cost = cost;
          its.cause = cause;
          its.evidence = evidence;
        });
  }
}
