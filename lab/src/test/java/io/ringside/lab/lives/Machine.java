package io.ringside.lab.lives;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A machine with one GPU, its clock, its containers' logs and its agent.
final class Machine {
  /// As NCCL and nvidia-smi print it.
  static final String BUS = "1b000";

  private static final String BUS_ID = "0000:1b:00.0";
  private static final int REPORT_SECONDS = 10;
  private static final Duration COUNTED = Duration.ofMinutes(1);

  private final String name;
  private final Map<String, LogFile> logs = new LinkedHashMap<>();
  private Duration ahead = Duration.ZERO;
  private boolean agent = true;
  private boolean there = true;
  private Instant agentSince = Instant.EPOCH;
  private Instant reportedAt = Instant.EPOCH;
  private Instant sampledAt = Instant.EPOCH;
  private Use use = Use.FREE;
  private long throttleReasons;
  private @Nullable String error;
  private GpuSensor.State sensor = GpuSensor.State.OK;
  private long packets;
  private long retransmits;
  private Instant countedAt = Instant.EPOCH;

  /// What the GPU does.
  enum Use {
    FREE(0, 5, 90),
    WORKS(85, 60_000, 600),
    /// A kernel of NCCL waits for a peer.
    SPINS(100, 60_000, 320),
    /// The process is there and does something else.
    RESTS(0, 60_000, 120);

    private final double percent;
    private final double memoryMiB;
    private final double watts;

    Use(double percent, double memoryMiB, double watts) {
      this.percent = percent;
      this.memoryMiB = memoryMiB;
      this.watts = watts;
    }
  }

  Machine(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  LogFile log(String namespace, String pod, String job) {
    return logs.computeIfAbsent(pod, _ -> new LogFile(name, namespace, pod, job));
  }

  /// Whether the pod's log was gone before an agent came.
  boolean unseen(String pod) {
    var log = logs.get(pod);
    return log != null && log.unseen();
  }

  Instant clock(Instant now) {
    return now.plus(ahead);
  }

  void setClock(Duration byThatMuchAhead) {
    ahead = byThatMuchAhead;
  }

  void gpu(Use now) {
    use = now;
  }

  /// By these of NVML's clocks event reasons from now on.
  void throttle(long reasons) {
    throttleReasons = reasons;
  }

  /// The GPU says this of itself from now on, instead of its readings; null for nothing.
  void breaks(@Nullable String what) {
    error = what;
  }

  /// How its nvidia-smi does from now on.
  void senses(GpuSensor.State state) {
    sensor = state;
  }

  /// Its port counts so many more packets that were sent again.
  void resend(long packets) {
    retransmits += packets;
  }

  void stopAgent() {
    agent = false;
  }

  void startAgent(Instant now) {
    agent = true;
    agentSince = now;
    logs.values().forEach(LogFile::reopen);
  }

  /// It is gone with all that runs on it.
  void lose() {
    there = false;
  }

  void comeBack(Instant now) {
    there = true;
    startAgent(now);
  }

  /// Whether its agent is.
  boolean heard() {
    return agent && there;
  }

  boolean there() {
    return there;
  }

  List<LogChunk> chunks(Instant now) {
    var chunks = new ArrayList<LogChunk>();
    if (heard()) {
      logs.values().forEach(log -> chunks.addAll(log.read(now, clock(now))));
    }
    return chunks;
  }

  List<GpuSample> samples(Instant now) {
    if (!heard() || sensor != GpuSensor.State.OK || now.isBefore(sampledAt.plusSeconds(1))) {
      return List.of();
    }
    sampledAt = now;
    var reading =
        new GpuReading(
            0,
            BUS_ID,
            "GPU-" + name,
            "NVIDIA H100 80GB HBM3",
            use.percent,
            use.memoryMiB,
            81_559.0,
            use.watts,
            700.0,
            50.0,
            1980.0,
            1980.0,
            throttleReasons,
            0L,
            error,
            null);
    return List.of(new GpuSample("c", name, clock(now), List.of(reading)));
  }

  List<NodeReport> reports(Instant now) {
    if (!heard() || now.isBefore(reportedAt.plusSeconds(REPORT_SECONDS))) {
      return List.of();
    }
    reportedAt = now;
    return List.of(
        new NodeReport(
            "c",
            name,
            clock(now),
            REPORT_SECONDS,
            new NodeReport.Agent("0.2", agentSince, List.of("logs", "gpu"), List.of()),
            new GpuSensor(sensor, 0.5, 1, sensor == GpuSensor.State.OK ? 0 : 10, 0, ""),
            new NodeReport.Logs(logs.size(), 0, 0, 0, 0),
            List.of(),
            now.isBefore(countedAt.plus(COUNTED)) ? List.of() : counters(now)));
  }

  private List<HardwareCounters> counters(Instant now) {
    countedAt = now;
    return List.of(
        new HardwareCounters(
            HardwareCounters.Kind.PORT,
            "mlx5_0/1",
            Map.of("port_rcv_packets", packets += 100_000_000, "packet_seq_err", retransmits)));
  }
}
