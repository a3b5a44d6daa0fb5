package io.ringside.streams.detect.straggler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// The cost of delays of one rank, or of ranks late together. Waits in several communicators at the
/// same time count once: of communicators whose delays overlap, the one with the longest wait
/// counts.
///
/// @param episodes number of waits
/// @param seconds wall-clock seconds lost
/// @param gpuSeconds seconds lost, summed over all ranks that waited
record Loss(long episodes, double seconds, double gpuSeconds) {

  static Loss of(List<Delay> delays) {
    var sorted = new ArrayList<>(delays);
    sorted.sort(Comparator.comparingLong(delay -> delay.streak().sinceNanos()));
    var sum = new Loss(0, 0, 0);
    var together = new ArrayList<Delay>();
    long until = Long.MIN_VALUE;
    for (var delay : sorted) {
      if (delay.streak().sinceNanos() > until) {
        sum = sum.plus(atOneTime(together));
        together.clear();
      }
      together.add(delay);
      until = Math.max(until, delay.streak().untilNanos());
    }
    return sum.plus(atOneTime(together));
  }

  private static Loss atOneTime(List<Delay> delays) {
    long ranks = delays.stream().mapToInt(Delay::rank).distinct().count();
    var byComm = new TreeMap<String, Loss>();
    for (var delay : delays) {
      var streak = delay.streak();
      double seconds = streak.blamedSeconds();
      long others = Math.max(1, delay.comm().nranks() - ranks);
      byComm.merge(
          delay.comm().id(),
          new Loss(streak.delays(), seconds, seconds * others),
          // if several ranks were late together, the time is lost once
          ranks == 1 ? Loss::plus : Loss::larger);
    }
    double gpuSeconds = byComm.values().stream().mapToDouble(Loss::gpuSeconds).sum();
    return byComm.values().stream()
        .max(Comparator.comparingDouble(Loss::seconds))
        .map(worst -> new Loss(worst.episodes(), worst.seconds(), gpuSeconds))
        .orElse(new Loss(0, 0, 0));
  }

  private Loss plus(Loss other) {
    return new Loss(
        episodes + other.episodes, seconds + other.seconds, gpuSeconds + other.gpuSeconds);
  }

  private Loss larger(Loss other) {
    return new Loss(
        Math.max(episodes, other.episodes),
        Math.max(seconds, other.seconds),
        Math.max(gpuSeconds, other.gpuSeconds));
  }
}
