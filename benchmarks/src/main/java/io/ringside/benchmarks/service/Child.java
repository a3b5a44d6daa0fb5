package io.ringside.benchmarks.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A process that is measured from outside: processor time and memory as the system counts them.
final class Child implements AutoCloseable {
  private static final double TICKS = 100;

  private final Process process;
  private final BufferedReader out;

  private Child(Process process) {
    this.process = process;
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /// Starts a main class of this class path.
  ///
  /// @param cpus as `taskset -c` takes them, empty for all
  /// @param options of the JVM
  static Child start(String cpus, List<String> options, Class<?> main, List<String> arguments)
      throws IOException {
    var command = new ArrayList<String>();
    if (!cpus.isEmpty() && Files.isExecutable(Path.of("/usr/bin/taskset"))) {
      command.addAll(List.of("taskset", "-c", cpus));
    }
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Dlogback.configurationFile=logback-standalone.xml"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new Child(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /// What it prints after this word at the beginning of a line.
  String word(String key) throws IOException {
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(key + " ")) {
        return line.substring(key.length() + 1).strip();
      }
    }
    throw new IOException("the process ended before it said " + key);
  }

  /// The first line it prints that has these words in it.
  String first(String words) throws IOException {
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      if (line.contains(words)) {
        return line.replaceAll("[,;:]", "");
      }
    }
    throw new IOException("the process ended before it said " + words);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// User and system time so far, in seconds.
  double cpuSeconds() throws IOException {
    var stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS;
  }

  /// Resident memory in MiB: `VmRSS` now or `VmHWM` at its highest.
  long residentMiB(String which) throws IOException {
    return number(which) >> 10;
  }

  /// How many threads it has.
  int threads() throws IOException {
    return (int) number("Threads");
  }

  /// How many files and sockets it has open.
  int descriptors() throws IOException {
    try (var open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return (int) open.count();
    }
  }

  /// What is in use of its heap after a full collection, in MiB. With `-Dbench.service.classes=N`
  /// prints the N classes that take the most.
  long liveMiB() throws IOException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var asked =
        new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.class_histogram")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int shown = Integer.getInteger("bench.service.classes", 0);
    long bytes = -1;
    try (var lines =
        new BufferedReader(new InputStreamReader(asked.getInputStream(), StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var words = line.strip().split(" +", -1);
        if (words[0].equals("Total")) {
          bytes = Long.parseLong(words[2]);
        } else if (words[0].endsWith(":") && shown-- > 0) {
          System.out.println(line);
        }
      }
    }
    return bytes >> 20;
  }

  private long number(String which) throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      if (line.startsWith(which + ":")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return -1;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(40, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
