package io.ringside.streams.waits;

import java.util.HashSet;
import java.util.List;

/// By which clock a rank's times are.
///
/// @param machine names the clock of the machine, if the times are its own; else the same as `log`
/// @param log names the clock of the rank's log alone
/// @param gpu the rank's GPU, by its bus id; empty if it is not known
public record Clock(String machine, String log, String gpu) {
  /// The clock of a log of which nobody knows by whose clock its times are.
  public static Clock of(String log) {
    return new Clock(log, log, "");
  }

  /// One name for each, the same for those of one machine.
  ///
  /// Machines may be called alike. Ranks of one machine have GPUs of their own: where two have the same, each log is
  /// taken to have a clock of its own.
  static List<String> names(List<Clock> clocks) {
    var gpus = new HashSet<String>();
    var doubtful = new HashSet<String>();
    for (var clock : clocks) {
      if (!clock.gpu.isEmpty() && !gpus.add(clock.machine + " " + clock.gpu)) {
        doubtful.add(clock.machine);
      }
    }
    return clocks.stream()
        .map(clock -> doubtful.contains(clock.machine) ? clock.log : clock.machine)
        .toList();
  }
}
