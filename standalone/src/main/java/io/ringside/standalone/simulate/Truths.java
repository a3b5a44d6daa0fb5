package io.ringside.standalone.simulate;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.simulate.Fault.EfaFallback;
import io.ringside.standalone.simulate.Fault.GdrLost;
import io.ringside.standalone.simulate.Fault.Hang;
import io.ringside.standalone.simulate.Fault.LateStart;
import io.ringside.standalone.simulate.Fault.P2pDisabled;
import io.ringside.standalone.simulate.Fault.P2pReadForced;
import io.ringside.standalone.simulate.Fault.Straggler;
import io.ringside.standalone.simulate.Truth.Expected;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Says what is true of a planned job, as `design/findings` words it: what the plan's faults must show as,
/// and what its placement and network amount to by themselves.
final class Truths {
  /// A straggler is the last to arrive in most rounds, by definition.
  private static final double MOST_STEPS = 0.5;

  private final JobPlan plan;
  private final Layout layout;
  private final Timeline timeline;
  private final double[] starts;
  private final double connected;
  private final Instant begin;
  private final List<Expected> expected = new ArrayList<>();
  private final Set<FindingKind> tolerated = EnumSet.noneOf(FindingKind.class);

  private Truths(
      JobPlan plan,
      Layout layout,
      Timeline timeline,
      double[] starts,
      double connected,
      Instant begin) {
    this.plan = plan;
    this.layout = layout;
    this.timeline = timeline;
    this.starts = starts;
    this.connected = connected;
    this.begin = begin;
  }

  static Truth of(
      JobPlan plan,
      Layout layout,
      Timeline timeline,
      double[] starts,
      double connected,
      Instant begin,
      double gpuDays) {
    var truths = new Truths(plan, layout, timeline, starts, connected, begin);
    truths.placement();
    plan.faults().forEach(truths::fault);
    if (plan.output() == Output.NCCL_SECONDS || plan.output() == Output.BLOCKS) {
      truths.expect(FindingKind.TIMING_UNRELIABLE, Severity.INFO, Set.of(), null, "");
    }
    return new Truth(truths.expected, truths.tolerated, gpuDays);
  }

  private void placement() {
    boolean several = plan.pods() > 1;
    boolean socket = several && !plan.libfabric();
    // a pair of pods on one node talks over the network if the ring joins them there
    if (plan.podsPerNode() > 1 && plan.podsWithLogs() >= plan.pods()) {
      expect(FindingKind.SPLIT_PLACEMENT, Severity.WARNING, Set.of(), at(edges()), "");
    }
    if (socket && plan.nodes() > 1 && !plan.has(EfaFallback.class)) {
      boolean alone = plan.podsWithLogs() < plan.pods();
      expect(
          FindingKind.SOCKET_TRANSPORT,
          Severity.WARNING,
          Set.of(),
          at(edges()),
          alone ? "one pod" : "");
    }
    if (socket && plan.nodes() == 1) {
      // not above info where pods share a node, unless only some pods' lines are known
      if (plan.podsWithLogs() < plan.pods()) {
        tolerated.add(FindingKind.SOCKET_TRANSPORT);
      }
    }
  }

  private void fault(Fault fault) {
    switch (fault) {
      case EfaFallback _ -> {
        if (plan.pods() > 1) {
          expect(
              FindingKind.EFA_FALLBACK,
              Severity.CRITICAL,
              ranksWithLogs(),
              at(starts[0] + 0.36),
              "");
        }
      }
      case P2pReadForced _ ->
          expect(FindingKind.P2P_READ, Severity.WARNING, ranksWithLogs(), at(edges()), "");
      case P2pDisabled _ ->
          expect(FindingKind.SHM_FALLBACK, Severity.WARNING, ranksWithLogs(), at(edges()), "");
      case GdrLost lost -> {
        // one of the two tells it; up to 2.23 the rings line says nothing of GDR
        boolean said = plan.version().ringsSayGdr();
        expect(
            said ? FindingKind.GDR_DISAGREEMENT : FindingKind.GDR_MISSING,
            Severity.WARNING,
            Set.of(lost.rank()),
            at(edges()),
            "");
        if (said) {
          tolerated.add(FindingKind.GDR_MISSING);
        }
      }
      case LateStart late ->
          expected.add(
              new Expected(
                  FindingKind.LATE_START,
                  late.seconds() >= 60 ? Severity.WARNING : Severity.INFO,
                  Set.of(late.rank()),
                  "",
                  null,
                  null,
                  at(connected),
                  plan.version().bootstrapTimings() || (plan.torchLines() && late.rank() == 0)
                      ? ""
                      : "before 2.23"));
      case Straggler straggler -> straggler(straggler);
      case Hang hang ->
          expected.add(
              new Expected(
                  FindingKind.HANG,
                  Severity.CRITICAL,
                  Set.of(hang.rank()),
                  "",
                  null,
                  null,
                  hang.watchdog() ? at(timeline.hangAt() + hang.timeoutSeconds() + 0.05) : null,
                  hang.watchdog() ? "" : "silent"));
    }
  }

  private void straggler(Straggler straggler) {
    boolean unseen = straggler.cause().gpu() && !plan.schedule().blocking();
    double delay = straggler.share() * plan.stepSeconds();
    var hard =
        unseen
            ? "GPU only"
            : straggler.share() < 0.1
                ? "under 10 %"
                : straggler.share() < 2 * plan.noise().jitter()
                    ? "within jitter"
                    : delay < 0.015
                        ? "under 15 ms"
                        : plan.podsWithLogs() < plan.pods()
                            ? "one pod"
                            : timeline.stragglerLast() < MOST_STEPS ? "rarely last" : "";
    expected.add(
        new Expected(
            FindingKind.STRAGGLER,
            Severity.WARNING,
            Set.of(straggler.rank()),
            straggler.cause().label(),
            at(timeline.stragglerSince()),
            at(timeline.stragglerUntil()),
            at(timeline.stragglerSince()),
            hard));
  }

  private Set<Integer> ranksWithLogs() {
    var ranks = new TreeSet<Integer>();
    for (int rank = 0; rank < plan.ranks(); rank++) {
      if (layout.place(rank).pod() < plan.podsWithLogs()) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  /// When connections are made.
  private double edges() {
    if (!plan.version().lazyConnections()) {
      return connected + 0.01;
    }
    double last = 0;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      last = Math.max(last, timeline.firstCall(0, rank));
    }
    return last;
  }

  private void expect(
      FindingKind kind,
      Severity atLeast,
      Set<Integer> ranks,
      @Nullable Instant provenAt,
      String hard) {
    expected.add(new Expected(kind, atLeast, ranks, "", null, null, provenAt, hard));
  }

  private Instant at(double seconds) {
    return Nanos.instant(Nanos.of(begin) + Math.round(seconds * 1e9));
  }
}
