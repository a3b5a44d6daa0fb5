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
record DelayCost(long episodes, double seconds, double gpuSeconds) {

  static DelayCost of(List<Delay> delays) {
    var sorted = new ArrayList<>(delays);
    sorted.sort(Comparator.comparingLong(delay -> delay.streak().sinceNanos()));
    var sum = new DelayCost(0, 0, 0);
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

  private static DelayCost atOneTime(List<Delay> delays) {
    long ranks = delays.stream().mapToInt(Delay::rank).distinct().count();
    var byComm = new TreeMap<String, DelayCost>();
    for (var delay : delays) {
      var streak = delay.streak();
      double seconds = streak.blamedSeconds();
      long others = Math.max(1, delay.comm().nranks() - ranks);
      byComm.merge(
          delay.comm().id(),
          new DelayCost(streak.delays(), seconds, seconds * others),
          // if several ranks were late together, the time is lost once
          ranks == 1 ? DelayCost::plus : DelayCost::larger);
    }
    double gpuSeconds = byComm.values().stream().mapToDouble(DelayCost::gpuSeconds).sum();
    return byComm.values().stream()
        .max(Comparator.comparingDouble(DelayCost::seconds))
        .map(worst -> new DelayCost(worst.episodes(), worst.seconds(), gpuSeconds))
        .orElse(new DelayCost(0, 0, 0));
  }

  private DelayCost plus(DelayCost other) {
    return new DelayCost(
        episodes + other.episodes, seconds + other.seconds, gpuSeconds + other.gpuSeconds);
  }

  private DelayCost larger(DelayCost other) {
    return new DelayCost(
        Math.max(episodes, other.episodes),
        Math.max(seconds, other.seconds),
        Math.max(gpuSeconds, other.gpuSeconds));
  }
}
