package io.ringside.benchmarks.parse;

import io.krakens.grok.api.Grok;
import io.krakens.grok.api.GrokCompiler;
import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.LineParser;
import io.ringside.streams.parse.event.EventSink;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// Nanoseconds per line, one thread; with `-prof gc` bytes per line (`gc.alloc.rate.norm`). The
/// line parser recognises every kind it knows and makes events of them; the others recognise the
/// kinds in the corpus and take their groups out, which leaves out conversion to numbers, the
/// records, and wrappers. Only figures of one run on a quiet machine compare.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ParseBenchmark.LINES)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class ParseBenchmark {

  static final int LINES = 20_000;

  /// A file of lines, or empty for made-up ones.
  @Param("")
  public String corpus = "";

  private List<String> lines = List.of();
  private List<Text> chunks = List.of();
  private List<Text> silent = List.of();
  private final List<Pattern> patterns = Patterns.ALL.stream().map(Pattern::compile).toList();
  private final List<Pattern> thirteen = Patterns.THIRTEEN.stream().map(Pattern::compile).toList();
  private final List<com.google.re2j.Pattern> re2 =
      Patterns.ALL.stream().map(com.google.re2j.Pattern::compile).toList();
  private List<Grok> groks = List.of();

  /// Makes the lines.
  @Setup
  public void setUp() throws IOException {
    var all = Corpus.of(corpus, LINES);
    lines = all.lines();
    chunks = all.chunks();
    silent = new Corpus(withoutEvents(lines)).chunks();
    var compiler = GrokCompiler.newInstance();
    groks = Patterns.ALL.stream().map(compiler::compile).toList();
  }

  private List<String> withoutEvents(List<String> from) {
    var quiet =
        from.stream()
            .filter(
                line -> {
                  var events = new int[1];
                  var text = Text.of(line);
                  new LineParser(text)
                      .parse(0, text.length(), (head, event, start, end) -> events[0]++);
                  return events[0] == 0;
                })
            .toList();
    return IntStream.range(0, LINES).mapToObj(i -> quiet.get(i % quiet.size())).toList();
  }

  /// The line parser on chunks, events and all.
  @Benchmark
  public void ringside(Blackhole blackhole) {
    parse(chunks, (head, event, start, end) -> blackhole.consume(event));
  }

  /// The line parser on lines that yield no event.
  @Benchmark
  public void ringsideWithoutEvents(Blackhole blackhole) {
    parse(silent, (head, event, start, end) -> blackhole.consume(event));
  }

  private void parse(List<Text> texts, EventSink sink) {
    for (var text : texts) {
      var parser = new LineParser(text);
      var start = 0;
      while (start < text.length()) {
        var end = parser.lineEnd(start);
        parser.parse(start, end, sink);
        start = end + 1;
      }
    }
  }

  /// Precompiled java.util.regex, one after the other.
  @Benchmark
  public void regex(Blackhole blackhole) {
    for (var line : lines) {
      match(patterns, line, blackhole);
    }
  }

  /// The same for the thirteen kinds that matter most; the rest is not recognised.
  @Benchmark
  public void regexOfThirteenKinds(Blackhole blackhole) {
    for (var line : lines) {
      match(thirteen, line, blackhole);
    }
  }

  private static void match(List<Pattern> patterns, String line, Blackhole blackhole) {
    for (var pattern : patterns) {
      var matcher = pattern.matcher(line);
      if (matcher.find()) {
        for (var group = 1; group <= matcher.groupCount(); group++) {
          blackhole.consume(matcher.group(group));
        }
        return;
      }
    }
  }

  /// RE2/J.
  @Benchmark
  public void re2j(Blackhole blackhole) {
    for (var line : lines) {
      for (var pattern : re2) {
        var matcher = pattern.matcher(line);
        if (matcher.find()) {
          for (var group = 1; group <= matcher.groupCount(); group++) {
            blackhole.consume(matcher.group(group));
          }
          break;
        }
      }
    }
  }

  /// java-grok.
  @Benchmark
  public void grok(Blackhole blackhole) {
    for (var line : lines) {
      for (var grok : groks) {
        var match = grok.match(line);
        if (!match.isNull()) {
          blackhole.consume(match.capture());
          break;
        }
      }
    }
  }
}
