package io.ringside.lab.simulate;

import io.ringside.lab.simulate.NetworkFault.EfaFallback;
import io.ringside.lab.simulate.NetworkFault.FabricFallback;
import io.ringside.lab.simulate.NetworkFault.FewerChannels;
import io.ringside.lab.simulate.NetworkFault.GdrLost;
import io.ringside.lab.simulate.NetworkFault.GdrOff;
import io.ringside.lab.simulate.NetworkFault.NewInLastRun;
import io.ringside.lab.simulate.NetworkFault.NicShortfall;
import io.ringside.lab.simulate.NetworkFault.P2pDisabled;
import io.ringside.lab.simulate.NetworkFault.P2pReadForced;
import io.ringside.lab.simulate.NetworkFault.PartialFallback;
import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.util.Set;
import java.util.stream.Collectors;

/// What faults of the network must show as.
final class NetworkTruths {
  private final StartedRun run;
  private final Truths truths;

  NetworkTruths(StartedRun run, Truths truths) {
    this.run = run;
    this.truths = truths;
  }

  void fault(NetworkFault fault) {
    switch (fault) {
      case EfaFallback _ -> {
        if (run.plan().pods() > 1) {
          everywhere(FindingKind.EFA_FALLBACK, Severity.CRITICAL);
        }
      }
      case FabricFallback _ -> {
        if (run.plan().pods() > 1) {
          everywhere(FindingKind.NETWORK_FALLBACK, Severity.CRITICAL);
        }
        truths.tolerate(FindingKind.SOCKET_TRANSPORT);
      }
      case PartialFallback partial -> {
        int pods = run.plan().podsPerNode();
        truths.expect(
            Expected.of(
                    run.plan().libfabric()
                        ? FindingKind.EFA_FALLBACK
                        : FindingKind.NETWORK_FALLBACK,
                    Severity.CRITICAL)
                .on(run.ranks(partial.node() * pods, (partial.node() + 1) * pods))
                .proven(run.at(run.connected()))
                .hard("one node of " + (run.plan().nodes() > 2 ? "many" : "two")));
        truths.tolerate(FindingKind.NCCL_ERROR, FindingKind.JOB_FAILED, FindingKind.HANG);
        truths.tolerate(FindingKind.SOCKET_TRANSPORT, FindingKind.NETWORK_FALLBACK);
      }
      case P2pReadForced _ -> everywhere(FindingKind.P2P_READ, Severity.WARNING);
      case P2pDisabled _ -> everywhere(FindingKind.SHM_FALLBACK, Severity.WARNING);
      case GdrLost lost -> lost(lost);
      case GdrOff _ ->
          truths.expect(
              Expected.of(FindingKind.GDR_MISSING, Severity.WARNING)
                  .on(
                      run.ranksWithLogs().stream()
                          .filter(run.layout()::hasNetworkEdge)
                          .collect(Collectors.toSet()))
                  .proven(run.edges()));
      case NicShortfall _ ->
          // the finding names one process of the pod
          truths.expect(
              Expected.of(FindingKind.NIC_SHORTFALL, Severity.WARNING)
                  .proven(run.at(run.connected())));
      case FewerChannels _ -> {}
      case NewInLastRun _ ->
          truths.expect(
              Expected.of(FindingKind.TRANSPORT_REGRESSION, Severity.WARNING).proven(run.edges()));
    }
  }

  private void lost(GdrLost lost) {
    // one of the two tells it; up to 2.23 the rings line says nothing of GDR
    boolean said = run.plan().version().ringsSayGdr();
    truths.expect(
        Expected.of(said ? FindingKind.GDR_DISAGREEMENT : FindingKind.GDR_MISSING, Severity.WARNING)
            .on(Set.of(lost.rank()))
            .proven(run.edges()));
    if (said) {
      truths.tolerate(FindingKind.GDR_MISSING);
    }
  }

  private void everywhere(FindingKind kind, Severity atLeast) {
    var expected = Expected.of(kind, atLeast).on(run.ranksWithLogs());
    truths.expect(
        expected.proven(
            kind == FindingKind.EFA_FALLBACK ? run.at(run.starts()[0] + 0.36) : run.edges()));
  }
}
