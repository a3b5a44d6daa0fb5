package io.ringside.lab.fleet;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.Text;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/// A job that wants to do harm with all that it can say: it names something new in every line, lies
/// in each number and stamp, and prints what costs a reader most. Each chunk follows the one before
/// it, as an agent would send them.
public final class HostileJob {
  private static final int LINES = 250;
  private static final int PIDS = 256;

  /// What a number may be that a line states.
  private static final List<String> NUMBERS =
      List.of("0", "-1", "1", "4", "131072", "2147483647", "2147483648", "99999999999999999999");

  private static final List<Duration> STAMPS =
      List.of(
          Duration.ZERO,
          Duration.ofMinutes(5),
          Duration.ofDays(27_000),
          Duration.ofDays(-20_000),
          Duration.ofMillis(-1));

  private final RandomGenerator random;
  private final LogSource source;
  private long sequence;
  private long offset;
  private long said;

  /// @param job its name, of which anything may be made
  public HostileJob(long seed, String job) {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    var pod = job + "-node-0-0";
    source =
        new LogSource(
            "",
            "node-of-" + job,
            "training",
            pod,
            "uid-" + seed,
            "trainer",
            job,
            "/var/log/pods/training_" + pod + "_uid/trainer/0.log");
  }

  /// The next lines of its log.
  public LogChunk chunk(Instant now) {
    var lines = IntStream.range(0, LINES).mapToObj(_ -> line()).toList();
    var text = String.join("\n", lines);
    var offsets = new int[LINES];
    var nanos = new long[LINES];
    int at = 0;
    for (int i = 0; i < LINES; i++) {
      offsets[i] = at;
      at += lines.get(i).getBytes(StandardCharsets.UTF_8).length + 1;
      nanos[i] = i * 1_000L + (random.nextInt(20) == 0 ? oneOf(STAMPS).toNanos() : 0);
    }
    var chunk =
        new LogChunk(
            source,
            1,
            sequence,
            offset,
            offset + at,
            now,
            true,
            false,
            Text.of(text),
            offsets,
            now.getEpochSecond() * 1_000_000_000L + now.getNano(),
            nanos,
            new int[0]);
    sequence++;
    offset += at;
    return chunk;
  }

  /// Readings of GPUs that are nowhere.
  public GpuSample sample(Instant now) {
    var gpus = new ArrayList<GpuReading>();
    for (int i = 0; i < 64; i++) {
      gpus.add(
          new GpuReading(
              random.nextInt(),
              "0000:%02x:00.0".formatted(random.nextInt(256)),
              "GPU-" + random.nextInt(1 << 20),
              "H100|\n\u001b[2J",
              reading(),
              reading(),
              reading(),
              reading(),
              reading(),
              reading(),
              reading(),
              reading(),
              random.nextLong(),
              random.nextLong(),
              random.nextBoolean() ? "ERR!" : null,
              null));
    }
    return new GpuSample("", source.node(), now.plus(oneOf(STAMPS)), gpus);
  }

  private Double reading() {
    return oneOf(List.of(0.0, -1.0, 1e300, -1e300, 100.0, random.nextDouble(0, 1_000)));
  }

  private String line() {
    said++;
    return switch (random.nextInt(14)) {
      case 0, 1, 2 -> head() + init(number(), number(), random.nextBoolean());
      case 3 -> head() + init("0", "4", random.nextBoolean());
      case 4 ->
          head()
              + "NCCL_EVIL_%d set by environment to %s"
                  .formatted(said, "x".repeat(random.nextInt(300)));
      case 5 ->
          head()
              + "Channel %s/0 : %s[0] -> %s[1] [send] via NET/Evil%d/0"
                  .formatted(number(), number(), number(), said);
      case 6 ->
          head()
              + "AllReduce: opCount %x sendbuff 0x1 recvbuff 0x2 count %s datatype 7 op 0 root %s comm 0x%x [nranks=%s] stream 0x3"
                  .formatted(random.nextInt(), number(), number(), random.nextInt(64), number());
      case 7 -> source.pod() + ":1:1 [0] NCCL WARN " + oneOf(List.of("\u001b[2J", "<b>", "%s%n"));
      case 8 -> "%s%%|####| %s/%s [00:00<?, %sit/s]".formatted(number(), number(), number(), said);
      case 9 -> "{'loss': nan, 'grad_norm': 1e999, 'epoch': %s}".formatted(number());
      case 10 -> random.nextInt(40) == 0 ? pumped() : "nothing new";
      case 11 -> PackedWitness.START + PackedWitness.RAS + " H4sIA" + Long.toString(said, 36);
      case 12 -> head() + "Something new %s %d".formatted("a".repeat(random.nextInt(97)), said);
      default -> noise();
    };
  }

  private String head() {
    int pid = 1 + random.nextInt(PIDS);
    return "%s:%d:%d [%d] NCCL INFO ".formatted(source.pod(), pid, pid, random.nextInt(16));
  }

  private String init(String rank, String ranks, boolean start) {
    return "ncclCommInitRankConfig comm 0x%x rank %s nranks %s cudaDev 0 nvmlDev 0 busId 90 commId 0x%x - Init %s"
        .formatted(random.nextInt(64), rank, ranks, said, start ? "START" : "COMPLETE");
  }

  private String pumped() {
    var unit =
        oneOf(List.of("eyJ-", "[", "{\"a\":", "token=", "\\u001b", "\"", "a b=", "Init START "));
    return unit.repeat(60_000 / unit.length());
  }

  private String noise() {
    var characters = new StringBuilder();
    for (int i = random.nextInt(120); i > 0; i--) {
      characters.append((char) (32 + random.nextInt(0x250)));
    }
    return characters.toString();
  }

  private String number() {
    return oneOf(NUMBERS);
  }

  private <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
