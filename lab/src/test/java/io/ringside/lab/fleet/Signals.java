package io.ringside.lab.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What one process can do to another.
final class Signals {
  private Signals() {}

  /// SIGSTOP, SIGCONT.
  static void send(String signal, Process process) throws IOException, InterruptedException {
    run(List.of("kill", "-" + signal, Long.toString(process.pid())));
  }

  static void run(List<String> command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }
}
