package io.ringside.lab.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What agents with every witness on send of a healthy job, beside its logs and samples: a report
/// each five seconds, with counters of ports and TCP each minute and of GPUs each five; what RAS
/// answers, each minute from the node of rank 0; what NCCL Inspector measured of each call on each
/// rank, ten seconds at a time; and each ten minutes an Xid of the program's own and a dump of each
/// rank's flight recorder. Not thread-safe.
final class WitnessTrace {
  private static final double REPORT = 5;
  private static final double PORTS = 60;
  private static final double GPUS = 300;
  private static final double RAS = 60;
  private static final double XID = 600;
  private static final double INSPECTOR = 10;
  private static final double DUMPS = 600;

  /// Calls of a dump, and their bytes.
  private static final int DUMPED = 200;

  private static final int BYTES = 64 << 20;
  private static final long EPOCH = 1;

  private final JobPlan plan;
  private final Layout layout;
  private final NodeClock clock;
  private final double callsPerSecond;
  private long answers;
  private long xids;
  private long inspected;
  private long dumped;

  /// @param callsPerSecond of each rank
  WitnessTrace(JobPlan plan, Layout layout, NodeClock clock, double callsPerSecond) {
    this.plan = plan;
    this.layout = layout;
    this.clock = clock;
    this.callsPerSecond = callsPerSecond;
  }

  /// Sends what falls between two moments, seconds after the job's begin.
  void send(double from, double to, Consumer<Sent> out) {
    for (int node = 0; node < plan.nodes(); node++) {
      // agents do not beat as one
      double phase = node * 0.37 % REPORT;
      for (double at = first(from, REPORT, phase); at < to; at += REPORT) {
        out.accept(new Sent(clock.nanos(at), report(node, at)));
      }
    }
    for (double at = first(from, RAS, 7); at < to; at += RAS) {
      out.accept(new Sent(clock.nanos(at), ras(at)));
    }
    for (double at = first(from, XID, 120); at < to; at += XID) {
      out.accept(new Sent(clock.nanos(at), xid(at)));
    }
    for (double at = first(from, INSPECTOR, 3); at < to; at += INSPECTOR) {
      for (int rank = 0; rank < plan.ranks(); rank++) {
        out.accept(new Sent(clock.nanos(at), inspector(rank, at)));
      }
      inspected++;
    }
    // jobs do not stand still as one
    for (double at = first(from, DUMPS, Math.floorMod(plan.seed() * 31, (long) DUMPS));
        at < to;
        at += DUMPS) {
      for (int rank = 0; rank < plan.ranks(); rank++) {
        out.accept(new Sent(clock.nanos(at), dump(rank, at)));
      }
      dumped++;
    }
  }

  private static double first(double from, double every, double phase) {
    return phase + every * Math.ceil((from - phase) / every);
  }

  private NodeReport report(int node, double at) {
    return new NodeReport(
        "eu-1",
        Layout.nodeName(plan, node),
        instant(at),
        REPORT,
        new NodeReport.Agent(
            "0.2.0",
            Instant.parse("2026-11-20T00:00:00Z"),
            List.of("logs", "gpu", "kernel", "ras", "hardware"),
            List.of()),
        new GpuSensor(GpuSensor.State.OK, 0.4, 1, 0, 0, ""),
        new NodeReport.Logs(plan.podsPerNode(), 0, 0, Math.round(100 * at), 0),
        IntStream.range(0, plan.machine().nics()).mapToObj(nic -> network(nic, at)).toList(),
        hardware(at));
  }

  private static NetworkInterface network(int nic, double at) {
    long bytes = Math.round(2e9 * at) + nic;
    return new NetworkInterface(
        "rdmap%ds0".formatted(nic), 1, NetworkInterface.Kind.EFA, bytes, bytes, 2e9, 2e9);
  }

