package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.publish.Job;
import io.ringside.streams.publish.Jobs;
import io.ringside.streams.publish.ResultsSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;

/// A job while it lives: its pods write, the clock goes on, and what Ringside shows of it can be
/// asked at any second. The shapes of the lines are those of NCCL 2.28.9 and torch 2.14.
final class LiveJob implements AutoCloseable {
  static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final int CALLS_A_SECOND = 2;

  private final TopologyTestDriver driver;
  private final TestInputTopic<String, LogChunk> logs;
  private final TestInputTopic<String, GpuSample> gpus;
  private final TestInputTopic<String, NodeReport> reports;
  private final TestInputTopic<String, NodeTopology> topologies;
  private final TestOutputTopic<String, Finding> findingTopic;
  private final TestOutputTopic<String, RunSummary> runTopic;
  private final Map<String, WrittenLog> pods = new LinkedHashMap<>();
  private final Map<String, String> nodes = new LinkedHashMap<>();
  private final Map<String, String> jobs = new HashMap<>();
  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private final Map<String, RunSummary> runs = new LinkedHashMap<>();
  private final List<RunSummary> published = new ArrayList<>();
  private Instant now = T0;

  LiveJob(Path stateDir) {
    driver = TestTopics.driver(stateDir, T0);
    logs = TestTopics.input(driver, Topics.LOGS);
    gpus = TestTopics.input(driver, Topics.GPU);
    reports = TestTopics.input(driver, Topics.NODE);
    topologies = TestTopics.input(driver, Topics.TOPOLOGY);
    findingTopic = TestTopics.output(driver, Topics.FINDINGS);
    runTopic = TestTopics.output(driver, Topics.RUNS);
  }

  /// A start of the job: one rank a pod, each pod on a node of its own.
  final class Start {
    private final String commId;
    private final List<String> names;
    private final int firstPid;
    private long calls;

    private Start(String commId, List<String> names, int firstPid) {
      this.commId = commId;
      this.names = names;
      this.firstPid = firstPid;
    }

    /// Initialises the world over this transport.
    Start init(String transport) {
      for (int rank = 0; rank < names.size(); rank++) {
        int next = (rank + 1) % names.size();
        nccl(rank, "NCCL version 2.28.9+cuda13.0");
        nccl(rank, "Using network " + (transport.startsWith("NET/IB") ? "IB" : "Socket"));
        nccl(rank, "ncclCommInitRankConfig " + comm(rank) + " commId " + commId + " - Init START");
        nccl(rank, "Channel 00/0 : %d[0] -> %d[0] [send] via %s".formatted(rank, next, transport));
        nccl(
            rank,
            "ncclCommInitRankConfig " + comm(rank) + " commId " + commId + " - Init COMPLETE");
      }
      send();
      return this;
    }

    /// Trains for so many seconds: all ranks make all calls.
    Start train(int seconds) {
      return train(seconds, 0);
    }

    /// Trains for so many seconds; the last rank comes late to each second call.
    Start train(int seconds, double late) {
      for (int i = 0; i < seconds * CALLS_A_SECOND; i++) {
        for (int rank = 0; rank < names.size(); rank++) {
          call(rank, rank == names.size() - 1 && i % 2 == 1 ? late : 0);
        }
        calls++;
        pass(1.0 / CALLS_A_SECOND);
      }
      return this;
    }

    /// One rank makes its next call.
    Start call(int rank) {
      return call(rank, 0);
    }

    private Start call(int rank, double late) {
      return nccl(
          rank,
          late,
          "AllReduce: opCount %x sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count 1048576 datatype 7 op 0 root 0 comm %s [nranks=%d] stream 0x5580"
              .formatted(calls, pointer(rank), names.size()));
    }

    /// One rank gathers where it should reduce.
    Start gather(int rank) {
      return nccl(
          rank,
          "AllGather: opCount %x sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count 1048576 datatype 7 op 0 root 0 comm %s [nranks=%d] stream 0x5580"
              .formatted(calls, pointer(rank), names.size()));
    }

    /// Two stages of a pipeline exchange once a second.
    Start exchange(int seconds) {
      for (int i = 0; i < seconds; i++) {
        post(0, "Send", 1).post(1, "Recv", 0).post(1, "Send", 0).post(0, "Recv", 1);
        pass(1);
      }
      return this;
    }

    /// One rank posts a Send or Recv.
    Start post(int rank, String operation, int peer) {
      return nccl(
          rank,
          "%s: opCount 0 sendbuff (nil) recvbuff 0x7f0000000000 count 1048576 datatype 7 op 0 root %d comm %s [nranks=%d] stream 0x5580"
              .formatted(operation, peer, pointer(rank), names.size()));
    }

