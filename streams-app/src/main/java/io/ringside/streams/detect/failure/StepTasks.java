package io.ringside.streams.detect.failure;

import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Finds which tasks a Slurm step still had when its time was over:
/// `srun: error: gpu-5: tasks 1-3,5: Terminated`. Also separates the jobs that wrote to the same
/// file.
final class StepTasks {
  /// slurmstepd/req.c: `*** JOB 7 ON gpu-5 CANCELLED AT …`, `*** STEP 7.0 ON …`.
  private static final Pattern CANCELLED =
      Pattern.compile("^\\*\\*\\* (?:JOB|STEP) (\\d{1,12})\\b");

  private static final Pattern LEFT =
      Pattern.compile("srun: error: \\S{1,200}: tasks? ([\\d,-]{1,400}): (?:Terminated|Killed)");

  private static final Pattern FAILED =
      Pattern.compile(
          "srun: error: \\S{1,200}: tasks? [\\d,-]{1,400}: (?:Exited with exit code |Aborted|Segmentation fault|Bus error|Illegal instruction|Floating point exception)");

  private StepTasks() {}

  private record Cancelled(String job, long offset) {}

  /// Whether this is the last line of a Paddle worker that was asked to end. Its launcher asks all
  /// workers to end once one has failed.
  static boolean paddleEnded(Sign sign) {
    return sign.event() instanceof FailureEvent.Cancelled cancelled
        && cancelled.words().startsWith("FatalError: ");
  }

  /// The signs without those of earlier jobs that wrote to the same file. The part of an earlier
  /// job ends where it was cancelled. A Paddle worker appends to the log of the worker before it.
  ///
  /// @param signs all signs; those of one file in the order of the file
  static List<Sign> ofLastJob(List<Sign> signs) {
    Map<String, Cancelled> last = new HashMap<>();
    Map<String, Long> before = new HashMap<>();
    Map<String, Long> asked = new HashMap<>();
    for (var sign : signs) {
      if (paddleEnded(sign)) {
        asked.put(sign.source(), sign.line().offset());
      } else if (sign.event() instanceof FailureEvent.Raised
          && asked.containsKey(sign.source())
          && FailureCause.of(sign).isOwnReport()) {
        before.put(sign.source(), asked.get(sign.source()));
      }
      var named =
          sign.event() instanceof FailureEvent.Cancelled cancelled
              ? CANCELLED.matcher(cancelled.words())
              : null;
      if (named != null && named.find()) {
        var now = new Cancelled(named.group(1), sign.line().offset());
        var earlier = last.put(sign.source(), now);
        if (earlier != null && !earlier.job().equals(now.job())) {
          before.put(sign.source(), earlier.offset());
        }
      }
    }
    return signs.stream()
        .filter(sign -> sign.line().offset() > before.getOrDefault(sign.source(), -1L))
        .toList();
  }

  /// Whether a line names tasks that were terminated or killed.
  static boolean named(String text) {
    return LEFT.matcher(text).find();
  }

  /// Whether a line names tasks that exited with a code of their own, or crashed.
  static boolean failed(String text) {
    return FAILED.matcher(text).find();
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
