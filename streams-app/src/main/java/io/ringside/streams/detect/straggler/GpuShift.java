package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.detect.straggler.SlowSteps.Span;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.gpu.GpuSecond;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds which GPU changed while steps were slow, and how. Each GPU is compared with itself outside
/// of that time, and its change with the changes of its peers. What a rank always does (a stage of
/// a pipeline, an uneven placement) is no change. What all GPUs do is no change of one.
///
/// ```text
///            the GPU               its peers                   meaning
///   IDLES    less busy than peers  as busy as before, or more  its program is late, peers spin
///   SHARED   more memory, and      no more memory              another program uses the GPU
///            more of the power
///   SLOWED   lower clock           same clock as before        the GPU itself is slow
///   ALONE    as much power as      much less power, as busy    it works while peers spin
///            before
/// ```
final class GpuShift {
  /// Readings are means over about the last second, so a reading this close to a change belongs to
  /// both sides.
  private static final long MARGIN_NANOS = 1_000_000_000L;

  private static final int LEAST_SLOW = 5;
  private static final int LEAST_FAST = 3;
  private static final int MOST_SECONDS = 120;

  /// Utilization, in percent, from which on a GPU is really working.
  private static final double WORKS_PERCENT = 70;

  /// Percentage points by which utilization may differ by chance.
  private static final double CHANCE = 10;

  private static final double SAME_CLOCK = 0.93;
  private static final double SAME_POWER = 0.9;
  private static final double MORE_OF_THE_POWER = 1.1;
  private static final double PEERS_MEMORY = 0.3;

  /// Share of the slow seconds in which the change must show, and by how much it must exceed that
  /// of the other seconds.
  private static final double MOST = 0.6;

  private static final double MORE = 0.4;

  private final Run run;
  private final Thresholds.GpuPeers limit;
  private final Span span;
  private final List<Span> elsewhere;
  private final List<String> ids = new ArrayList<>();
  private final List<Reading> slowSeconds = new ArrayList<>();
  private final List<Reading> fastSeconds = new ArrayList<>();
  private Reading slow = new Reading(0);
  private Reading fast = new Reading(0);

  private GpuShift(Run run, Thresholds.GpuPeers limit, Span span, List<Span> elsewhere) {
    this.run = run;
    this.limit = limit;
    this.span = span;
    this.elsewhere = elsewhere;
  }

  /// How a GPU changed.
  enum Kind {
    IDLES,
    SHARED,
    SLOWED,
    ALONE
  }

  /// @param process id of the process that holds the GPU
  /// @param memoryMiB additional memory in use, in MiB
  /// @param clockMHz mean clock in the slow seconds, in MHz
  record Shift(String process, Kind kind, double memoryMiB, double clockMHz) {
    /// Whether the GPU itself is slow. Arrival times do not show this for a program that calls
    /// without waiting for its GPU.
    boolean ofTheGpu() {
      return kind == Kind.SHARED || kind == Kind.SLOWED;
    }
  }

  /// The only GPU that changed, if just one did.
  ///
  /// @param slow the time of the slow steps
  /// @param elsewhere the times before and after
  static Optional<Shift> of(Run run, Thresholds.GpuPeers limit, Span slow, List<Span> elsewhere) {
    var shift = new GpuShift(run, limit, slow, elsewhere);
    shift.readings();
    return shift.slowSeconds.size() < LEAST_SLOW || shift.fastSeconds.size() < LEAST_FAST
        ? Optional.empty()
        : shift.only();
  }

  /// Readings of all GPUs in one second, by place of the process, or their means. NaN if a value is
  /// unknown.
  private static final class Reading {
    private final float[] busy;
    private final float[] watts;
    private final float[] memory;
    private final float[] clock;

    Reading(int size) {
      busy = new float[size];
      watts = new float[size];
      memory = new float[size];
      clock = new float[size];
    }

    void put(int place, GpuSecond.Gpu gpu) {
      busy[place] = (float) gpu.utilization();
      watts[place] = (float) gpu.watts();
      memory[place] = (float) gpu.memory();
      clock[place] = (float) gpu.clock();
    }

    static Reading mean(List<Reading> seconds, int size) {
      var mean = new Reading(size);
      float share = 1f / Math.max(1, seconds.size());
      for (var second : seconds) {
        for (int place = 0; place < size; place++) {
          mean.busy[place] += share * second.busy[place];
          mean.watts[place] += share * second.watts[place];
          mean.memory[place] += share * second.memory[place];
          mean.clock[place] += share * second.clock[place];
        }
      }
      return mean;
    }
  }

  private void readings() {
    var places = new HashMap<String, Integer>();
    for (var process : run.processes()) {
      places.put(process.id(), ids.size());
      ids.add(process.id());
    }
    if (ids.size() < 2) {
      return;
    }
    var within = new ArrayList<Long>();
    var outside = new ArrayList<Long>();
    for (long second : run.readings().bySecond().keySet()) {
      long begin = Nanos.ofSeconds(second);
      if (within(span, begin)) {
        within.add(second);
      } else if (elsewhere.stream().anyMatch(each -> within(each, begin))) {
        outside.add(second);
      }
    }
    read(within, places, slowSeconds);
    read(outside, places, fastSeconds);
    slow = Reading.mean(slowSeconds, ids.size());
    fast = Reading.mean(fastSeconds, ids.size());
  }