    Start destroy(int rank) {
      return nccl(rank, comm(rank) + " - Destroy COMPLETE");
    }

    Start nccl(int rank, String message) {
      return nccl(rank, 0, message);
    }

    private Start nccl(int rank, double late, String message) {
      return line(
          rank,
          late,
          "%s:%d:%d [0] NCCL INFO %s".formatted(names.get(rank), firstPid, firstPid, message));
    }

    Start line(int rank, String text) {
      return line(rank, 0, text);
    }

    private Start line(int rank, double late, String text) {
      log(names.get(rank)).add(nanos() + Math.round(late * 1e9), text);
      return this;
    }

    private String comm(int rank) {
      return "comm %s rank %d nranks %d cudaDev 0 nvmlDev 0 busId 1b000"
          .formatted(pointer(rank), rank, names.size());
    }

    private String pointer(int rank) {
      return "0x55d0%s%d".formatted(commId.substring(2, 6), rank);
    }
  }

  /// Begins a start of the job in these pods, each on the node that comes behind its `@`; of
  /// another job where one more says so.
  Start start(String commId, int pid, String... podsAtNodes) {
    var names = new ArrayList<String>();
    for (var each : podsAtNodes) {
      var parts = each.split("@");
      names.add(parts[0]);
      nodes.put(parts[0], parts[1]);
      jobs.put(parts[0], parts.length > 2 ? parts[2] : "llama");
    }
    return new Start(commId, names, pid);
  }

  private WrittenLog log(String pod) {
    return pods.computeIfAbsent(
        pod,
        name ->
            new WrittenLog(
                Objects.requireNonNull(nodes.get(name)),
                name,
                Objects.requireNonNull(jobs.get(name))));
  }

  private long nanos() {
    return Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L) + now.getNano();
  }

  /// Sends what was written.
  void send() {
    pods.forEach(
        (pod, log) ->
            log.cut(false).forEach(chunk -> logs.pipeInput(chunk.source().node(), chunk, now)));
  }

  /// An agent sends what is no pod's log.
  void tell(LogChunk chunk) {
    logs.pipeInput(chunk.source().node(), chunk, now);
  }

  /// An agent reports.
  void report(NodeReport report) {
    reports.pipeInput(report.node(), report, now);
  }

  /// An agent tells how its node's GPUs hang together.
  void topology(NodeTopology topology) {
    topologies.pipeInput(topology.node(), topology, now);
  }

  /// What nvidia-smi says on each node now.
  ///
  /// @param busy utilization in percent, one GPU a node, in the order of the pods
  void gpus(double... busy) {
    int each = 0;
    for (var node : new TreeSet<>(nodes.values())) {
      var reading =
          new GpuReading(
              0,
              "0000:1b:00.0",
              "",
              "",
              busy[each++],
              1.0,
              1.0,
              150.0,
              700.0,
              40.0,
              1980.0,
              1980.0,
              0L,
              0L,
              null,
              null);
      gpus.pipeInput(node, new GpuSample("c", node, now, List.of(reading)), now);
    }
  }

  /// The pod's file is gone.
  void delete(String pod) {
    log(pod).cut(true).forEach(chunk -> logs.pipeInput(chunk.source().node(), chunk, now));
  }

  /// Sends what was written, and lets time pass.
  LiveJob pass(double seconds) {
    send();
    var rest = Duration.ofMillis(Math.round(1000 * seconds));
    while (rest.isPositive()) {
      var step = rest.compareTo(Duration.ofSeconds(1)) > 0 ? Duration.ofSeconds(1) : rest;
      now = now.plus(step);
      driver.advanceWallClockTime(step);
      rest = rest.minus(step);
    }
    findingTopic.readKeyValuesToList().forEach(each -> put(findings, each.key, each.value));
    runTopic
        .readKeyValuesToList()
        .forEach(
            each -> {
              put(runs, each.key, each.value);
              if (each.value != null) {
                published.add(each.value);
              }
            });
    return this;
  }

  private static <T> void put(Map<String, T> map, String key, T value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }

  Instant now() {
    return now;
  }

  /// As page, API and metrics see it.
  Job shown() {
    return Jobs.of(
            new ResultsSnapshot(
                List.copyOf(runs.values()), List.copyOf(findings.values()), List.of()))
        .all()
        .getFirst();
  }

  RunSummary run(String commId) {
    return runs.values().stream().filter(run -> run.run().equals(commId)).findFirst().orElseThrow();
  }

  /// Every line of the ledger that was published, in order.
  List<RunSummary> published() {
    return published;
  }

  Optional<Finding> found(FindingKind kind, String commId) {
    return findings.values().stream()
        .filter(finding -> finding.kind() == kind && finding.run().equals(commId))
        .findFirst();
  }

  List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  @Override
  public void close() {
    driver.close();
  }
}
