package io.ringside.streams.detect.offload;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Warned;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// SHARP (CollNet, reductions in InfiniBand's switches) or NVLS (reductions in NVLink's switch) that was asked for, or that
/// other ranks have, is not used. That a machine has none is no fault: `NVLS multicast support is not available` is printed on
/// every A100. `Failed to bind NVLink SHARP (NVLS) Multicast memory … Proceeding without NVLS support` says that this one has.
public final class OffloadMissing implements Detector {
  /// NCCL 2.12.10 src/transport.cc, 2.27.3 src/transport/coll_net.cc, and the SHARP plugin.
  private static final List<String> COLLNET_FAILED =
      List.of(
          "Cannot initialize CollNet",
          "SHARP coll init error",
          "Collnet initialization failed",
          "sharp_coll_init");

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    collNet(examination, findings);
    nvls(examination, findings);
    return findings;
  }

  private static void collNet(Examination examination, List<Finding> findings) {
    var without = new LinkedHashSet<TrainingProcess>();
    var lines = new ArrayList<Evidence>();
    Evidence asked = null;
    for (var process : examination.run().byRank()) {
      var variable = process.environment().get("NCCL_COLLNET_ENABLE");
      if (variable != null && variable.value().equals("1") && asked == null) {
        asked = variable.proof();
      }
      for (var warned : process.warnings()) {
        if (failedCollNet(warned)) {
          without.add(process);
          lines.add(warned.proof());
        }
      }
    }
    if (!without.isEmpty()) {
      findings.add(finding("SHARP (CollNet)", without, asked, lines, examination));
    }
  }

  private static boolean failedCollNet(Warned warned) {
    return COLLNET_FAILED.stream().anyMatch(warned.message()::contains);
  }

  private static void nvls(Examination examination, List<Finding> findings) {
    var without = new LinkedHashSet<TrainingProcess>();
    var lines = new ArrayList<Evidence>();
    Evidence asked = null;
    boolean some = examination.run().processes().stream().anyMatch(OffloadMissing::hasNvls);
    for (var process : examination.run().byRank()) {
      var lost = process.proof("nvls-lost");
      var line = lost == null ? process.proof("no-nvls") : lost;
      var variable = process.environment().get("NCCL_NVLS_ENABLE");
      var value = variable == null ? "" : variable.value();
      boolean forbidden = value.equals("0");
      boolean wanted = value.equals("1");
      if (line == null || forbidden || (lost == null && (hasNvls(process) || !(wanted || some)))) {
        continue;
      }
      if (asked == null && variable != null && wanted) {
        asked = variable.proof();
      }
      without.add(process);
      lines.add(line);
    }
    var unlike = unlike(examination);
    if (without.isEmpty() && !unlike.isEmpty()) {
      without.addAll(unlike);
      unlike.forEach(process -> channels(process).ifPresent(lines::add));
    }
    if (!without.isEmpty()) {
      findings.add(finding("NVLS (NVLink SHARP)", without, asked, lines, examination));
    }
  }

  private static boolean hasNvls(TrainingProcess process) {
    return process.proof("nvls") != null;
  }

  /// Ranks without channels for it in a communicator of which others have some: NCCL takes what all ranks of a host have, so
  /// whole hosts are without. Fewer than half of them, else it is as meant.
  private static Set<TrainingProcess> unlike(Examination examination) {
    var world = examination.run().world().map(Communicator::id).orElse("");
    var without = new LinkedHashSet<TrainingProcess>();
    int with = 0;
    for (var process : examination.members(world)) {
      var membership = process.memberships().get(world);
      if (membership != null && membership.localRanks() > 1 && membership.nvlsChannels() >= 0) {
        if (membership.nvlsChannels() == 0) {
          without.add(process);
        } else {
          with++;
        }
      }
    }
    return with > without.size() ? without : Set.of();
  }

  private static Optional<Evidence> channels(TrainingProcess process) {
    return process.memberships().values().stream()
        .filter(membership -> membership.nvlsChannels() == 0)
        .flatMap(membership -> Optional.ofNullable(membership.proof("channels")).stream())
        .findFirst();
  }

  private static Finding finding(
      String offload,
      Set<TrainingProcess> without,
      @Nullable Evidence asked,
      List<Evidence> lines,
      Examination examination) {
    var ranks = without.stream().map(examination.run()::rank).filter(rank -> rank >= 0).toList();
    var draft =
        FindingDraft.about(FindingKind.OFFLOAD_MISSING, Severity.INFO, examination, without)
            .subject(offload)
            .summary(
                "%s is not used%s: NCCL goes on without it"
                    .formatted(offload, ranks.isEmpty() ? "" : " by " + Ranks.words(ranks)))
            .expected(offload + (asked == null ? ", as other ranks have or as was tried" : ""))
            .observed("reductions on the GPUs alone")
            .cause("what offers it (switch, driver, fabric manager or SHARP's daemon) refused")
            .proof(asked);
    lines.forEach(draft::proof);
    return draft.finding();
  }
}
