package io.ringside.streams.parse.flightrecorder;

import io.ringside.streams.parse.plain.PickleWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A dump of one rank, written by hand in the form of PyTorch 2.11.
public final class RecordedDump {
  private static final long EPOCH = 1_700_000_000_000_000_000L;

  private final int rank;
  private final Map<String, Map<String, Object>> config = new LinkedHashMap<>();
  private final Map<String, long[]> status = new LinkedHashMap<>();
  private final List<Map<String, @Nullable Object>> entries = new ArrayList<>();
  private final Map<String, Long> pairs = new LinkedHashMap<>();
  private long paused;
  private String type = "Float";

  private RecordedDump(int rank) {
    this.rank = rank;
  }

  /// The world's group has the name 0.
  public static RecordedDump of(int rank, int ranks) {
    var all = new ArrayList<Integer>();
    for (int i = 0; i < ranks; i++) {
      all.add(i);
    }
    return new RecordedDump(rank).group("0", "default_pg", all);
  }

  public RecordedDump group(String name, String description, List<Integer> ranks) {
    config.put(name, Map.of("name", name, "desc", description, "ranks", ranks.toString()));
    status.put(name, new long[] {0, 0, 0});
    return this;
  }

  /// What comes next is called so much later.
  public RecordedDump after(long millis) {
    paused += millis;
    return this;
  }

  /// What comes next is made of numbers of this type, and not of `Float`.
  public RecordedDump of(String type) {
    this.type = type;
    return this;
  }

  public RecordedDump done(String group, String operation, int size) {
    return collective(group, operation, size, "completed");
  }

  public RecordedDump started(String group, String operation, int size) {
    return collective(group, operation, size, "started");
  }

  public RecordedDump waits(String group, String operation, int size) {
    return collective(group, operation, size, "scheduled");
  }

  private RecordedDump collective(String group, String operation, int size, String state) {
    var counts = counts(group);
    counts[0]++;
    counts[1] += state.equals("scheduled") ? 0 : 1;
    counts[2] += state.equals("completed") ? 1 : 0;
    entries.add(entry(group, operation, size, state, counts[0], 0));
    return this;
  }

  /// @param operation `send 0->1`, ranks within the group
  public RecordedDump pair(String group, String operation, boolean done) {
    long number = pairs.merge(group, 1L, Long::sum);
    entries.add(entry(group, operation, 64, done ? "completed" : "scheduled", 0, number));
    return this;
  }

  private long[] counts(String group) {
    var counts = status.get(group);
    if (counts == null) {
      throw new IllegalArgumentException(group);
    }
    return counts;
  }

  private Map<String, @Nullable Object> entry(
      String group, String operation, int size, String state, long number, long pair) {
    var config = this.config.getOrDefault(group, Map.of());
    var entry = new LinkedHashMap<String, @Nullable Object>();
    entry.put("record_id", entries.size());
    entry.put("pg_id", Long.parseLong(group));
    entry.put("process_group", List.of(group, String.valueOf(config.get("desc"))));
    entry.put("collective_seq_id", number);
    entry.put("p2p_seq_id", pair);
    entry.put("op_id", entries.size() + 1);
    entry.put("profiling_name", "nccl:" + operation);
    entry.put("time_created_ns", EPOCH + (paused + entries.size()) * 1_000_000L);
    entry.put("input_sizes", List.of(List.of(size)));
    entry.put("input_dtypes", List.of(type));
    entry.put("output_sizes", List.of(List.of(size)));
    entry.put("state", state);
    entry.put(
        "time_discovered_started_ns",
        state.equals("scheduled") ? null : EPOCH + entries.size() * 1_000_000L);
    entry.put(
        "time_discovered_completed_ns",
        state.equals("completed") ? EPOCH + entries.size() * 1_000_000L : null);
    entry.put("retired", state.equals("completed"));
    entry.put("is_p2p", pair > 0);
    entry.put(
        "frames",
        List.of(
            Map.of(
                "name",
                "all_reduce",
                "filename",
                "/venv/lib/python3.12/site-packages/torch/distributed/c.py",
                "line",
                9),
            Map.of("name", "step", "filename", "/app/train.py", "line", 88)));
    return entry;
  }

  /// The document.
  public Map<String, Object> document() {
    var counted = new LinkedHashMap<String, Object>();
    status.forEach(
        (name, counts) ->
            counted.put(
                name,
                Map.of(
                    "last_enqueued_collective", counts[0],
                    "last_started_collective", counts[1],
                    "last_completed_collective", counts[2])));
    var root = new LinkedHashMap<String, Object>();
    root.put("version", "2.10");
    root.put("pg_config", config);
    root.put("comm_lib_version", "2.28.9");
    root.put("pg_status", counted);
    root.put("entries", entries);
    return root;
  }

  /// As a file holds it.
  public byte[] pickle() {
    return PickleWriter.of(document());
  }

  /// Read again.
  public Dump dump() {
    return ((DumpReading.Read) DumpReader.read("/tmp/nccl_trace_rank_" + rank, pickle())).dump();
  }
}
