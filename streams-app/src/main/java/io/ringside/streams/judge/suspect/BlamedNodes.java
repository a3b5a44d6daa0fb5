package io.ringside.streams.judge.suspect;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Decides which nodes a finding blames. Pure.
public final class BlamedNodes {
  /// Kinds that set a rank, a GPU or a node apart from its peers.
  private static final Set<FindingKind> OF_A_PLACE =
      EnumSet.of(
          FindingKind.STRAGGLER,
          FindingKind.HANG,
          FindingKind.LATE_START,
          FindingKind.GPU_THROTTLED,
          FindingKind.GPU_ERROR,
          FindingKind.SENSOR_STALLED);

  /// Kinds that are a node's fault only if other nodes of the run do not have them.
  private static final Set<FindingKind> OF_A_FEW =
      EnumSet.of(
          FindingKind.EFA_FALLBACK,
          FindingKind.GDR_MISSING,
          FindingKind.GDR_DISAGREEMENT,
          FindingKind.NIC_SHORTFALL,
          FindingKind.SHM_FALLBACK,
          FindingKind.NCCL_ERROR,
          FindingKind.VERSION_MISMATCH);

  private BlamedNodes() {}

  /// The finding's blames by node. None for a note, for an effect of another finding, and for a
  /// condition that most of the run's nodes share.
  ///
  /// @param runNodes number of nodes of the run
  public static TreeMap<String, Blame> of(@Nullable Finding finding, int runNodes, Instant now) {
    var blames = new TreeMap<String, Blame>();
    if (finding == null
        || finding.severity() == Severity.INFO
        || finding.causedBy() != null
        || "duty".equals(finding.cause()) // caused by its rank's work, on whichever node that runs
        || !blames(finding, runNodes)) {
      return blames;
    }
    for (var node : finding.nodes()) {
      blames.put(
          node,
          new Blame(
              finding.cluster(),
              node,
              finding.namespace(),
              finding.job(),
              finding.run(),
              finding.id(),
              finding.kind(),
              finding.severity(),
              finding.nodes().size() == 1 ? finding.gpus() : List.of(),
              mayBeWork(finding) ? finding.ranks() : List.of(),
              now,
              false));
    }
    return blames;
  }

  /// Whether the ranks' work may explain it. It does not explain a GPU that stands apart from its
  /// peers.
  private static boolean mayBeWork(Finding finding) {
    return finding.kind() == FindingKind.STRAGGLER
        && (finding.cause() == null || !finding.cause().startsWith("gpu-"));
  }

  private static boolean blames(Finding finding, int runNodes) {
    int concerned = finding.nodes().size();
    boolean few = concerned > 0 && concerned * 2 <= runNodes;
    return OF_A_PLACE.contains(finding.kind())
        ? few || concerned == 1
        : OF_A_FEW.contains(finding.kind()) && few;
  }
}
