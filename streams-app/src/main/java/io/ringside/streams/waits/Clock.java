package io.ringside.streams.waits;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/// By which clock a rank's times are.
///
/// @param machine names the clock of the machine, if the times are its own; else the same as `log`
/// @param log names the clock of the rank's log alone
/// @param gpu the rank's GPU, by its bus id; empty if it is not known
/// @param localRanks how many ranks of the communicator NCCL counts on the machine, -1 if it did
///   not say
public record Clock(String machine, String log, String gpu, int localRanks) {
  /// The clock of a log of which nobody knows by whose clock its times are.
  public static Clock of(String log) {
    return new Clock(log, log, "", -1);
  }

  /// One name for each, the same for those of one machine.
  ///
  /// Machines may be called alike. NCCL tells them apart by the kernel's boot id (getHostHash,
  /// src/misc/utils.cc) and counts the ranks of each, and ranks of one machine have GPUs of their
  /// own: where that does not hold, each log is taken to have a clock of its own.
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
