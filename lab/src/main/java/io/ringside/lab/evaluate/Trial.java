package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One job's truth beside what was said of it.
///
/// @param job in words, with what is needed to generate it again
/// @param hits what was expected, with the finding that says so
/// @param wrong findings above info that are not true
/// @param withdrawn ids of those that were taken back before the end
/// @param healthyGpuDays GPUs times days if nothing is wrong with the job, else 0
record Trial(
    String job,
    List<Hit> hits,
    List<Finding> wrong,
    Set<String> withdrawn,
    double healthyGpuDays,
    Duration judging) {

  Trial {
    hits = List.copyOf(hits);
    wrong = List.copyOf(wrong);
    withdrawn = Set.copyOf(withdrawn);
  }

  /// Something true.
  ///
  /// @param finding null if it was missed
  /// @param delay from the line that proves it to the finding, null if not measured
  record Hit(Expected expected, @Nullable Finding finding, @Nullable Duration delay) {

    boolean found() {
      return finding != null;
    }

    /// Whether the finding blames the right ranks.
    boolean rightRanks() {
      return finding != null
          && (expected.ranks().isEmpty() || expected.ranks().equals(Set.copyOf(finding.ranks())));
    }
  }
}
