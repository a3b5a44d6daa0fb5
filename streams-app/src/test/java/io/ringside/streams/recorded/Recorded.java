package io.ringside.streams.recorded;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// A recorded job, replayed through join and judge without Kafka: what the agent would have sent,
/// as chunks and samples in a chosen order.
public final class Recorded {
  private static final DateTimeFormatter SMI =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS");
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  /// Lines of each chunk but the last.
  public static final int LINES_A_CHUNK = 200;

  private final List<List<LogChunk>> logs = new ArrayList<>();
  private final List<GpuSample> samples = new ArrayList<>();

  /// Reads a folder: kubelet tree or plain logs, and `nvidia-smi.csv`, each maybe with `.gz`.
  public static Recorded in(Path folder) {
    return in(folder, LINES_A_CHUNK);
  }

  /// The same in chunks of another size, as a slow job's lines come one by one.
  public static Recorded in(Path folder, int linesAChunk) {
    var recorded = new Recorded();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        var name = file.getFileName().toString().replace(".gz", "");
        if (name.endsWith(".log")) {
          recorded.logs.add(chunks(folder.relativize(file), linesOf(file), linesAChunk, 0));
        } else if (name.equals("nvidia-smi.csv")) {
          recorded.samples.addAll(samples(linesOf(file)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return recorded;
  }

  /// The lines of a folder's logs, by the file's name.
  static Map<String, List<String>> lines(Path folder) throws IOException {
    var read = new TreeMap<String, List<String>>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (file.getFileName().toString().replace(".gz", "").endsWith(".log")) {
          read.put(folder.relativize(file).toString(), linesOf(file));
        }
      }
    }
    return read;
  }

  /// Files by name with their lines, with or without the stamps of a container runtime.
  public static Recorded of(Map<String, List<String>> files) {
    var recorded = new Recorded();
    new TreeMap<>(files)
        .forEach(
            (name, lines) -> recorded.logs.add(chunks(Path.of(name), lines, LINES_A_CHUNK, 0)));
    return recorded;
  }

  /// The same with samples of its GPUs.
  public Recorded with(List<GpuSample> more) {
    samples.addAll(more);
    return this;
  }

  /// The same with the clock of one file moved.
  public Recorded shifted(int file, long nanos) {
    var moved = new Recorded();
    moved.samples.addAll(samples);
    for (int i = 0; i < logs.size(); i++) {
      moved.logs.add(
          i != file
              ? logs.get(i)
              : logs.get(i).stream().map(chunk -> copy(chunk, chunk.end(), nanos)).toList());
    }
    return moved;
  }

  /// The same while it goes on: no file has ended.
  public Recorded unfinished() {
    var open = new Recorded();
    open.samples.addAll(samples);
    logs.forEach(file -> open.logs.add(file.stream().map(chunk -> copy(chunk, false, 0)).toList()));
    return open;
  }

  private static LogChunk copy(LogChunk chunk, boolean end, long laterNanos) {
    return new LogChunk(
        chunk.source(),
        chunk.epoch(),
        chunk.sequence(),
        chunk.firstOffset(),
        chunk.nextOffset(),
        chunk.readAt(),
        chunk.live(),
        end,
        chunk.text(),
        chunk.offsets(),
        chunk.baseNanos() + laterNanos,
        chunk.nanos(),
        chunk.cut());
  }

  /// All records, file by file.
  public Judge.Verdict judgedFileByFile(boolean reversed, boolean gpuFirst) {
    var order = new ArrayList<AgentEvent>();
    var announced = logs.stream().map(List::getFirst).toList();
    order.addAll(announced);
    if (gpuFirst) {
      order.addAll(samples);
    }
    for (var file : reversed ? logs.reversed() : logs) {
      order.addAll(file.subList(1, file.size()));
    }
    if (!gpuFirst) {
      order.addAll(samples);
    }
    return judged(order);
  }

  /// All records, one chunk of each file in turn.
  public Judge.Verdict judged() {
    var order = new ArrayList<AgentEvent>(samples);
    int longest = logs.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (var file : logs) {
        if (i < file.size()) {
          order.add(file.get(i));
        }
      }
    }
    return judged(order);
  }

  /// Replays records in this order and judges at the end.
  public static Judge.Verdict judged(List<? extends AgentEvent> order) {
    var judge = new Judge(Expectations.builtIn());
    var verdicts =
        new Replay()
            .addAll(order).jobs().values().stream().map(job -> judge.judge(job, NOW)).toList();
    return new Judge.Verdict(
        verdicts.stream().flatMap(v -> v.runs().stream()).toList(),
        verdicts.stream().flatMap(v -> v.findings().stream()).toList());
  }

