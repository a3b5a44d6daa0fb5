import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/// Plays a recorded job with its own timing before `ringside up`, with NCCL's RAS on loopback, and
/// prints how long after the fault somebody is named, and when it is critical:
/// `java Replay.java RINGSIDE FOLDER FAULT`, the fault in Unix seconds.
///
/// FOLDER holds logs as the kubelet writes them, in `pods`, and `ras.txt`. Readings of GPUs are not
/// played.
final class Replay {
  private static final Pattern ANSWER =
      Pattern.compile("### (\\d{9,11}\\.\\d{1,9}) (text|json) .*\\n(?s)(.*)");
  private static final Pattern API = Pattern.compile("http://\\S+/api/findings");
  private static final Pattern FINDING =
      Pattern.compile(
          "\"kind\"\\s*:\\s*\"(hang|straggler|job-failed)\"\\s*,\\s*\"severity\"\\s*:\\s*\"(\\w+)\"(?s).*?\"ranks\"\\s*:\\s*\\[([^\\]]*)\\]");
  private static final Pattern WITNESS =
      Pattern.compile("\"name\"\\s*:\\s*\"(arrivals|ras|gpu-power|watchdog|flight-recorder)\"");
  private static final Duration AFTER = Duration.ofSeconds(75);

  private Replay() {}

  private record Line(Path file, long nanos, String text) {}

  private record Answer(long nanos, boolean json, String text) {}

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[1]);
    long fault = Math.round(Double.parseDouble(arguments[2]) * 1e9);
    var lines = lines(folder);
    var answers = answers(folder.resolve("ras.txt"));
    var stage = Files.createTempDirectory("ringside-replay");
    try (var ras = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var up =
          new ProcessBuilder(
                  arguments[0],
                  "up",
                  "--port=0",
                  "--logs=" + stage + "/**/*.log",
                  "--ras=127.0.0.1:" + ras.getLocalPort())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        var api = api(up);
        long offset = nanos(Instant.now()) + 2_000_000_000L - lines.getFirst().nanos();
        Thread.ofVirtual().start(() -> serve(ras, answers, offset));
        Thread.ofVirtual().start(() -> play(lines, folder, stage, offset));
        watch(api, folder, fault + offset);
      } finally {
        up.descendants().forEach(ProcessHandle::destroy);
        up.destroy();
        up.waitFor();
      }
    } finally {
      try (var all = Files.walk(stage)) {
        for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  private static List<Line> lines(Path folder) throws IOException {
    var lines = new ArrayList<Line>();
    try (var all = Files.walk(folder.resolve("pods"))) {
      for (var file : all.filter(path -> path.toString().matches(".*\\.log(\\.gz)?")).toList()) {
        try (InputStream in = Files.newInputStream(file);
            InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
          for (var line : new String(plain.readAllBytes(), UTF_8).split("\n")) {
            int blank = line.indexOf(' ');
            lines.add(
                new Line(
                    file, nanos(Instant.parse(line.substring(0, blank))), line.substring(blank)));
          }
        }
      }
    }
    lines.sort(Comparator.comparingLong(Line::nanos));
    return lines;
  }

  private static List<Answer> answers(Path file) throws IOException {
    var answers = new ArrayList<Answer>();
    for (var block : Files.readString(file).split("(?m)^(?=### )")) {
      var match = ANSWER.matcher(block);
      if (match.matches() && match.group(3).contains("Communicators...")
          || match.matches() && match.group(3).contains("\"communicators\"")) {
        answers.add(
            new Answer(
                Math.round(Double.parseDouble(match.group(1)) * 1e9),
                match.group(2).equals("json"),
                match.group(3).replaceAll("(?m)^# .*\\n", "")));
      }
    }
    return answers;
  }

  private static URI api(Process up) throws IOException {
    var out = new BufferedReader(new InputStreamReader(up.getInputStream(), UTF_8));
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      var match = API.matcher(line);
      if (match.find()) {
        Thread.ofVirtual().start(() -> out.lines().forEach(rest -> {}));
        return URI.create(match.group());
      }
    }
    throw new IOException("ringside up ended before it was up");
  }

  /// Speaks as NCCL 2.28.9 does; while nobody answered in the recording nobody answers now.
  private static void serve(ServerSocket listening, List<Answer> answers, long offset) {
    while (!listening.isClosed()) {
      try {
        var client = listening.accept();
        Thread.ofVirtual().start(() -> speak(client, answers, offset));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void speak(Socket client, List<Answer> answers, long offset) {
    try (client) {
      var in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
      var out = client.getOutputStream();
      boolean json = false;
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        long now = nanos(Instant.now()) - offset;
        boolean asked = json;
        var newest =
            answers.stream()
                .filter(answer -> answer.nanos() <= now && answer.json() == asked)
                .reduce((_, later) -> later);
        if (newest.isEmpty() && line.equals("VERBOSE STATUS")) {
          return;
        }
        json |= line.equals("SET FORMAT json");
        var said =
            line.startsWith("CLIENT PROTOCOL")
                ? "SERVER PROTOCOL 2\n"
                : line.equals("VERBOSE STATUS") ? newest.orElseThrow().text() : "OK\n";
        out.write(said.getBytes(UTF_8));
        out.flush();
        if (line.equals("VERBOSE STATUS")) {
          return;
        }
      }
    } catch (IOException e) {
      // the agent had enough
    }
  }

  private static void play(List<Line> lines, Path folder, Path stage, long offset) {
    try {
      for (var line : lines) {
        long at = line.nanos() + offset;
        long rest = at - nanos(Instant.now());
        if (rest > 0) {
          Thread.sleep(Duration.ofNanos(rest));
        }
        var name = folder.relativize(line.file()).toString().replaceAll("\\.gz$", "");
        var file = stage.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(
            file,
            Instant.ofEpochSecond(0, at) + line.text() + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("replay: " + e);
    }
  }

  private static void watch(URI api, Path folder, long fault) throws Exception {
    var named = new TreeSet<String>();
    var witnesses = new LinkedHashSet<String>();
    double note = Double.NaN;
    double critical = Double.NaN;
    try (var client = HttpClient.newHttpClient()) {
      while (nanos(Instant.now()) < fault + AFTER.toNanos()) {
        var said = client.send(HttpRequest.newBuilder(api).build(), BodyHandlers.ofString()).body();
        double after = (nanos(Instant.now()) - fault) / 1e9;
        for (var match = FINDING.matcher(said); match.find(); ) {
          if (after > 0 && !match.group(3).isBlank()) {
            named.add(match.group(1) + " [" + match.group(3).strip() + "]");
            note = Double.isNaN(note) ? after : note;
            critical =
                Double.isNaN(critical) && match.group(2).equals("critical") ? after : critical;
          }
        }
        for (var match = WITNESS.matcher(said); match.find(); ) {
          witnesses.add(match.group(1));
        }
        Thread.sleep(Duration.ofMillis(250));
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%-24s %8s %8s  %s  %s%n",
        folder.getFileName(),
        seconds(note),
        seconds(critical),
        String.join(", ", named),
        String.join(", ", witnesses));
  }

  private static String seconds(double value) {
    return Double.isNaN(value) ? "-" : "%.1f s".formatted(value);
  }
}
