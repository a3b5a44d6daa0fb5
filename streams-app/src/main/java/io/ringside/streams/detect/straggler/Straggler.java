package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.straggler.SlowSteps.Span;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.TimingTrust;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Watchdog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// Finds a rank, or a few together, for which all others wait again and again.
///
/// In aligned rounds, a straggler is the last in most rounds with a real wait, in many steps, for a
/// large share of the time. A rank that is rarely late because of a checkpoint or evaluation is no
/// straggler, nor is a single late round, nor are waits whose last rank changes. If times cannot be
/// trusted, the GPUs may still show it: one works while all others wait, or idles while all others
/// spin, or changed in exactly the time of slow steps.
public final class Straggler implements Detector {
  /// A checkpoint takes less than this share of a run.
  private static final double MOST_DUTY = 0.5;

  /// This many times the minimum idle time counts as more than one pause.
  private static final int PAUSES = 3;

  /// Readings this long after the delay show the GPU's state afterwards, in nanoseconds.
  private static final long LEAST_AFTER = 10_000_000_000L;

  private static final String GPU_SAYS = "its GPU stands apart from its peers";

  @Override
  public List<Finding> examine(Examination examination) {
    var delays = new ArrayList<Delay>();
    for (var comm : examination.run().communicators()) {
      if (TimingTrust.trusted(comm.rounds(), examination)) {
        delays.addAll(Delay.of(comm, examination));
      }
    }
    if (delays.isEmpty()) {
      delays.addAll(stalls(examination));
    }
    boolean even = delays.isEmpty();
    delays.removeIf(delay -> MeasuredStraggler.refutes(delay, examination));
    var findings = new ArrayList<Finding>();
    var run = examination.run();
    var apart = Stages.without(delays, run);
    var stages = delays.stream().filter(delay -> !apart.contains(delay)).toList();
    for (var together : StragglerBlame.group(Upstream.without(apart, run), stages, run)) {
      findings.add(fromRounds(together, examination));
    }
    return findings.isEmpty() ? withoutDelays(even, examination) : findings;
  }

  /// Findings from evidence other than arrivals, the most certain first.
  ///
  /// @param even whether no rank arrived late: hosts that call ahead of their GPUs arrive together,
  ///   whichever GPU is slow
  private static List<Finding> withoutDelays(boolean even, Examination examination) {
    var findings = new ArrayList<Finding>();
    boolean roundsTell = roundsTell(examination);
    if (even) {
      findings.addAll(MeasuredStraggler.findings(examination));
    }
    if (findings.isEmpty() && !roundsTell) {
      findings.addAll(ReportedStraggler.findings(examination));
    }
    if (!findings.isEmpty() || hangs(examination)) {
      return findings;
    }
    findings.addAll(SlowGpu.findings(examination, roundsTell));
    if (findings.isEmpty()) {
      findings.addAll(fromGpus(examination, roundsTell));
    }
    if (findings.isEmpty() && !roundsTell) {
      SlowClock.finding(examination).ifPresent(findings::add);
    }
    return findings;
  }

  private static List<Delay> stalls(Examination examination) {
    return examination.run().communicators().stream()
        .filter(comm -> TimingTrust.trusted(comm.rounds(), examination))
        .flatMap(comm -> Delay.stalls(comm, examination).stream())
        .toList();
  }

