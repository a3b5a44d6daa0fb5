package io.ringside.streams.judge;

import static io.ringside.schemas.event.FindingKind.BANDWIDTH_BELOW_EXPECTED;
import static io.ringside.schemas.event.FindingKind.BARRIER_WAIT;
import static io.ringside.schemas.event.FindingKind.EFA_FALLBACK;
import static io.ringside.schemas.event.FindingKind.ENV_DRIFT;
import static io.ringside.schemas.event.FindingKind.GDR_DISAGREEMENT;
import static io.ringside.schemas.event.FindingKind.GDR_MISSING;
import static io.ringside.schemas.event.FindingKind.GPU_ERROR;
import static io.ringside.schemas.event.FindingKind.GPU_THROTTLED;
import static io.ringside.schemas.event.FindingKind.HANG;
import static io.ringside.schemas.event.FindingKind.JOB_FAILED;
import static io.ringside.schemas.event.FindingKind.LINK_DEGRADED;
import static io.ringside.schemas.event.FindingKind.NCCL_ERROR;
import static io.ringside.schemas.event.FindingKind.NETWORK_ERRORS;
import static io.ringside.schemas.event.FindingKind.NETWORK_FALLBACK;
import static io.ringside.schemas.event.FindingKind.NIC_SHORTFALL;
import static io.ringside.schemas.event.FindingKind.P2P_READ;
import static io.ringside.schemas.event.FindingKind.SENSOR_STALLED;
import static io.ringside.schemas.event.FindingKind.SHM_FALLBACK;
import static io.ringside.schemas.event.FindingKind.SOCKET_TRANSPORT;
import static io.ringside.schemas.event.FindingKind.SPLIT_PLACEMENT;
import static io.ringside.schemas.event.FindingKind.STEP_REGRESSION;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.FindingKind.TRANSPORT_REGRESSION;
import static io.ringside.schemas.event.FindingKind.VERSION_MISMATCH;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.ledger.LastGoodRun;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Finds causes and effects among the findings of one run, so that one fault gives one headline: a
/// throttled GPU explains the straggler, the straggler explains the barrier wait, and a fallback
/// explains slower steps.
///
/// The rules are a table and lead from effects to causes without a cycle. A finding of severity
/// INFO never is a cause, nor is one that was over before the other began. Pure.
final class Correlation {
  /// Findings about the transport that a run has from its start.
  private static final Set<FindingKind> TRANSPORT =
      EnumSet.of(
          EFA_FALLBACK,
          NETWORK_FALLBACK,
          LINK_DEGRADED,
          SOCKET_TRANSPORT,
          SHM_FALLBACK,
          SPLIT_PLACEMENT,
          GDR_MISSING,
          NIC_SHORTFALL,
          P2P_READ);

  /// Rules in the order in which they are tried.
  private static final List<Rule> RULES =
      List.of(
          rule(HANG, Correlation::died, JOB_FAILED),
          rule(JOB_FAILED, Correlation::timedOut, HANG),
          rule(JOB_FAILED, Correlation::brokenGpu, GPU_ERROR),
          rule(HANG, Correlation::sharePlace, GPU_ERROR),
          rule(SENSOR_STALLED, Correlation::shareNode, GPU_ERROR),
          rule(GPU_THROTTLED, Correlation::sharePlace, GPU_ERROR),
          rule(STRAGGLER, Correlation::sharePlace, GPU_ERROR, GPU_THROTTLED),
          rule(NCCL_ERROR, Correlation::notBefore, GPU_ERROR, HANG),
          rule(NCCL_ERROR, Correlation::always, JOB_FAILED),
          rule(EFA_FALLBACK, Correlation::sameRanks, VERSION_MISMATCH, ENV_DRIFT),
          rule(SOCKET_TRANSPORT, Correlation::atMostAsBadThere, SPLIT_PLACEMENT),
          rule(GDR_DISAGREEMENT, Correlation::always, GDR_MISSING),
          // the worse of the two is the headline: the fault itself, or the regression
          new Rule(EnumSet.of(TRANSPORT_REGRESSION), TRANSPORT, Correlation::atMostAsBad),
          new Rule(TRANSPORT, EnumSet.of(TRANSPORT_REGRESSION), Correlation::lessBad),
          rule(BANDWIDTH_BELOW_EXPECTED, Correlation::sharePlace, GPU_ERROR, GPU_THROTTLED),
          new Rule(EnumSet.of(BANDWIDTH_BELOW_EXPECTED), TRANSPORT, Correlation::always),
          rule(
              BARRIER_WAIT,
              Correlation::always,
              HANG,
              STRAGGLER,
              GPU_ERROR,
              GPU_THROTTLED,
              NETWORK_ERRORS),
          rule(
              STEP_REGRESSION,
              Correlation::always,
              HANG,
              STRAGGLER,
              GPU_ERROR,
              GPU_THROTTLED,
              NETWORK_ERRORS),
          rule(STEP_REGRESSION, Correlation::againstEarlierRun, TRANSPORT_REGRESSION),
          new Rule(EnumSet.of(STEP_REGRESSION), TRANSPORT, Correlation::againstEarlierRun),
          rule(STEP_REGRESSION, Correlation::always, BARRIER_WAIT));

