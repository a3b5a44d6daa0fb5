package io.ringside.streams.parse.inspector;

import io.ringside.streams.parse.inspector.CallLine.Field;
import io.ringside.streams.parse.plain.Document;
import io.ringside.streams.parse.plain.Json;
import io.ringside.streams.parse.plain.PlainValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A whole file of NCCL Inspector: one JSON object per line, or lines in Prometheus' text format
/// (2.29, whose labels give rank and call). The format of 2.30 has means over windows without ranks
/// and cannot show which rank is late.
public final class InspectorFile {
  private static final Pattern METRIC =
      Pattern.compile(
          "nccl_collective_exec_time_microseconds\\{([^}]*)\\}\\s+([0-9.eE+]{1,30})(?:\\s.*)?");
  private static final Pattern MEAN =
      Pattern.compile("(?m)^nccl_\\w{1,60}\\{[^}\\n]{0,400}\\bcomm_name=\"");

  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

  /// Highest number of calls that are read from one file.
  private static final int MOST = 1_000_000;

  /// Faster than any link, in GB/s.
  private static final double MOST_GBPS = 100_000;

  private final CallLine usual = new CallLine();
  private final Map<Key, Calls> calls = new LinkedHashMap<>();
  private int read;

  private InspectorFile() {}

  /// Whether a text with this beginning is such a file.
  public static boolean recognises(String head) {
    var start = head.stripLeading();
    boolean json =
        start.startsWith("{")
            && start.contains("\"header\"")
            && start.contains("\"n_ranks\"")
            && start.contains("_perf\"");
    return json
        || start.startsWith("nccl_bus_bandwidth_gbs{")
        || start.startsWith("nccl_collective_exec_time_microseconds{")
        || start.startsWith("nccl_p2p_")
        || start.startsWith("# HELP nccl_");
  }

  /// Whether the text has means over many calls, which name no rank (2.30 and later).
  public static boolean means(String text) {
    return MEAN.matcher(text).find();
  }

  /// The times of the file's collectives, by communicator and operation. Damaged lines and lines of
  /// another kind are left out.
  public static List<InspectorTimes> read(String text) {
    var file = new InspectorFile();
    text.lines().limit(MOST).forEach(file::line);
    return file.calls.entrySet().stream()
        .map(entry -> entry.getValue().times(entry.getKey()))
        .toList();
  }

  private void line(String line) {
    if (usual.take(line)) {
      usual();
    } else if (line.startsWith("{")) {
      if (Json.read(line) instanceof Document.Read(var root)) {
        json(root);
      }
    } else {
      metric(line);
    }
  }

  private void usual() {
    add(
        new Key(
            usual.text(Field.ID),
            (int) usual.whole(Field.RANK, -1),
            (int) usual.whole(Field.RANKS, -1),
            (int) usual.whole(Field.NODES, -1),
            usual.text(Field.OPERATION),
            usual.text(Field.HOST),
            (int) usual.whole(Field.PID, -1)),
        usual.whole(Field.SEQUENCE, -1),
        usual.whole(Field.MICROS, -1),
        usual.whole(Field.RECORDED_AT, 0),
        onGpu(usual.text(Field.TIMED_BY)) ? usual.real(Field.BUS_BANDWIDTH) : 0,
        usual.whole(Field.BYTES, 0));
  }

  private void json(PlainValue root) {
    var header = root.field("header");
    var metadata = root.field("metadata");
    var perf = root.field("coll_perf");
    add(
        new Key(
            header.field("id").text(),
            (int) header.field("rank").whole(-1),
            (int) header.field("n_ranks").whole(-1),
            (int) header.field("nnodes").whole(-1),
            perf.field("coll").text(),
            metadata.field("hostname").text(),
            (int) metadata.field("pid").whole(-1)),
        perf.field("coll_sn").whole(-1),
        perf.field("coll_exec_time_us").whole(-1),
        metadata.field("dump_timestamp_us").whole(0),
        onGpu(perf.field("coll_timing_source").text()) ? perf.field("coll_busbw_gbs").real() : 0,
        perf.field("coll_msg_size_bytes").whole(0));
  }

  /// Whether the GPU measured the time. Times of the CPU include more than the call (`kernel_cpu`,
  /// `collective_cpu`). 2.28.3 does not give the source yet.
  private static boolean onGpu(String source) {
    return source.isEmpty() || source.equals("kernel_gpu");
  }

  private void metric(String line) {
    var matcher = METRIC.matcher(line);
    if (!matcher.matches()) {
      return;
    }
    var labels = new LinkedHashMap<String, String>();
    var each = LABEL.matcher(matcher.group(1));
    while (each.find()) {
      labels.put(each.group(1), each.group(2));
    }
    add(
        new Key(
            labels.getOrDefault("comm_id", ""),
            (int) number(labels.get("rank")).orElse(-1L).longValue(),
            (int) number(labels.get("n_ranks")).orElse(-1L).longValue(),
            -1,
            labels.getOrDefault("collective", ""),
            labels.getOrDefault("hostname", ""),
            (int) number(labels.get("pid")).orElse(-1L).longValue()),
        number(labels.get("coll_sn")).orElse(-1L),
        number(matcher.group(2)).orElse(-1L),
        number(labels.get("timestamp")).orElse(0L),
        0,
        0);
  }

  private static Optional<Long> number(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of((long) Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private void add(Key key, long sequence, long micros, long at, double busGBps, long bytes) {
    if (key.comm().isEmpty()
        || key.op().isEmpty()
        || key.rank() < 0
        || key.rank() >= key.nranks()
        || sequence < 0
        || micros < 0
        || ++read > MOST) {
      return;
    }
    var own =
        calls.computeIfAbsent(
            key.comm().startsWith("0x")
                ? key
                : new Key(
                    "0x" + key.comm(),
                    key.rank(),
                    key.nranks(),
                    key.nnodes(),
                    key.op(),
                    key.host(),
                    key.pid()),
            _ -> new Calls());
    own.sequences.add(sequence);
    own.micros.add((int) Math.min(Integer.MAX_VALUE, micros));
    own.at.add(at);
    own.busGBps.add(busGBps > 0 ? Math.min(MOST_GBPS, busGBps) : 0);
    own.bytes.add(Math.max(0, bytes));
  }

  private record Key(
      String comm, int rank, int nranks, int nnodes, String op, String host, int pid) {}

  private static final class Calls {
    final LongStream.Builder sequences = LongStream.builder();
    final IntStream.Builder micros = IntStream.builder();
    final LongStream.Builder at = LongStream.builder();
    final DoubleStream.Builder busGBps = DoubleStream.builder();
    final LongStream.Builder bytes = LongStream.builder();

    InspectorTimes times(Key key) {
      return new InspectorTimes(
          key.comm(),
          key.rank(),
          key.nranks(),
          key.nnodes(),
          key.op(),
          key.host(),
          key.pid(),
          sequences.build().toArray(),
          micros.build().toArray(),
          floats(busGBps.build().toArray()),
          bytes.build().toArray(),
          at.build().toArray());
    }

    private static float[] floats(double[] values) {
      var floats = new float[values.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) values[i];
      }
      return floats;
    }
  }
}
