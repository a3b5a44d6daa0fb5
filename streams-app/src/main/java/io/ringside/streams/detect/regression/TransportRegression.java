package io.ringside.streams.detect.regression;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.fallback.EfaFallback;
import io.ringside.streams.detect.gdr.GdrDisagreement;
import io.ringside.streams.detect.network.NetworkFallback;
import io.ringside.streams.detect.nics.GdrMissing;
import io.ringside.streams.detect.p2pread.P2pRead;
import io.ringside.streams.detect.placement.SplitPlacement;
import io.ringside.streams.detect.shm.ShmFallback;
import io.ringside.streams.detect.socket.SocketTransport;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.ledger.Comparison;
import io.ringside.streams.ledger.Comparison.Change;
import io.ringside.streams.ledger.LastGoodRun;
import io.ringside.streams.ledger.TransportGrade;
import io.ringside.streams.ledger.TransportLoss;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds runs whose transport is worse than in the job's last good run: sockets instead of EFA,
/// shared memory instead of P2P, read instead of write, no more GPUDirect RDMA, fewer channels.
///
/// Its severity is one step above that of the plain finding, since something was changed.
public final class TransportRegression implements Detector {
  private static final List<Detector> PLAIN =
      List.of(
          new EfaFallback(),
          new NetworkFallback(),
          new SocketTransport(),
          new ShmFallback(),
          new P2pRead(),
          new GdrMissing(),
          new GdrDisagreement(),
          new SplitPlacement());

  private static final int SHOWN_CHANGES = 4;

  @Override
  public List<Finding> examine(Examination examination) {
    var run = examination.line();
    if (run == null || run.transports().isEmpty()) {
      return List.of();
    }
    double share = examination.expectations().thresholds().regression().channelShare();
    var good = LastGoodRun.ofTransport(examination.earlier(), run, share);
    return good
        .flatMap(
            before ->
                TransportLoss.between(before, run, share)
                    .map(loss -> draft(loss, before, run, examination)))
        .filter(FindingDraft::proved)
        .map(FindingDraft::finding)
        .stream()
        .toList();
  }

  private static FindingDraft draft(
      TransportLoss loss, RunSummary before, RunSummary run, Examination examination) {
    var edges = edges(loss, examination);
    var processes = new LinkedHashSet<TrainingProcess>();
    edges.forEach(edge -> processes.add(edge.printer()));
    var comparison = Comparison.of(before, run);
    var draft =
        FindingDraft.about(
                FindingKind.TRANSPORT_REGRESSION,
                severity(loss, examination),
                examination,
                processes)
            .summary(
                "transport is worse than in the last good run: %s instead of %s (%s)"
                    .formatted(loss.is(), loss.was(), loss.reach()))
            .expected(
                "%s, as in run %s (attempt %d)"
                    .formatted(loss.was(), before.run(), before.attempt()))
            .observed(loss.is())
            .cost(cost(comparison, run, examination))
            .cause(cause(comparison));
    for (var process : processes) {
      draft.proof(process.proof(TrainingProcess.Statement.NETWORK));
      break;
    }
    edges.stream().limit(3).forEach(edge -> draft.proof(edge.proof()));
    if (edges.isEmpty()) {
      examination.run().processes().stream()
          .flatMap(process -> process.memberships().values().stream())
          .map(membership -> membership.proof(Membership.Statement.CHANNELS))
          .filter(line -> line != null)
          .limit(2)
          .forEach(draft::proof);
    }
    draft.beganByNow().proofs(linesOf(before));
    return draft;
  }

  /// What the longer steps cost, where enough of them tell. Where no line tells the batch, it may
  /// have changed as well.
  private static Cost cost(Comparison comparison, RunSummary run, Examination examination) {
    var limit = examination.expectations().thresholds().steps();
    var ratio = comparison.stepRatio();
    var steps = Comparison.steps(run);
    var millis = steps == null ? null : Comparison.millis(steps);
    if (ratio == null
        || steps == null
        || millis == null
        || ratio < limit.runRatio()
        || steps.steps() < limit.runSteps()) {
      return new Cost(null, ratio);
    }
    double lost = Comparison.lostSeconds(steps, millis, ratio);
    return new Cost(lost * Math.max(1, examination.run().nranks()), ratio);
  }

  /// Edges that use the worse transport.
  private static List<RunEdge> edges(TransportLoss loss, Examination examination) {
    return examination.edges().stream()
        .filter(
            edge ->
                loss.after()
                    .map(grade -> TransportGrade.of(Transports.label(edge.transport())) == grade)
                    .orElse(false))
        .filter(
            edge -> loss.reach().equals("all ranks") || edge.reach().label().equals(loss.reach()))
        .toList();
  }

  /// Lines about the transport from the earlier run's checklist.
  private static Collection<Evidence> linesOf(RunSummary before) {
    return before.checklist().stream()
        .filter(
            check -> check.name().startsWith("transport") || check.name().equals("network in use"))
        .map(check -> check.line())
        .filter(line -> line != null)
        .limit(2)
        .toList();
  }

  private static Severity severity(TransportLoss loss, Examination examination) {
    var kinds = kinds(loss);
    var plain = Severity.INFO;
    for (var detector : PLAIN) {
      for (var finding : detector.examine(examination)) {
        if (kinds.contains(finding.kind()) && finding.severity().compareTo(plain) > 0) {
          plain = finding.severity();
        }
      }
    }
    return plain == Severity.INFO ? Severity.WARNING : Severity.CRITICAL;
  }

  private static Set<FindingKind> kinds(TransportLoss loss) {
    return loss.after()
        .map(
            grade ->
                switch (grade) {
                  case SOCKET ->
                      Set.of(
                          FindingKind.EFA_FALLBACK,
                          FindingKind.NETWORK_FALLBACK,
                          FindingKind.SOCKET_TRANSPORT,
                          FindingKind.SPLIT_PLACEMENT);
                  case NET -> Set.of(FindingKind.GDR_MISSING, FindingKind.GDR_DISAGREEMENT);
                  case GDR -> Set.of(FindingKind.SPLIT_PLACEMENT);
                  case SHM -> Set.of(FindingKind.SHM_FALLBACK);
                  case P2P_READ -> Set.of(FindingKind.P2P_READ);
                  case P2P -> Set.<FindingKind>of();
                })
        .orElse(Set.of());
  }

  /// Other changes since the last good run, as hints to the cause.
  private static @Nullable String cause(Comparison comparison) {
    var changes =
        comparison.changes().stream()
            .filter(
                change ->
                    !change.what().startsWith("transport")
                        && !change.what().equals("step time")
                        && !change.what().equals("network"))
            .map(TransportRegression::words)
            .toList();
    return changes.isEmpty()
        ? null
        : changes.stream()
            .limit(SHOWN_CHANGES)
            .collect(Collectors.joining("; ", "changed since: ", ""));
  }

  private static String words(Change change) {
    if (change.before().isEmpty()) {
      return change.what() + "=" + change.after() + " is new";
    }
    return change.after().isEmpty()
        ? change.what() + " is no longer set (was " + change.before() + ")"
        : "%s from %s to %s".formatted(change.what(), change.before(), change.after());
  }
}
