package io.ringside.streams.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Which jobs speak, which have been silent for a while, and since when. The windows of those are
/// judged as they are, and again from time to time, for a hang without watchdog shows by the clock
/// alone. Lives in memory; owned by one stream thread.
final class Silences {
  /// While a run may have paused only, and later.
  private static final long PAUSED_MILLIS = 5_000;

  private static final long SILENT_MILLIS = 60_000;
  private static final long LONG_SILENT_MILLIS = 180_000;

  private final Duration idle;
  private final Function<String, Optional<Instant>> lastHeard;
  private final LastSeen active = new LastSeen();
  private final LastSeen kept = new LastSeen();
  private final Map<String, Silence> silent = new HashMap<>();

  /// Jobs of the partition's former owner of which no line came since: they are silent since their
  /// last line.
  private final Set<String> inherited = new HashSet<>();

  /// Those of them that were silent already, as far as their state tells: lines may wait to be
  /// read. What the former owner told of them stays until they speak, or have been silent for this
  /// one as well.
  private final Set<String> unheard = new HashSet<>();

  /// @param over whether all its runs are, so that no line is waited for and nothing depends on the
  ///   clock
  private record Silence(long sinceMillis, long judgedMillis, boolean over) {
    boolean due(long nowMillis) {
      boolean isLong = nowMillis - sinceMillis >= LONG_SILENT_MILLIS;
      return !over && nowMillis - judgedMillis >= (isLong ? SILENT_MILLIS : PAUSED_MILLIS);
    }
  }

  /// @param idle after so much silence a job is silent
  /// @param lastHeard when a job's newest line was read, as its state tells
  Silences(Duration idle, Function<String, Optional<Instant>> lastHeard) {
    this.idle = idle;
    this.lastHeard = lastHeard;
  }

  /// A line of the job came.
  void speaks(String job, long nowMillis) {
    active.seen(job, nowMillis);
    kept.seen(job, nowMillis);
    forget(job);
  }

  private void forget(String job) {
    silent.remove(job);
    inherited.remove(job);
    unheard.remove(job);
  }

  /// Whether it is silent and over: nothing but a line changes what is said of it.
  boolean over(String job) {
    var silence = silent.get(job);
    return silence != null && silence.over();
  }

  /// It was judged while it was silent, if it is.
  ///
  /// @param over whether all its runs are, for good
  void judged(String job, boolean over) {
    silent.computeIfPresent(
        job, (_, was) -> new Silence(was.sinceMillis(), was.judgedMillis(), over));
  }

  /// For how long it has been silent, null if it speaks.
  @Nullable Duration of(String job, long nowMillis) {
    var silence = silent.get(job);
    return silence == null ? null : Duration.ofMillis(nowMillis - silence.sinceMillis());
  }

  /// Whether a job that is held was never met here, which it is from now on.
  boolean isNew(String job, long nowMillis) {
    boolean isNew = !kept.isSeen(job);
    if (isNew) {
      kept.seen(job, nowMillis);
    }
    return isNew;
  }

  /// The job is the partition's former owner's, and goes on.
  ///
  /// @return whether it spoke not long before
  boolean inherit(String job, long nowMillis) {
    active.seen(job, nowMillis);
    inherited.add(job);
    boolean speaks = nowMillis - since(job, nowMillis) <= idle.toMillis();
    if (!speaks) {
      unheard.add(job);
    }
    return speaks;
  }

  /// Jobs that have become silent.
  List<String> begun(long nowMillis) {
    var begun = active.takeSilent(idle, nowMillis);
    for (var job : begun) {
      silent.put(job, new Silence(since(job, nowMillis), nowMillis, false));
      unheard.remove(job);
    }
    return begun;
  }

  private long since(String job, long nowMillis) {
    long since = nowMillis - idle.toMillis();
    return inherited.contains(job)
        ? Math.min(since, lastHeard.apply(job).map(Instant::toEpochMilli).orElse(since))
        : since;
  }

  /// Silent jobs that are to be judged again, and count as judged.
  List<String> due(long nowMillis) {
    var due = new ArrayList<String>();
    silent.replaceAll(
        (job, silence) -> {
          if (!silence.due(nowMillis)) {
            return silence;
          }
          due.add(job);
          return new Silence(silence.sinceMillis(), nowMillis, false);
        });
    return due;
  }

  /// Jobs of which what the former owner told stays as it is.
  Set<String> unheard() {
    return unheard;
  }

  /// Jobs silent for so long that nothing is remembered of them any more.
  List<String> takeLost(Duration forget, long nowMillis) {
    var lost = kept.takeSilent(forget, nowMillis);
    lost.forEach(this::forget);
    return lost;
  }
}
