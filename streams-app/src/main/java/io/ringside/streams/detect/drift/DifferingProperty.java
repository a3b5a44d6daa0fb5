package io.ringside.streams.detect.drift;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// A property that is not the same on all ranks that report it.
///
/// @param processesByValue the processes with each value
/// @param fewest processes of the smallest group: probably the odd ones
/// @param words for example `2.27.3 on ranks 0-6; 2.28.9 on rank 7`
record DifferingProperty(
    Map<String, List<TrainingProcess>> processesByValue,
    List<TrainingProcess> fewest,
    String words) {

  /// Compares the ranks of the run.
  ///
  /// @param property returns an empty string for a rank that does not report it
  static Optional<DifferingProperty> find(
      Examination examination, Function<TrainingProcess, String> property) {
    var byValue = new TreeMap<String, List<TrainingProcess>>();
    for (var process : examination.run().byRank()) {
      var value = property.apply(process);
      if (!value.isEmpty()) {
        byValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(process);
      }
    }
    if (byValue.size() < 2) {
      return Optional.empty();
    }
    var words = new ArrayList<String>();
    byValue.forEach(
        (value, processes) ->
            words.add(
                value
                    + " on "
                    + RankText.words(processes.stream().map(examination.run()::rank).toList())));
    var fewest =
        byValue.values().stream().min(Comparator.comparingInt(Collection::size)).orElseThrow();
    return Optional.of(new DifferingProperty(byValue, fewest, String.join("; ", words)));
  }
}
