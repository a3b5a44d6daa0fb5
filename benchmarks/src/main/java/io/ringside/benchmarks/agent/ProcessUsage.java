package io.ringside.benchmarks.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the kernel knows of a process: Linux, `/proc`.
///
/// @param pid of a process that lives
record ProcessUsage(long pid) {
  private static final double TICKS_PER_SECOND = 100;

  /// User and system time so far, in seconds.
  double cpuSeconds() {
    String stat = read("stat");
    // the name in parentheses may hold blanks
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /// Resident now, in MiB.
  double residentMiB() {
    return status("VmRSS:");
  }

  /// The most that ever was resident, in MiB.
  double peakMiB() {
    return status("VmHWM:");
  }

  /// Open file descriptors.
  int openFiles() {
    try (var files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return (int) files.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private double status(String field) {
    return read("status")
            .lines()
            .filter(line -> line.startsWith(field))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
            .sum()
        / 1024.0;
  }

  private String read(String name) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/" + name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