  private Correlation() {}

  /// @param fits whether this effect (first) may follow from this cause (second)
  private record Rule(
      Set<FindingKind> effects, Set<FindingKind> causes, BiPredicate<Finding, Finding> fits) {}

  private static Rule rule(
      FindingKind effect,
      BiPredicate<Finding, Finding> fits,
      FindingKind cause,
      FindingKind... others) {
    return new Rule(EnumSet.of(effect), EnumSet.of(cause, others), fits);
  }

  /// The same findings, each with its cause.
  ///
  /// @param findings all findings of one run
  static List<Finding> of(List<Finding> findings) {
    return findings.stream()
        .map(finding -> finding.following(cause(finding, findings).map(Finding::id).orElse(null)))
        .toList();
  }

  private static Optional<Finding> cause(Finding effect, List<Finding> findings) {
    for (var rule : RULES) {
      if (rule.effects().contains(effect.kind())) {
        var cause =
            findings.stream()
                .filter(other -> rule.causes().contains(other.kind()))
                .filter(other -> other.severity() != Severity.INFO)
                .filter(other -> meet(effect, other) && rule.fits().test(effect, other))
                .max(
                    Comparator.comparing(Finding::severity)
                        .thenComparing(Finding::kind, Comparator.reverseOrder())
                        .thenComparing(Finding::id, Comparator.reverseOrder()));
        if (cause.isPresent()) {
          return cause;
        }
      }
    }
    return Optional.empty();
  }

  /// Whether both findings held at the same time; a finding without times may have. A finding that
  /// still holds cannot follow from one that is over.
  private static boolean meet(Finding effect, Finding cause) {
    boolean goesOn = effect.state() == Finding.State.ACTIVE;
    if (goesOn && cause.state().over()) {
      return false;
    }
    var until = cause.kind() == JOB_FAILED ? null : cause.until(); // a dead rank stays dead
    return beginsBy(shown(effect), until) && beginsBy(shown(cause), effect.until());
  }

  private static boolean beginsBy(@Nullable Instant begin, @Nullable Instant end) {
    return begin == null || end == null || !begin.isAfter(end);
  }

  private static boolean always(Finding effect, Finding cause) {
    return true;
  }

  /// A transport that was there from the start cannot have slowed steps down later.
  private static boolean againstEarlierRun(Finding effect, Finding cause) {
    return FindingDraft.isAbout(LastGoodRun.SUBJECT, effect);
  }

  /// A rank that died for a reason of its own leaves the others waiting.
  private static boolean died(Finding effect, Finding cause) {
    return !ofTheWatchdog(cause);
  }

  /// The watchdog ends processes that hang.
  private static boolean timedOut(Finding effect, Finding cause) {
    return ofTheWatchdog(effect);
  }

  private static boolean ofTheWatchdog(Finding failed) {
    return failed.failureClass() == FailureClass.NCCL
        || failed.failureClass() == FailureClass.UNKNOWN;
  }

  private static boolean brokenGpu(Finding effect, Finding cause) {
    return effect.failureClass() == FailureClass.GPU_ERROR;
  }

  private static boolean sharePlace(Finding effect, Finding cause) {
    return intersect(effect.ranks(), cause.ranks())
        || intersect(effect.gpus(), cause.gpus()) && shareNode(effect, cause);
  }

  private static boolean shareNode(Finding effect, Finding cause) {
    return intersect(effect.nodes(), cause.nodes());
  }

  private static boolean sameRanks(Finding effect, Finding cause) {
    return effect.ranks().equals(cause.ranks());
  }

  private static boolean notBefore(Finding effect, Finding cause) {
    var from = shown(cause);
    return effect.since() == null || from == null || !effect.since().isBefore(from);
  }

  /// Time from which the finding shows. A hang begins with the call that never completes, long
  /// before a watchdog reports it. An error in between may be its cause.
  private static @Nullable Instant shown(Finding finding) {
    var since = finding.since();
    if (since == null || finding.kind() != HANG) {
      return since;
    }
    return finding.evidence().stream()
        .map(Evidence::time)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .filter(since::isBefore)
        .orElse(since);
  }

  private static boolean atMostAsBad(Finding effect, Finding cause) {
    return effect.severity().compareTo(cause.severity()) <= 0;
  }

  private static boolean atMostAsBadThere(Finding effect, Finding cause) {
    return atMostAsBad(effect, cause) && sharePlace(effect, cause);
  }

  private static boolean lessBad(Finding effect, Finding cause) {
    return effect.severity().compareTo(cause.severity()) < 0;
  }

  private static boolean intersect(Collection<?> a, Collection<?> b) {
    return !Collections.disjoint(a, b);
  }
}
