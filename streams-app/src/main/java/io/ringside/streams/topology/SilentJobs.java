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

/// Tracks which jobs send lines, which have been silent for a while, and since when. Open windows
/// of silent jobs are judged as they are, and again from time to time, because only the clock
/// reveals a hang without a watchdog. Kept in memory only; owned by one stream thread.
final class SilentJobs {
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration VERY_LONG = Duration.ofMinutes(30);

  /// Time between two judgements while the run may only have paused; later, hardly more than the
  /// cost of its silence changes.
  private static final Duration PAUSED = Duration.ofSeconds(5);

  private static final Duration SILENT = Duration.ofMinutes(1);
  private static final Duration LEFT = Duration.ofMinutes(5);

  private final Duration idle;
  private final Function<String, Optional<Instant>> lastHeard;
  private final LastSeen active = new LastSeen();
  private final LastSeen kept = new LastSeen();
  private final Map<String, Silence> silent = new HashMap<>();

  /// Jobs of the partition's former owner that sent no line since the takeover: their silence began
  /// with their last line.
  private final Set<String> inherited = new HashSet<>();

  /// Those inherited jobs that were already silent according to their state; unread lines may still
  /// wait. The former owner's results stay until such a job sends a line or has been silent for
  /// this owner as well.
  private final Set<String> unheard = new HashSet<>();

  /// @param over whether all runs of the job are over, so that no line is expected and nothing
  ///   depends on the clock
  private record Silence(long sinceMillis, long judgedMillis, boolean over) {
    boolean due(long nowMillis) {
      return !over && nowMillis - judgedMillis >= pause(nowMillis - sinceMillis).toMillis();
    }

    private static Duration pause(long silentMillis) {
      if (silentMillis < LONG.toMillis()) {
        return PAUSED;
      }
      return silentMillis < VERY_LONG.toMillis() ? SILENT : LEFT;
    }
  }

  /// @param idle time without a line after which a job counts as silent
  /// @param lastHeard time when a job's newest line was read, according to its state
  SilentJobs(Duration idle, Function<String, Optional<Instant>> lastHeard) {
    this.idle = idle;
    this.lastHeard = lastHeard;
  }

  /// Notes a line of the job.
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

  /// Whether the job is silent and over: only a line can change its results.
  boolean over(String job) {
    var silence = silent.get(job);
    return silence != null && silence.over();
  }

  /// Notes that the job was judged; has an effect only while it is silent.
  ///
  /// @param over whether all runs of the job are over for good
  void judged(String job, boolean over) {
    silent.computeIfPresent(
        job, (_, was) -> new Silence(was.sinceMillis(), was.judgedMillis(), over));
  }

  /// How long the job has been silent, null if it is not.
  @Nullable Duration of(String job, long nowMillis) {
    var silence = silent.get(job);
    return silence == null ? null : Duration.ofMillis(nowMillis - silence.sinceMillis());
  }

  /// Whether the job is not judged again for a while if it stays silent.
  boolean rests(String job, long nowMillis) {
    var silence = silent.get(job);
    return silence != null
        && (silence.over() || nowMillis - silence.sinceMillis() >= LONG.toMillis());
  }

  /// Whether a stored job was never seen by this owner; from now on it counts as seen.
  boolean isNew(String job, long nowMillis) {
    boolean isNew = !kept.isSeen(job);
    if (isNew) {
      kept.seen(job, nowMillis);
    }
    return isNew;
  }

  /// Takes over a job from the partition's former owner.
  ///
  /// @return whether the job sent a line recently
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

  /// Silent jobs that are due to be judged again; they count as judged from now on.
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

  /// Jobs whose results from the former owner stay as they are.
  Set<String> unheard() {
    return unheard;
  }

  /// Jobs that were silent for so long that they are forgotten now.
  List<String> takeLost(Duration forget, long nowMillis) {
    var lost = kept.takeSilent(forget, nowMillis);
    lost.forEach(this::forget);
    return lost;
  }
}
