package io.ringside.lab.evaluate;

import io.ringside.lab.evaluate.Trial.Hit;
import io.ringside.lab.simulate.GeneratedJob;
import io.ringside.lab.simulate.Truth;
import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.Judge.JudgingScope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Replays jobs in the order of their records, judges them now and then as the service would, and
/// puts the findings beside the truth. Not thread-safe.
final class Examiner {
  private static final Duration PATIENCE = Duration.ofSeconds(75);
  private static final long SECOND = 1_000_000_000L;

  /// Judging is dear for large jobs: their delays are not measured.
  private static final int DELAY_RANKS = 64;

  private static final int HEALTHY_MOMENTS = 64;

  private static final int FAULTY_MOMENTS = 10;

  private static final Duration SILENCE = Duration.ofMinutes(15);

  private final Judge judge;
  private final LongSupplier nanoTime;

  /// Lines of each job's runs as they were at the first judgement: what they draw is not scored,
  /// and costs a third of judging.
  private final Map<String, List<RunSummary>> drawn = new HashMap<>();

  /// @param nanoTime measures how long judging takes
  Examiner(Judge judge, LongSupplier nanoTime) {
    this.judge = judge;
    this.nanoTime = nanoTime;
  }

  /// Puts a generated job to the test.
  Trial examine(GeneratedJob job, String words) {
    var replay = new Replay();
    var seen = new LinkedHashMap<String, Finding>();
    var firstSeen = new HashMap<String, Instant>();
    var moments = moments(job);
    int moment = 0;
    long judging = 0;
    for (var sent : job.records()) {
      while (moment < moments.size() && moments.get(moment) < sent.atNanos()) {
        long before = nanoTime.getAsLong();
        var now = Nanos.instant(moments.get(moment++));
        note(judged(replay, now), seen, firstSeen, now);
        judging = Math.max(judging, nanoTime.getAsLong() - before);
      }
      replay.add(sent.event());
    }
    var end = Nanos.instant(job.records().getLast().atNanos());
    replay.jobs().values().forEach(state -> state.runs().forEach(run -> run.idle(SILENCE)));
    long before = nanoTime.getAsLong();
    var last = judged(replay, end.plus(SILENCE));
    judging = Math.max(judging, nanoTime.getAsLong() - before);
    note(last, seen, firstSeen, end.plus(SILENCE));
    boolean timed = job.plan().ranks() <= DELAY_RANKS;
    return trial(
        words,
        job.truth(),
        seen.values(),
        last,
        timed ? firstSeen : Map.of(),
        Duration.ofNanos(judging));
  }