  /// Reads the seconds, or enough of them, evenly spaced.
  private void read(List<Long> seconds, Map<String, Integer> places, List<Reading> into) {
    int stride = 1 + seconds.size() / MOST_SECONDS;
    for (int at = 0; at < seconds.size(); at += stride) {
      var missing = new BitSet();
      missing.set(0, ids.size());
      var reading = new Reading(ids.size());
      long second = seconds.get(at);
      // a sample of many GPUs may reach into the next second
      for (long near : new long[] {second, second + 1, second - 1}) {
        var there = missing.isEmpty() ? null : run.readings().at(near);
        if (there == null) {
          continue;
        }
        for (var gpu = there.gpus(); gpu.next(); ) {
          var place = places.get(gpu.process());
          if (place != null && missing.get(place)) {
            reading.put(place, gpu);
            missing.clear(place);
          }
        }
      }
      if (missing.isEmpty()) {
        into.add(reading);
      }
    }
  }

  private static boolean within(Span span, long secondNanos) {
    return secondNanos >= span.sinceNanos() + MARGIN_NANOS
        && secondNanos + MARGIN_NANOS <= span.untilNanos();
  }

  private Optional<Shift> only() {
    Shift found = null;
    for (int place = 0; place < ids.size(); place++) {
      var kind = kind(place);
      if (kind.isEmpty() || !agrees(place, kind.get())) {
        continue;
      }
      if (found != null) {
        return Optional.empty();
      }
      found =
          new Shift(
              ids.get(place),
              kind.get(),
              slow.memory[place] - fast.memory[place],
              slow.clock[place]);
    }
    return Optional.ofNullable(found);
  }

  /// How the GPU's means changed in comparison with its peers'. An unknown reading is NaN, which
  /// fits no kind.
  private Optional<Kind> kind(int own) {
    if (shared(own)) {
      return Optional.of(Kind.SHARED);
    }
    if (slowed(own)) {
      return Optional.of(Kind.SLOWED);
    }
    if (alone(own)) {
      return Optional.of(Kind.ALONE);
    }
    return idles(own) ? Optional.of(Kind.IDLES) : Optional.empty();
  }

  private boolean idles(int own) {
    if (!(slow.busy[own] < fast.busy[own] + CHANCE / 2)) {
      return false; // it waits like its peers, or works more
    }
    for (int peer = 0; peer < ids.size(); peer++) {
      if (peer != own
          && !(lead(slow, peer, own) >= limit.lessBusy()
              && lead(slow, peer, own) - lead(fast, peer, own) >= limit.lessBusy()
              && spins(peer)
              // with two GPUs, one may wait without spinning for the other that works, which then
              // works as before
              && (ids.size() > 2 || slow.watts[peer] <= SAME_POWER * fast.watts[peer]))) {
        return false;
      }
    }
    return true;
  }

  private boolean shared(int own) {
    double more = slow.memory[own] - fast.memory[own];
    if (!(more >= limit.moreMemoryMiB() && works(own))) {
      return false;
    }
    for (int peer = 0; peer < ids.size(); peer++) {
      if (peer != own
          && !(Math.abs(slow.memory[peer] - fast.memory[peer]) <= PEERS_MEMORY * more
              && rise(own) >= MORE_OF_THE_POWER * rise(peer))) {
        return false;
      }
    }
    return true;
  }

  private boolean slowed(int own) {
    if (!(slow.clock[own] <= limit.slowerClock() * fast.clock[own] && works(own))) {
      return false;
    }
    for (int peer = 0; peer < ids.size(); peer++) {
      if (peer != own && !(slow.clock[peer] >= SAME_CLOCK * fast.clock[peer])) {
        return false;
      }
    }
    return true;
  }

  private boolean alone(int own) {
    if (!(rise(own) >= SAME_POWER && works(own))) {
      return false;
    }
    for (int peer = 0; peer < ids.size(); peer++) {
      if (peer != own && !(rise(peer) <= limit.lessPower() && spins(peer))) {
        return false;
      }
    }
    return true;
  }

  /// Percentage points by which a peer is busier.
  private static double lead(Reading means, int peer, int own) {
    return means.busy[peer] - means.busy[own];
  }

  private double rise(int place) {
    return slow.watts[place] / fast.watts[place];
  }

  private boolean works(int place) {
    return slow.busy[place] >= WORKS_PERCENT;
  }

  private boolean spins(int place) {
    return slow.busy[place] >= fast.busy[place] - CHANCE;
  }

  /// Whether the change shows in most of the slow seconds and in few of the others: a mean may come
  /// from a few seconds only.
  private boolean agrees(int own, Kind kind) {
    double within = share(own, kind, slowSeconds);
    return within >= MOST && within - share(own, kind, fastSeconds) >= MORE;
  }

  private double share(int own, Kind kind, List<Reading> seconds) {
    int shows = 0;
    for (var second : seconds) {
      boolean fits =
          switch (kind) {
            case IDLES -> second.busy[own] <= others(second.busy, own) - CHANCE;
            case SHARED -> second.memory[own] >= middle(slow.memory[own], fast.memory[own]);
            case SLOWED -> second.clock[own] <= middle(slow.clock[own], fast.clock[own]);
            case ALONE -> relative(second, own) >= middle(relative(slow, own), relative(fast, own));
          };
      shows += fits ? 1 : 0;
    }
    return shows / (double) seconds.size();
  }

  private static double middle(double a, double b) {
    return (a + b) / 2;
  }

  /// Its power as a multiple of its peers' mean.
  private static double relative(Reading reading, int own) {
    return reading.watts[own] / others(reading.watts, own);
  }

  private static double others(float[] values, int own) {
    double sum = 0;
    for (int place = 0; place < values.length; place++) {
      sum += place == own ? 0 : values[place];
    }
    return sum / (values.length - 1);
  }
}
