package io.ringside.streams.waits;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/// The clock of a rank's times.
///
/// @param machine names the clock of the machine, if the times are by that clock; else the same as
///   `log`
/// @param log names the clock of the rank's log alone
/// @param gpu bus id of the rank's GPU, empty if unknown
/// @param localRanks number of the communicator's ranks that NCCL counts on the machine, -1 if it
///   printed none
public record Clock(String machine, String log, String gpu, int localRanks) {
  /// The clock of a log if it is unknown which clock stamped its times.
  public static Clock of(String log) {
    return new Clock(log, log, "", -1);
  }

  /// One name for each clock, the same for clocks of one machine.
  ///
  /// Machines may have equal names. NCCL tells them apart by the kernel's boot id (getHostHash,
  /// src/misc/utils.cc) and counts the ranks of each, and ranks of one machine have different GPUs.
  /// If either does not hold for a name, each log is taken to have a clock of its own.
  static List<String> names(List<Clock> clocks) {
    var gpus = new HashSet<String>();
    var ranks = new HashMap<String, Integer>();
    var doubtful = new HashSet<String>();
    for (var clock : clocks) {
      ranks.merge(clock.machine, 1, Integer::sum);
      if (!clock.gpu.isEmpty() && !gpus.add(clock.machine + " " + clock.gpu)) {
        doubtful.add(clock.machine);
      }
    }
    for (var clock : clocks) {
      if (clock.localRanks > 0 && ranks.getOrDefault(clock.machine, 0) > clock.localRanks) {
        doubtful.add(clock.machine);
      }
    }
    return clocks.stream()
        .map(clock -> doubtful.contains(clock.machine) ? clock.log : clock.machine)
        .toList();
  }
}
