package io.ringside.streams.job.gpu;

import io.ringside.schemas.event.GpuReading;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The readings of a run's GPUs, second by second, for the last quarter of an hour. Of several
/// readings of a GPU in one second the first counts.
///
/// Ten thousand GPUs have nine million readings, so these are kept as numbers in arrays, 24 bytes a
/// reading: values that change each second are kept to a thousandth, and values that seldom change
/// by their index in a list.
public final class GpuHistory {
  private static final int MAX_SECONDS = 900;

  private static final int LEAST_TRAITS = 64;

  private final List<String> processes = new ArrayList<>();
  private List<GpuTraits> traits = new ArrayList<>();

  /// When there are this many traits, those that no reading has any more are forgotten.
  private int manyTraits = LEAST_TRAITS;

  private final TreeMap<Long, GpuNumbers> bySecond = new TreeMap<>();

  /// The first second that ever had a reading.
  private long begun = Long.MAX_VALUE;

  private transient @Nullable Map<String, Integer> placeOf;
  private transient @Nullable Map<GpuTraits, Integer> traitsOf;
  private transient int @Nullable [] order;

  /// Views of `bySecond` for detectors: each detector reads all of it at each judgement.
  private transient @Nullable TreeMap<Long, GpuSecond> views;

  public void add(String process, long atNanos, GpuReading reading) {
    long second = Math.floorDiv(atNanos, 1_000_000_000L);
    begun = Math.min(begun, second);
    var numbers = bySecond.get(second);
    if (numbers == null) {
      numbers = new GpuNumbers();
      bySecond.put(second, numbers);
      views().put(second, new GpuSecond(this, numbers));
    }
    int place = place(process);
    if (!numbers.has(place)) {
      numbers.put(place, processes.size(), trait(place, GpuTraits.of(reading)), reading);
    }
    while (bySecond.size() > MAX_SECONDS) {
      views().remove(bySecond.firstKey());
      bySecond.remove(bySecond.firstKey());
    }
  }

  /// Forgets readings of the process after this moment.
  public void forget(String process, long afterNanos) {
    int place = known(process);
    var later = bySecond.tailMap(Math.floorDiv(afterNanos, 1_000_000_000L), false);
    for (var numbers : later.values()) {
      numbers.remove(place);
    }
    later.entrySet().stream()
        .filter(second -> second.getValue().size() == 0)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(
            second -> {
              views().remove(second);
              bySecond.remove(second);
            });
  }

  public void absorb(GpuHistory other) {
    absorb(other, _ -> true);
  }

  private void absorb(GpuHistory other, Predicate<String> which) {
    other
        .bySecond()
        .forEach(
            (second, readings) -> {
              for (var gpu = readings.gpus(); gpu.next(); ) {
                if (which.test(gpu.process())) {
                  add(gpu.process(), second * 1_000_000_000L, gpu.reading());
                }
              }
            });
    begun = Math.min(begun, other.begun);
  }

  /// The second of its first reading, even if that reading is forgotten; Long.MAX_VALUE if there
  /// was none.
  public long begun() {
    return begun;
  }

  /// The readings of all processes but one.
  public GpuHistory without(String process) {
    var others = new GpuHistory();
    others.absorb(this, other -> !other.equals(process));
    return others;
  }

  public boolean isEmpty() {
    return bySecond.isEmpty();
  }

  /// Whether the process ever had a reading.
  public boolean has(String process) {
    return known(process) >= 0;
  }

  /// Readings by second of the Unix epoch between two moments, both seconds included.
  public NavigableMap<Long, GpuSecond> between(Instant since, Instant until) {
    return bySecond().subMap(since.getEpochSecond(), true, until.getEpochSecond(), true);
  }

  /// Readings by second of the Unix epoch.
  public NavigableMap<Long, GpuSecond> bySecond() {
    return Collections.unmodifiableNavigableMap(views());
  }

  private TreeMap<Long, GpuSecond> views() {
    var known = views;
    if (known == null) {
      known = new TreeMap<>();
      for (var entry : bySecond.entrySet()) {
        known.put(entry.getKey(), new GpuSecond(this, entry.getValue()));
      }
      views = known;
    }
    return known;
  }

  /// The readings of one second, if there are any.
  public @Nullable GpuSecond at(long second) {
    return views().get(second);
  }

  String process(int place) {
    return processes.get(place);
  }

  /// Index of the process in all arrays, -1 if it has none.
  int known(String process) {
    return places().getOrDefault(process, -1);
  }

  GpuTraits traits(int number) {
    return traits.get(number);
  }

  /// All indexes in the order of the processes' ids.
  int[] order() {
    var known = order;
    if (known == null || known.length != processes.size()) {
      known =
          IntStream.range(0, processes.size())
              .boxed()
              .sorted(Comparator.comparing(processes::get))
              .mapToInt(Integer::intValue)
              .toArray();
      order = known;
    }
    return known;
  }

  private int place(String process) {
    return places()
        .computeIfAbsent(
            process,
            id -> {
              processes.add(id);
              return processes.size() - 1;
            });
  }

  private Map<String, Integer> places() {
    var known = placeOf;
    if (known == null) {
      known = new HashMap<>();
      for (int place = 0; place < processes.size(); place++) {
        known.put(processes.get(place), place);
      }
      placeOf = known;
    }
    return known;
  }

  private int trait(int place, GpuTraits wanted) {
    var newest = bySecond.lowerEntry(bySecond.lastKey());
    if (newest != null && newest.getValue().has(place)) {
      int before = newest.getValue().trait(place);
      if (traits.get(before).equals(wanted)) {
        return before;
      }
    }
    if (traits.size() >= manyTraits) {
      forgetTraits();
    }
    return numbered().computeIfAbsent(wanted, _ -> append(wanted));
  }

  private int append(GpuTraits wanted) {
    traits.add(wanted);
    return traits.size() - 1;
  }

  private Map<GpuTraits, Integer> numbered() {
    var known = traitsOf;
    if (known == null) {
      known = new HashMap<>();
      for (int number = 0; number < traits.size(); number++) {
        known.put(traits.get(number), number);
      }
      traitsOf = known;
    }
    return known;
  }

  private void forgetTraits() {
    var kept = new ArrayList<GpuTraits>();
    var numbers = new int[traits.size()];
    for (var second : bySecond.values()) {
      second.renumber(
          number -> {
            if (numbers[number] == 0) {
              kept.add(traits.get(number));
              numbers[number] = kept.size();
            }
            return numbers[number] - 1;
          });
    }
    traits = kept;
    manyTraits = Math.max(LEAST_TRAITS, 2 * kept.size());
    traitsOf = null;
  }
}