  private List<HardwareCounters> hardware(double at) {
    var counters = new ArrayList<HardwareCounters>();
    if (at % PORTS < REPORT) {
      for (int nic = 0; nic < plan.machine().nics(); nic++) {
        counters.add(
            new HardwareCounters(
                HardwareCounters.Kind.PORT,
                "rdmap%ds0/1".formatted(nic),
                Map.of(
                    "tx_pkts", Math.round(240_000 * at),
                    "rx_pkts", Math.round(240_000 * at),
                    "rx_drops", 0L,
                    "retrans_pkts", Math.round((3 + nic % 5) * at),
                    "retrans_timeout_events", 0L,
                    "unresponsive_remote_events", 0L,
                    "impaired_remote_conn_events", 0L)));
      }
      counters.add(
          new HardwareCounters(
              HardwareCounters.Kind.TCP,
              "",
              Map.of("OutSegs", Math.round(9_000 * at), "RetransSegs", Math.round(2 * at))));
    }
    if (at % GPUS < REPORT) {
      for (int gpu = 0; gpu < plan.machine().gpus(); gpu++) {
        counters.add(
            new HardwareCounters(
                HardwareCounters.Kind.GPU,
                plan.machine().busId(gpu),
                Map.ofEntries(
                    Map.entry(HardwareCounters.Gpu.NVLINKS, 18L),
                    Map.entry(HardwareCounters.Gpu.NVLINKS_INACTIVE, 0L),
                    Map.entry(HardwareCounters.Gpu.NVLINK_REPLAYS, 0L),
                    Map.entry(HardwareCounters.Gpu.NVLINK_RECOVERIES, 0L),
                    Map.entry(HardwareCounters.Gpu.NVLINK_CRC, 0L),
                    Map.entry(HardwareCounters.Gpu.PCIE_GEN, 5L),
                    Map.entry(HardwareCounters.Gpu.PCIE_GEN_MAX, 5L),
                    Map.entry(HardwareCounters.Gpu.PCIE_WIDTH, 16L),
                    Map.entry(HardwareCounters.Gpu.PCIE_WIDTH_MAX, 16L),
                    Map.entry(HardwareCounters.Gpu.BUSY, 97L),
                    Map.entry(HardwareCounters.Gpu.ECC_CORRECTED, 0L),
                    Map.entry(HardwareCounters.Gpu.ROWS_PENDING, 0L),
                    Map.entry(HardwareCounters.Gpu.ROWS_FAILED, 0L))));
      }
    }
    return counters;
  }

  private LogChunk ras(double at) {
    long launched = Math.round(at * callsPerSecond);
    var comms = new ArrayList<String>();
    for (int comm = 0; comm < plan.schedule().comms().size(); comm++) {
      var members = layout.members(comm, 0);
      var ranks = new ArrayList<String>();
      for (int rank : members) {
        ranks.add(
            """
            {"rank": %d, "host": "10.0.0.%d", "pid": %d, "cuda_dev": %d, "nvml_dev": %d, "status": {"init_state": 0, \
            "async_error": 0, "finalize_called": false, "destroy_flag": false, "abort_flag": false}, "collective_counts": \
            {"Broadcast": 1, "Reduce": 0, "AllGather": 0, "ReduceScatter": 0, "AllReduce": %d}}"""
                .formatted(
                    layout.rankIn(comm, rank),
                    layout.place(rank).node(),
                    layout.place(rank).pid(),
                    layout.place(rank).local(),
                    layout.place(rank).gpu(),
                    launched));
      }
      comms.add(
          "{\"hash\": \"%s\", \"size\": %d, \"ranks\": [%s], \"missing_ranks\": []}"
              .formatted(layout.id(comm, 0), members.length, String.join(",\n", ranks)));
    }
    var answer =
        "### %d.000 json 0.004s\n{\"nccl_version\": \"2.28.9\", \"communicators_count\": %d, \"communicators\": [%s]}\n"
            .formatted(instant(at).getEpochSecond(), comms.size(), String.join(",\n", comms));
    long number = answers++;
    return chunk(
        "ras 127.0.0.1:28028",
        number,
        PackedWitness.line(PackedWitness.RAS, answer.getBytes(UTF_8)).orElseThrow(),
        at);
  }