  /// @param delays delays of one rank, or of several that were late together
  private static Finding fromRounds(List<Delay> delays, Examination examination) {
    var run = examination.run();
    var leader = Collections.min(delays, Delay.FIRST_CONVINCED);
    var processes = new TreeMap<Integer, TrainingProcess>();
    delays.forEach(delay -> processes.put(delay.rank(), delay.process()));
    var extent = Extent.of(delays);
    var loss = DelayCost.of(delays);
    long episodes = loss.episodes();
    double lost = loss.seconds();
    double share = Math.min(1, lost / extent.seconds());
    var explained = explained(delays, leader, extent, share, examination);
    var excuse = explained.excuse();
    boolean believed = excuse == BenignReason.NONE;
    var who = RankText.words(processes.keySet());
    var draft =
        FindingDraft.about(
                FindingKind.STRAGGLER,
                excuse.note() ? Severity.INFO : severity(lost, examination),
                examination,
                List.copyOf(processes.values()))
            .subject("rank " + leader.rank())
            .held(Nanos.instant(extent.since()), Nanos.instant(extent.until()), extent.active())
            .summary(
                "%s the others waiting: late %d times by %s on average; %s"
                    .formatted(
                        RankText.clause(processes.keySet(), "keeps", "keep"),
                        episodes,
                        DurationWords.time(lost / episodes),
                        WaitShare.of(share, extent.seconds(), processes.size())))
            .expected("all ranks reach a collective together")
            .observed(
                "%s on %s %s last, %s lost"
                    .formatted(
                        who,
                        place(processes.values()),
                        processes.size() == 1 ? "arrives" : "arrive",
                        DurationWords.time(lost)))
            .cost(Cost.ofShare(loss.gpuSeconds(), share))
            .cause(believed ? explained.cause() : excuse.cause())
            .witness(
                "arrivals",
                processes.keySet(),
                "%s last in %d rounds, %s lost"
                    .formatted(
                        processes.size() == 1 ? "arrives" : "arrive",
                        episodes,
                        DurationWords.time(lost)));
    MeasuredStraggler.testify(draft, examination);
    if (believed && explained.cause().startsWith("gpu-")) {
      draft.witness("gpu-power", List.of(leader.rank()), GPU_SAYS);
    }
    delays.stream()
        .flatMap(delay -> delay.lateStep(run).stream())
        .findFirst()
        .ifPresent(draft::lateStep);
    delays.forEach(delay -> draft.proofs(delay.streak().proofs()));
    if (delays.stream().allMatch(delay -> delay.streak().proofs().isEmpty())) {
      delays.forEach(delay -> draft.proofs(delay.comm().rounds().samples()));
    }
    return draft.finding();
  }

  /// The time from the first to the last delay.
  private record Extent(long since, long until, boolean active) {
    static Extent of(List<Delay> delays) {
      long since = Long.MAX_VALUE;
      long until = Long.MIN_VALUE;
      boolean active = false;
      for (var delay : delays) {
        since = Math.min(since, delay.streak().sinceNanos());
        until = Math.max(until, delay.streak().untilNanos());
        active |= delay.active();
      }
      return new Extent(since, until, active);
    }

    double seconds() {
      return Nanos.seconds(until - since);
    }
  }

  /// What made a rank late, and the reason that may excuse it.
  private record Explained(String cause, BenignReason excuse) {}

  private static Explained explained(
      List<Delay> delays, Delay leader, Extent extent, double share, Examination examination) {
    var run = examination.run();
    var process = leader.process();
    long since = extent.since();
    long until = extent.until();
    var cause =
        new GpuPeers(run, peersLimit(examination))
            .cause(process, Nanos.instant(since), Nanos.instant(until));
    long episodes = DelayCost.of(delays).episodes();
    boolean uneven =
        !Unevenness.beyond(delays, episodes, share)
            && !Unevenness.excludedByHost(delays, episodes, share, run)
            && !changed(process, since, until, examination);
    if (uneven && idles(delays, leader, since, until, share, run)) {
      uneven = false;
      cause = cause.equals("unknown") ? "host" : cause;
    }
    // a GPU that stands apart cannot be explained by the rank's work
    return new Explained(
        cause,
        cause.startsWith("gpu-") && !uneven
            ? BenignReason.NONE
            : BenignReason.of(delays, share, uneven, run));
  }

  /// Whether a single rank was in time before, and its GPU was idle while it was late, for long
  /// enough. More data would have kept the GPU busy.
  private static boolean idles(
      List<Delay> delays, Delay leader, long since, long until, double share, Run run) {
    return delays.stream()
            .allMatch(delay -> delay.rank() == leader.rank() && !FirstRankDuties.mayIdle(delay))
        && delays.stream().anyMatch(delay -> delay.streak().provesDelay())
        && Unevenness.lastedByItsGpu(DelayCost.of(delays).episodes(), share)
        && IdleGpu.explains(leader.process(), since, until, share, run);
  }

  /// Whether its GPU, and no other, was shared or slower in just that time, which data cannot
  /// cause. Memory that an allocator takes for longer sequences stays taken afterwards.
  private static boolean changed(
      TrainingProcess process, long since, long until, Examination examination) {
    var run = examination.run();
    var slow = new Span(since, until);
    return changed(process, slow, new Span(run.firstNanos(), since), examination)
        && (run.lastNanos() - until < LEAST_AFTER
            || changed(process, slow, new Span(until, run.lastNanos()), examination));
  }

