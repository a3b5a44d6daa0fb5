package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How long the findings of small jobs take that begin one after the other: what other jobs feel.
final class Answers {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Answers() {}

  /// @param first number of the first of them, which no other marker has
  /// @param every after how long the next one is sent
  /// @return seconds from a job's last line to its finding, ascending
  static List<Double> secondsOf(
      int first, int count, Duration every, Traffic traffic, Results results) {
    var sent = new HashMap<String, Long>();
    var seconds = new ArrayList<Double>();
    long begin = System.nanoTime();
    int next = 0;
    while (next < count || !sent.isEmpty()) {
      long now = System.nanoTime();
      if (next < count && now - begin >= next * every.toNanos()) {
        var marker = Traffic.marker(first + next++);
        traffic.send(marker.records().stream());
        sent.put(marker.plan().name(), System.nanoTime());
      }
      var known = results.lookOnce();
      sent.entrySet().removeIf(each -> answered(each, known, seconds));
      assertThat(System.nanoTime() - begin)
          .as("no finding for %s", sent.keySet())
          .isLessThan(PATIENCE.plus(every.multipliedBy(count)).toNanos());
    }
    seconds.sort(null);
    return seconds;
  }

  private static boolean answered(
      Map.Entry<String, Long> sent, Map<String, String> known, List<Double> seconds) {
    boolean answered =
        known.keySet().stream().anyMatch(key -> key.contains("|" + sent.getKey() + "|"));
    if (answered) {
      seconds.add((System.nanoTime() - sent.getValue()) / 1e9);
    }
    return answered;
  }

  static double p99(List<Double> sorted) {
    return sorted.get((int) Math.round(0.99 * (sorted.size() - 1)));
  }
}