  private LogChunk inspector(int rank, double at) {
    var place = layout.place(rank);
    long calls = Math.max(1, Math.round(INSPECTOR * callsPerSecond));
    var lines = new StringBuilder();
    for (long call = inspected * calls; call < (inspected + 1) * calls; call++) {
      // the rank that comes last is another one each time
      long micros = 900 + 37L * Math.floorMod(rank - call, plan.ranks());
      lines.append(
          """
          {"header":{"id":"%s","comm_name":"unknown","rank":%d,"n_ranks":%d,"nnodes":%d},"metadata":{"inspector_output_format_version":"v4.0",\
          "git_rev":"","rec_mechanism":"nccl_profiler_interface","dump_timestamp_us":%d,"hostname":"%s","pid":%d},"coll_perf":{"coll":"AllReduce",\
          "coll_sn":%d,"coll_msg_size_bytes":%d,"coll_exec_time_us":%d,"coll_timing_source":"kernel_gpu","coll_algobw_gbs":%.6f,"coll_busbw_gbs":%.6f}}
          """
              .formatted(
                  layout.id(0, rank).substring(0, 16),
                  layout.rankIn(0, rank),
                  layout.size(0, rank),
                  plan.nodes(),
                  Nanos.of(instant(at)) / 1000,
                  place.host(),
                  place.pid(),
                  call,
                  BYTES,
                  micros,
                  BYTES / 1e3 / micros,
                  2 * BYTES / 1e3 / micros));
    }
    return chunk(
        beside(rank, "inspector/%s-pid%d.log".formatted(place.host(), place.pid())),
        inspected,
        PackedWitness.line(PackedWitness.INSPECTOR, lines.toString().getBytes(UTF_8)).orElseThrow(),
        at);
  }

  private LogChunk dump(int rank, double at) {
    long last = Math.round(at * callsPerSecond);
    var entries =
        IntStream.range(0, DUMPED)
            .mapToObj(
                entry ->
                    """
                    {"record_id": %d, "pg_id": 0, "process_group": ["0", "default_pg"], "collective_seq_id": %d, "p2p_seq_id": 0, "op_id": %d, \
                    "profiling_name": "nccl:all_reduce", "time_created_ns": %d, "input_sizes": [[16777216]], "input_dtypes": ["Float"], "output_sizes": [[16777216]], \
                    "state": "completed", "retired": true, "is_p2p": false, "frames": [{"name": "step", "filename": "/app/train.py", "line": 88}]}"""
                        .formatted(
                            entry,
                            last + entry,
                            last + entry,
                            Nanos.of(instant(at)) - (DUMPED - entry) * 1_000_000L))
            .collect(Collectors.joining(","));
    var all =
        IntStream.range(0, plan.ranks())
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(", "));
    var text =
        """
        {"version": "2.10", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[%s]"}}, "comm_lib_version": "2.28.9", \
        "pg_status": {"0": {"last_enqueued_collective": %d, "last_started_collective": %d, "last_completed_collective": %d}}, "entries": [%s]}"""
            .formatted(all, last + DUMPED - 1, last + DUMPED - 1, last + DUMPED - 1, entries);
    return chunk(
        beside(rank, "dumps/nccl_trace_rank_" + rank),
        dumped,
        PackedWitness.line(PackedWitness.FLIGHT_RECORDER, text.getBytes(UTF_8)).orElseThrow(),
        at);
  }

  /// A file in a folder of the rank's pod.
  private LogSource beside(int rank, String file) {
    var log = JobGenerator.source(plan, layout, layout.place(rank).pod(), 0);
    return new LogSource(
        log.cluster(),
        log.node(),
        log.namespace(),
        log.pod(),
        log.podUid(),
        "",
        log.job(),
        "/witness/%s_%s/%s".formatted(log.namespace(), log.pod(), file));
  }

  private LogChunk xid(double at) {
    return chunk(
        "kernel",
        xids++,
        "NVRM: Xid (PCI:%s): 13, pid=%d, name=python3, Graphics SM Warp Exception on (GPC 3, TPC 1, SM 0): Out Of Range Address"
            .formatted(plan.machine().busId(0).replaceFirst("\\.\\d$", ""), layout.place(0).pid()),
        at);
  }

  private LogChunk chunk(String file, long number, String line, double at) {
    return chunk(LogSource.ofNode("eu-1", Layout.nodeName(plan, 0), file), number, line, at);
  }

  private LogChunk chunk(LogSource source, long number, String line, double at) {
    return new LogChunk(
        source,
        EPOCH,
        number,
        number,
        number + 1,
        instant(at),
        true,
        false,
        Text.of(line),
        new int[] {0},
        Nanos.of(instant(at)),
        new long[] {0},
        new int[0]);
  }

  private Instant instant(double at) {
    return Nanos.instant(clock.shown(clock.nanos(at)));
  }
}
