package io.ringside.streams.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Lines of recordings and of every fixture, wrapped as launchers, runtimes, collectors and people
/// do: the events stay the same.
class PrefixedLinesTest {

  /// `%s` is the line, `#` its number.
  static final List<String> WRAPPERS =
      List.of(
          "[1,26]<stdout>:%s",
          "[1,mpirank:26,algo-2]<stdout>:%s",
          "[1,3]<stderr>: %s",
          "[prterun-launcher-0-77@1,3]<stdout>: %s",
          "[launcher-0:1,3]<stdout>: %s",
          "[prterun-launcher-0-77@1,3][worker-0:812]<stderr>: %s",
          "0: %s",
          " 3: %s",
          "12: %s",
          "worker-0: %s",
          "10.0.3.17: %s",
          "localhost: %s",
          "vm-07-05: %s",
          "node=0 %s",
          "[default0]:%s",
          "[rank4]:%s",
          "[rank4]: %s",
          "[5]:%s",
          "[pod/llama-node-0-0/trainer] %s",
          "[pod/llama-node-0-0/trainer] 2026-11-20T20:42:26.942294769Z %s",
          "2026-11-20T20:42:26.942294769Z %s",
          "2026-11-20T20:42:26.942294769Z stdout F %s",
          "<14>1 2026-11-20T20:42:26.942294-08:00 seg-07 slurm-991204 3811 - - %s",
          "<134>1 2026-11-20T20:42:26Z seg-07 trainer - - [origin ip=\"10.0.0.7\"] %s",
          "llama-node-0-0 trainer %s",
          "training llama-node-0-0 trainer %s",
          "[llama-node-0-0 trainer] %s",
          "\u001b[38;5;3mllama-node-0-0\u001b[0m \u001b[38;5;4mtrainer\u001b[0m %s",
          "dinov2.node-4 [stderr] %s",
          "trainer-1  | %s",
          "\u001b[36mtrainer-1  | \u001b[0m%s",
          "Nov 20 20:42:26 gpu-node-17 trainer[4187]: %s",
          "Nov  6 20:42:26 %s",
          "[20:42:26] %s",
          "11月 16 20:42:26 gpu-node-17 trainer[4187]: %s",
          " 3월 06 20:42:26 gpu-node-17 trainer[4187]: %s",
          "Nov 6 20:42:26 gpu-node-17 trainer[4187]: %s",
          "Nov 6 6:42:26 gpu-node-17 trainer[4187]: %s",
          "janv. 06 20:42:26 gpu-node-17 trainer[4187]: %s",
          "Sept 6 20:42:26 gpu-node-17 trainer[4187]: %s",
          "[host1:0] %s",
          "[trainer0]:%s",
          "[trainer0|3]:%s",
          "10.0.3.17: kern: warning: [2026-11-20T20:42:26.942294769Z]: %s",
          "2026-11-20T20:42:26+0100 gpu-node-17 torchrun[4187]: %s",
          "2026-11-20T20:42:26.123456+01:00 gpu-node-17 torchrun[4187]: %s",
          "(RayTrainWorker pid=5823, ip=10.0.0.7) %s",
          "(pid=5823) %s",
          "(Actor pid=5823, ip=10.0.0.7) %s [repeated 15x across cluster]",
          "\u001b[36m(Actor pid=5823)\u001b[0m %s\u001b[32m [repeated 2x across cluster] (Ray deduplicates logs by default."
              + " Set RAY_DEDUP_LOGS=0 to disable log deduplication, or see somewhere for more options.)\u001b[0m",
          "[36m(Actor pid=5823)[0m %s",
          "^[[36m(Actor pid=5823)^[[0m %s",
          "2026-11-20T20:42:26Z {app=\"llama\", pod=\"llama-node-0-0\"} %s",
          "2026-11-20T20:42:26.123000+00:00 llama/trainer/0f3c5 %s",
          "2026-11-20T20:42:26.123Z\t%s",
          "<node-1>: %s",
          "<node>:%s",
          "123: %s",
          "123:%s",
          "llama.log:123:%s",
          "logs/rank0/stdout.log:%s",
          "[1743] %s",
          "  12  %s",
          "    12\t%s",
          "> %s",
          "> > %s",
          "+ %s",
          "+%s",
          "2026-11-20 20:42:26,123 - root - INFO - %s",
          "2026-11-20 20:42:26,123 - INFO - trainer - %s",
          "2026-11-20 20:42:26.123 | INFO     | trainer.loop:fit:12 - %s",
          "[titan] 2026-11-20 20:42:26,123 - root - INFO - %s",
          "INFO:trainer.loop:%s",
          "INFO 11-20 20:42:26 [worker.py:12] %s",
          "[NeMo I 2026-11-20 20:42:26 nemo_logging:349] %s",
          "[rank: 1] %s",
          "[rank 1] %s",
          "[Rank 1/8]: %s",
          "(RANK=1) - %s",
          "Rank 1 of 8 | %s",
          "rank 1: %s",
          "\u001b[32m%s\u001b[0m",
          "\u001b]0;title\u0007%s",
          "%s\r");

