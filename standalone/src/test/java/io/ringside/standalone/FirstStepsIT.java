package io.ringside.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a newcomer types, and sees: each block of docs/first-steps.md in a process of its own, as
/// that document shows it.
@Timeout(120)
class FirstStepsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String INTERRUPT = "^C";
  private static final String ANYTHING = "…";
  private static final Pattern BLOCK = Pattern.compile("(?s)```console\n\\$ (.*?)\n(.*?)\n?```");

  /// The port that the document calls taken.
  private static final String TAKEN = "9400";

  private static final String TEMPORARY = "temporary";
  private static final String BIG = "big.log";

  @TempDir Path folder;

  /// @param shown lines of stdout and stderr, the last of them the exit code
  record Step(String typed, List<String> shown) {
    @Override
    public String toString() {
      return typed;
    }
  }

  static List<Step> steps() throws IOException {
    var document = Files.readString(ROOT.resolve("docs/first-steps.md"));
    return BLOCK
        .matcher(document)
        .results()
        .map(block -> new Step(block.group(1), block.group(2).lines().toList()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void isAnsweredAsTheDocumentSays(Step step) throws Exception {
    Files.createDirectories(folder.resolve("empty"));
    Files.writeString(folder.resolve("paper.pdf"), "%PDF-1.7\n");
    var log = FirstStepsIT.class.getResourceAsStream("/input/llama-3-8b-node-0-0.log");
    Files.createDirectories(folder.resolve("logs"));
    Files.copy(
        Objects.requireNonNull(log), folder.resolve("logs").resolve("llama-3-8b-node-0-0.log"));
    Files.createDirectories(folder.resolve(TEMPORARY));
    if (step.typed().endsWith(BIG)) {
      big(folder.resolve(BIG));
    }
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = Integer.toString(taken.getLocalPort());
      var expected = step.shown().stream().map(line -> line.replace(TAKEN, port)).toList();
      var seen = seen(step.typed().replace(TAKEN, port), expected);

      assertThat(String.join("\n", seen)).matches(pattern(expected));
      assertThat(seen).noneMatch(line -> line.matches("\\s+at [\\w.]+\\(.*|.*Exception.*"));
      try (var left = Files.list(folder.resolve(TEMPORARY))) {
        // a broker that is going down may make its own anew
        assertThat(left.map(Path::getFileName))
            .noneMatch(it -> it.toString().startsWith("ringside-input"));
      }
    }
  }

  /// On a terminal Ctrl-C comes behind a bar half drawn, and the prompt after it.
  @Test
  void takesTheProgressLineAwayOnCtrlC() throws Exception {
    Files.createDirectories(folder.resolve(TEMPORARY));
    big(folder.resolve(BIG));
    var builder = process("./ringside analyze " + BIG);
    builder.environment().put("RINGSIDE_TERMINALS", "stderr");
    var process = builder.start();
    var seen = new StringBuilder();
    try (var out = new InputStreamReader(process.getInputStream(), UTF_8)) {
      for (int next = out.read(); next >= 0; next = out.read()) {
        seen.append((char) next);
        if (next == '%' && seen.indexOf("%") == seen.length() - 1) {
          interrupt(process);
        }
      }
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(seen.toString()).contains("\r\u001b[Kreading ").endsWith("%\r\u001b[K");
    assertThat(process.exitValue()).isEqualTo(130);
  }

  /// So much of a log that nobody reads it in a moment.
  private void big(Path file) throws IOException {
    var line = "worker-0:152:386 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.7<0>\n";
    try (var out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < 2_000_000; i++) {
        out.write(line);
      }
    }
  }

  /// The lines of a run, the interrupt and the exit code.
  private List<String> seen(String typed, List<String> expected) throws Exception {
    var process = process(typed).start();
    var seen = new ArrayList<String>();
    try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      int until = expected.indexOf(INTERRUPT);
      if (until >= 0) {
        while (until > 0 && !line(expected.get(until - 1)).matcher(last(seen)).matches()) {
          seen.add(next(out, seen));
        }
        if (until == 0) {
          awaitReading(process);
        }
        var started = process.descendants().toList();
        seen.add(INTERRUPT);
        interrupt(process);
        started.forEach(each -> each.onExit().join());
      }
      out.lines().forEach(seen::add);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      seen.add("[exit code %d]".formatted(process.exitValue()));
      return seen;
    } finally {
      process.destroyForcibly();
    }
  }

  /// The interrupt reaches it also where the build itself was started in the background, by a shell
  /// that has its children ignore it.
  private ProcessBuilder process(String typed) {
    return new ProcessBuilder("env", "--default-signal=INT", "sh", "-c", "exec " + command(typed))
        .directory(folder.toFile())
        .redirectErrorStream(true);
  }

  private static void interrupt(Process process) throws Exception {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }

  private static String last(List<String> seen) {
    return seen.isEmpty() ? "" : seen.getLast();
  }

  private static String next(BufferedReader out, List<String> seen) throws IOException {
    var line = out.readLine();
    assertThat(line).as("the end after %s", seen).isNotNull();
    return line;
  }

  /// Until it has the file open: the log, or the one that keeps what comes on its standard input.
  private static void awaitReading(Process process) throws Exception {
    var spool = Pattern.compile("ringside-input-.*|" + BIG);
    while (process.isAlive() && !hasOpen(process, spool)) {
      Thread.sleep(20);
    }
  }

  private static boolean hasOpen(Process process, Pattern name) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return open.anyMatch(
          each -> {
            try {
              return name.matcher(Files.readSymbolicLink(each).toString()).find();
            } catch (IOException e) {
              return false;
            }
          });
    }
  }

  /// The launcher itself where it answers alone; what it would start after a build where it does
  /// not.
  private static String command(String typed) {
    var words = typed.split(" ", 3);
    boolean program = words.length > 1 && List.of("analyze", "demo", "up").contains(words[1]);
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    return program
        ? typed.replaceFirst(
            Pattern.quote("./ringside"),
            Matcher.quoteReplacement(
                java
                    + " -Djava.io.tmpdir="
                    + TEMPORARY
                    + " -XX:TieredStopAtLevel=1 --sun-misc-unsafe-memory-access=allow"
                    + " --enable-native-access=ALL-UNNAMED -cp "
                    + System.getProperty("java.class.path")
                    + " io.ringside.standalone.RingsideMain"))
        : typed.replaceFirst(Pattern.quote("./ringside"), ROOT.resolve("ringside").toString());
  }

  private static Pattern pattern(List<String> shown) {
    return Pattern.compile(
        shown.stream()
            .map(line -> line.equals(ANYTHING) ? "(?s:.*)" : line(line).pattern())
            .collect(Collectors.joining("\n"))
            .replace("(?s:.*)\n", "(?s:(?:.*\n)?)"));
  }

  private static Pattern line(String shown) {
    return Pattern.compile(
        Arrays.stream(shown.split(ANYTHING, -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")));
  }
}