  private static boolean changed(
      TrainingProcess process, Span slow, Span elsewhere, Examination examination) {
    return GpuShift.of(examination.run(), peersLimit(examination), slow, List.of(elsewhere))
        .filter(shift -> shift.process().equals(process.id()) && shift.ofTheGpu())
        .isPresent();
  }

  private static String place(Collection<TrainingProcess> processes) {
    var pods = processes.stream().map(process -> process.source().pod()).distinct().toList();
    return pods.size() == 1 ? pods.getFirst() : pods.size() + " pods";
  }

  private static Severity severity(double lostSeconds, Examination examination) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (var comm : examination.run().communicators()) {
      var waits = comm.waits();
      if (waits.firstNanos() != Long.MIN_VALUE) {
        first = Math.min(first, waits.firstNanos());
        last = Math.max(last, waits.lastNanos());
      }
    }
    double share = last > first ? lostSeconds / Nanos.seconds(last - first) : 0;
    return share >= examination.expectations().thresholds().straggler().criticalShare()
        ? Severity.CRITICAL
        : Severity.WARNING;
  }

  private static List<Finding> fromGpus(Examination examination, boolean roundsTell) {
    var run = examination.run();
    var peers = new GpuPeers(run, peersLimit(examination));
    return peers.apart().stream()
        .filter(apart -> apart.hot() || (!roundsTell && progressed(apart.inAll(), examination)))
        .filter(apart -> !apart.proofs().isEmpty())
        .filter(apart -> apart.hot() || !duty(run.rank(apart.process()), apart.seconds(), run))
        .map(
            apart -> {
              Instant until = apart.until();
              var cause = apart.hot() ? peers.cause(apart.process(), apart.since(), until) : "host";
              int rank = run.rank(apart.process());
              return FindingDraft.about(
                      FindingKind.STRAGGLER,
                      Severity.WARNING,
                      examination,
                      List.of(apart.process()))
                  .subject("rank " + rank)
                  .held(apart.since(), until, false)
                  .summary(
                      apart.hot()
                          ? "rank %d keeps the others waiting: for %s its GPU alone worked while the others' idled"
                              .formatted(rank, DurationWords.time(apart.seconds()))
                          : "rank %d keeps the others waiting: for %s its GPU idled while the others' spun%s"
                              .formatted(rank, DurationWords.time(apart.seconds()), inAll(apart)))
                  .expected("GPUs of one job work alike")
                  .observed(
                      apart.hot()
                          ? "one GPU busy, its peers waiting"
                          : "one GPU idle, its peers spinning")
                  .cause(cause)
                  .witness("gpu-power", List.of(rank), GPU_SAYS)
                  .proofs(apart.proofs())
                  .finding();
            })
        .toList();
  }

  private static String inAll(GpuPeers.Apart apart) {
    return apart.inAll() == apart.seconds()
        ? ""
        : ", %s in all".formatted(DurationWords.time(apart.inAll()));
  }

  /// Whether idling may be a duty: only rank 0 writes checkpoints and evaluates, and its GPU idles
  /// meanwhile.
  private static boolean duty(int rank, int seconds, Run run) {
    return rank == 0 && seconds < MOST_DUTY * run.gpusWhileRunning().size();
  }

  /// Whether the run hangs: then all GPUs except the culprit's spin, which the hang finding
  /// reports.
  private static boolean hangs(Examination examination) {
    return examination.run().watchdogs().values().stream().anyMatch(Watchdog::timedOut);
  }

  /// Whether arrival times can be used. If they can, an idle GPU proves nothing: rank 0's also
  /// idles while it writes a checkpoint.
  private static boolean roundsTell(Examination examination) {
    return examination.run().communicators().stream()
        .anyMatch(
            comm ->
                comm.rounds().completed() > 0 && TimingTrust.trusted(comm.rounds(), examination));
  }

  /// Whether training is under way: a GPU that idles at start-up while a checkpoint is read is no
  /// straggler. If only step lines show progress, the GPU must idle for longer than one pause.
  private static boolean progressed(int idleSeconds, Examination examination) {
    var limit = peersLimit(examination);
    boolean stepsTell =
        examination.run().steps().observations() >= limit.rounds()
            && idleSeconds >= PAUSES * limit.idleFor().toSeconds();
    return stepsTell
        || examination.run().communicators().stream()
            .anyMatch(comm -> comm.rounds().completed() >= limit.rounds());
  }

  private static Thresholds.GpuPeers peersLimit(Examination examination) {
    return examination.expectations().thresholds().gpuPeers();
  }
}