  static Stream<String> wrappers() {
    var random = new Random(7);
    var three =
        IntStream.range(0, 60)
            .mapToObj(_ -> wrapper(random).formatted(wrapper(random).formatted(wrapper(random))));
    return Stream.concat(WRAPPERS.stream(), three);
  }

  private static String wrapper(Random random) {
    return WRAPPERS.get(random.nextInt(WRAPPERS.size() - 1));
  }

  @ParameterizedTest
  @MethodSource("wrappers")
  void getTheSameEventsAsBareOnes(String wrapper) throws IOException {
    var different = new ArrayList<String>();
    for (var line : lines()) {
      var wrapped = wrapper.replace("%s", line);
      var bare = facts(Parsed.of(line));
      var read = facts(Parsed.of(wrapped));
      if (!same(bare, read, wrapper.toLowerCase(Locale.ROOT).contains("rank"))) {
        different.add(wrapped + "\n   bare " + bare + "\n   read " + read);
      }
    }
    assertThat(different).isEmpty();
  }

  /// Without what the wrapper says itself; a rank that only the wrapper knows fills a gap.
  private static List<String> facts(Parsed line) {
    var facts = new ArrayList<String>();
    for (var i = 0; i < line.events().size(); i++) {
      if (!(line.events().get(i) instanceof LineOrigin)) {
        facts.add(line.heads().get(i) + " " + line.events().get(i));
      }
    }
    return facts;
  }

  private static boolean same(List<String> bare, List<String> read, boolean ranked) {
    if (bare.size() != read.size()) {
      return false;
    }
    for (var i = 0; i < bare.size(); i++) {
      var masked = ranked || bare.get(i).contains("[rank=-1");
      if (!rank(bare.get(i), masked).equals(rank(read.get(i), masked))) {
        return false;
      }
    }
    return true;
  }

  private static String rank(String event, boolean masked) {
    return masked ? event.replaceFirst("\\[rank=-?\\d+", "[rank=?") : event;
  }

  private static List<String> lines = List.of();

  private static synchronized List<String> lines() throws IOException {
    if (lines.isEmpty()) {
      var all = new ArrayList<String>();
      for (var log : GoldenLinesTest.recordings().filter(PrefixedLinesTest::isBare).toList()) {
        all.addAll(Files.readAllLines(log));
      }
      for (var name : List.of("hang", "ds", "healthy", "nccltests")) {
        recorded(Path.of("../examples/recordings").resolve(name)).forEach(all::add);
      }
      lines =
          all.stream()
              .distinct()
              .filter(line -> Parsed.of(line).outcome() == Outcome.EVENTS)
              .toList();
    }
    return lines;
  }

  /// What is wrapped already says a rank of its own.
  private static boolean isBare(Path log) {
    return !log.toString().contains("wrappers");
  }

  private static List<String> recorded(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      var lines = new ArrayList<String>();
      for (var file : files.filter(path -> path.toString().endsWith(".log.gz")).toList()) {
        try (var reader =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
          reader.lines().limit(2_000).forEach(lines::add);
        }
      }
      return lines;
    }
  }
}