  /// A job that the judge gives up on: all of its truth is missed.
  static Trial crashed(GeneratedJob job, String words, RuntimeException e) {
    var at = e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0];
    return new Trial(
        words,
        job.truth().expected().stream().map(each -> new Hit(each, null, null, "")).toList(),
        List.of(),
        Set.of(),
        0,
        Duration.ZERO,
        e + at);
  }

  /// Puts a recorded job to the test.
  Trial examine(List<AgentEvent> events, Truth truth, String words, Instant now) {
    var last = judged(new Replay().addAll(events), now);
    return trial(words, truth, last, last, Map.of(), Duration.ZERO);
  }

  private List<Finding> judged(Replay replay, Instant now) {
    var findings = new ArrayList<Finding>();
    replay
        .jobs()
        .forEach(
            (job, state) -> {
              var verdict =
                  judge.judge(
                      state,
                      drawn.getOrDefault(job, List.of()),
                      now,
                      ObservationMode.LIVE,
                      JudgingScope.GLANCE);
              drawn.put(job, verdict.runs());
              findings.addAll(verdict.findings());
            });
    return findings;
  }

  private static void note(
      List<Finding> findings,
      Map<String, Finding> seen,
      Map<String, Instant> firstSeen,
      Instant now) {
    for (var finding : findings) {
      seen.merge(finding.id(), finding, (a, b) -> b.severity().compareTo(a.severity()) < 0 ? a : b);
      firstSeen.putIfAbsent(finding.id(), now);
    }
  }

  /// When to judge: spread over the job's life, and each second from when something can be known.
  /// Healthy jobs are judged as the service judges them, over and over: what it says once has been
  /// said.
  private static List<Long> moments(GeneratedJob job) {
    var moments = new TreeSet<Long>();
    long first = job.records().getFirst().atNanos();
    long last = job.records().getLast().atNanos();
    int spread =
        job.truth().healthy()
            ? HEALTHY_MOMENTS
            : job.plan().ranks() > DELAY_RANKS ? 2 : FAULTY_MOMENTS;
    for (int i = 1; i <= spread; i++) {
      moments.add(first + (last - first) / (spread + 1) * i);
    }
    if (job.plan().ranks() <= DELAY_RANKS) {
      for (var expected : job.truth().expected()) {
        if (expected.provenAt() != null) {
          long proven = Nanos.of(expected.provenAt());
          long phase = Math.floorMod(job.plan().seed(), SECOND);
          // each second at first, less often later: delays are scored to a tenth
          for (long i = 0; i <= PATIENCE.toSeconds(); i += i < 12 ? 1 : i < 30 ? 2 : 5) {
            moments.add(proven + phase + i * SECOND);
          }
        }
      }
    }
    return List.copyOf(moments);
  }

  private static Trial trial(
      String words,
      Truth truth,
      Collection<Finding> ever,
      List<Finding> last,
      Map<String, Instant> firstSeen,
      Duration judging) {
    var used = new HashSet<String>();
    var hits = new ArrayList<Hit>();
    for (var expected : truth.expected()) {
      var finding = match(expected, last, used);
      var near = finding == null ? near(expected, last, used) : "";
      Duration delay = null;
      if (finding != null) {
        used.add(finding.id());
        var at = firstSeen.get(finding.id());
        if (at != null && expected.provenAt() != null) {
          delay = Duration.between(expected.provenAt(), at);
          // beyond the moments that were judged for it nothing is known but that it came
          delay = delay.isNegative() || delay.compareTo(PATIENCE) > 0 ? null : delay;
        }
      }
      hits.add(new Hit(expected, finding, delay, near));
    }
    var wrong = new ArrayList<Finding>();
    for (var finding : ever) {
      if (finding.severity() != Severity.INFO
          && !used.contains(finding.id())
          && !truth.tolerated().contains(finding.kind())
          && !sameFault(finding, truth, used, last)) {
        wrong.add(finding);
      }
    }
    var withdrawn = new HashSet<String>();
    wrong.forEach(finding -> withdrawn.add(finding.id()));
    last.forEach(finding -> withdrawn.remove(finding.id()));
    return new Trial(
        words, hits, wrong, withdrawn, truth.healthy() ? truth.gpuDays() : 0, judging, "");
  }

  /// What was said of something that was missed, in a few words.
  private static String near(Expected expected, List<Finding> findings, Set<String> used) {
    return findings.stream()
        .filter(finding -> says(finding, expected) && !used.contains(finding.id()))
        .map(
            finding ->
                "%s: %s %s %s..%s"
                    .formatted(
                        Rightness.of(finding, expected).label(),
                        finding.severity().label(),
                        finding.ranks(),
                        finding.since(),
                        finding.until()))
        .findFirst()
        .orElse("");
  }

  /// Whether it says the same of the same fault as one that was expected: under a name that changed
  /// while the run was not known yet, or of another run with the same transport.
  private static boolean sameFault(
      Finding finding, Truth truth, Set<String> used, List<Finding> last) {
    boolean withdrawn = last.stream().noneMatch(f -> f.id().equals(finding.id()));
    if (withdrawn
        && finding.kind() == FindingKind.STRAGGLER
        && truth.expected().stream()
            .anyMatch(
                e ->
                    e.kind() == FindingKind.HANG
                        && e.ranks().equals(Set.copyOf(finding.ranks())))) {
      return true; // the rank that hangs, told before anybody timed out
    }
    for (var expected : truth.expected()) {
      if (expected.cause().equals("gpu-throttled")
          && expected.ranks().equals(Set.copyOf(finding.ranks()))
          && (finding.kind() == FindingKind.STRAGGLER
              || finding.kind() == FindingKind.GPU_THROTTLED)) {
        return true;
      }
      if (expected.kind() == finding.kind()) {
        if (!finding.ranks().isEmpty() && expected.ranks().containsAll(finding.ranks())) {
          return true; // some of the ranks that it is about: no false alarm, whether it lasts or
          // not
        }
        boolean rightRanks =
            expected.ranks().isEmpty() || expected.ranks().equals(Set.copyOf(finding.ranks()));
        boolean told =
            last.stream().anyMatch(f -> used.contains(f.id()) && f.kind() == finding.kind());
        if (told
            && (withdrawn ? !finding.run().startsWith("0x") : ofEachRun(finding) && rightRanks)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Faults of placement, network and libraries are in all runs of a generated job, unless they are
  /// new.
  private static boolean ofEachRun(Finding finding) {
    return switch (finding.kind()) {
      case EFA_FALLBACK,
          SOCKET_TRANSPORT,
          P2P_READ,
          SHM_FALLBACK,
          SPLIT_PLACEMENT,
          GDR_MISSING,
          GDR_DISAGREEMENT,
          NIC_SHORTFALL,
          VERSION_MISMATCH,
          ENV_DRIFT ->
          true;
      default -> false;
    };
  }

  /// A throttled GPU explains its rank's lateness: either finding tells of the fault.
  private static boolean says(Finding finding, Expected expected) {
    return finding.kind() == expected.kind()
        || (finding.kind() == FindingKind.GPU_THROTTLED
            && expected.cause().equals("gpu-throttled")
            && expected.ranks().equals(Set.copyOf(finding.ranks())));
  }

  /// A finding is right with its ranks, its time and its severity.
  private static @Nullable Finding match(
      Expected expected, List<Finding> findings, Set<String> used) {
    for (var finding : findings) {
      if (says(finding, expected)
          && !used.contains(finding.id())
          && Rightness.of(finding, expected) == Rightness.RIGHT) {
        return finding;
      }
    }
    return null;
  }
}
