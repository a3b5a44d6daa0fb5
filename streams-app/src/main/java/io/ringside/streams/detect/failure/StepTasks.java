package io.ringside.streams.detect.failure;

import java.util.regex.Pattern;

/// Which tasks a Slurm step still had when its time was over: `srun: error: gpu-5: tasks 1-3,5: Terminated`.
final class StepTasks {
  private static final Pattern LEFT =
      Pattern.compile("srun: error: \\S{1,200}: tasks? ([\\d,-]{1,400}): (?:Terminated|Killed)");

  private StepTasks() {}

  /// Whether a line names tasks that were ended.
  static boolean named(String text) {
    return LEFT.matcher(text).find();
  }

  /// Whether the task is among those that the line names.
  static boolean hold(int task, String text) {
    var left = LEFT.matcher(text);
    if (!left.find()) {
      return false;
    }
    for (var range : left.group(1).split(",")) {
      var ends = range.split("-");
      if (ends.length > 0
          && ends[0].length() < 9
          && ends[ends.length - 1].length() < 9
          && !ends[0].isEmpty()
          && Integer.parseInt(ends[0]) <= task
          && task <= Integer.parseInt(ends[ends.length - 1])) {
        return true;
      }
    }
    return false;
  }
}