  /// The chunks of every file.
  public List<List<LogChunk>> logs() {
    return logs;
  }

  /// The GPU samples.
  public List<GpuSample> samples() {
    return samples;
  }

  private static List<String> linesOf(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return Arrays.asList(
          new String(plain.readAllBytes(), StandardCharsets.UTF_8).split("\r\n|\n|\r", -1));
    }
  }

  private static LogSource source(Path file) {
    var name = file.getFileName().toString().replace(".gz", "").replace(".log", "");
    var pod = name;
    var namespace = "";
    var podUid = "";
    for (var part : file) {
      var fields = part.toString().split("_");
      if (fields.length == 3) {
        namespace = fields[0];
        pod = fields[1];
        podUid = fields[2];
      }
    }
    var job = pod.replaceFirst("-node-\\d+-\\d+$", "");
    return new LogSource("", "local", namespace, pod, podUid, "", job, file.toString());
  }

  private static List<LogChunk> chunks(Path file, List<String> lines, int size, long epoch) {
    var chunks = new ArrayList<LogChunk>();
    var source = source(file);
    chunks.add(
        new LogChunk(
            source,
            epoch,
            0,
            0,
            0,
            NOW,
            false,
            false,
            Text.of(""),
            new int[0],
            0,
            new long[0],
            new int[0]));
    long offset = 0;
    long before = 0;
    for (int from = 0; from < lines.size(); from += size) {
      var part = lines.subList(from, Math.min(lines.size(), from + size));
      var offsets = new int[part.size()];
      var nanos = new long[part.size()];
      var text = new ArrayList<String>();
      boolean cri = false;
      int at = 0;
      for (int i = 0; i < part.size(); i++) {
        var line = part.get(i);
        offsets[i] = at;
        at += line.getBytes(StandardCharsets.UTF_8).length + 1;
        if (line.length() > 40
            && line.charAt(4) == '-'
            && line.indexOf('Z') < 31
            && line.contains(" std")) {
          before = Nanos.of(Instant.parse(line.substring(0, line.indexOf(' '))));
          text.add(line.substring(line.indexOf(" F ") + 3));
          cri = true;
        } else {
          text.add(line);
        }
        nanos[i] = before;
      }
      chunks.add(
          new LogChunk(
              source,
              epoch,
              chunks.size(),
              offset,
              offset + at,
              NOW,
              false,
              from + size >= lines.size(),
              Text.of(String.join("\n", text)),
              offsets,
              0,
              cri ? nanos : new long[0],
              new int[0]));
      offset += at;
    }
    return chunks;
  }

  private static List<GpuSample> samples(List<String> lines) {
    var samples = new ArrayList<GpuSample>();
    var poll = new ArrayList<GpuReading>();
    Instant at = Instant.EPOCH;
    var head = List.of(lines.getFirst().replaceAll(" \\[[^,]*]", "").split(", "));
    for (var line : lines.subList(1, lines.size())) {
      var f = line.split(", ");
      if (f.length < head.size()) {
        continue;
      }
      int index = Integer.parseInt(f[1]);
      if (index == 0 && !poll.isEmpty()) {
        samples.add(new GpuSample("", "local", at, poll));
        poll.clear();
      }
      if (poll.isEmpty()) {
        at = LocalDateTime.parse(f[0], SMI).toInstant(ZoneOffset.UTC);
      }
      poll.add(
          new GpuReading(
              index,
              f[3].substring(4).toLowerCase(Locale.ROOT),
              f[2],
              f[4],
              number(f[head.indexOf("utilization.gpu")]),
              number(f[head.indexOf("memory.used")]),
              number(f[head.indexOf("memory.total")]),
              number(f[head.indexOf("power.draw")]),
              number(f[head.indexOf("enforced.power.limit")]),
              number(f[head.indexOf("temperature.gpu")]),
              number(f[head.indexOf("clocks.current.sm")]),
              number(f[head.indexOf("clocks.max.sm")]),
              Long.decode(f[head.indexOf("clocks_event_reasons.active")]),
              null,
              null,
              null));
    }
    if (!poll.isEmpty()) {
      samples.add(new GpuSample("", "local", at, poll));
    }
    return samples;
  }

  private static @Nullable Double number(String text) {
    return text.startsWith("[") ? null : Double.valueOf(text.replaceFirst(" .*", "")); // "97 %"
  }
}
