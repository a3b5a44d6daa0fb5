package io.ringside.streams.detect.drift;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Ranks of one run with different versions of NCCL, the OFI plugin or libfabric.
public final class VersionMismatch implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    compare("NCCL", TrainingProcess::ncclVersion, Statement.VERSION, examination, findings);
    compare(
        "aws-ofi-nccl",
        TrainingProcess::pluginVersion,
        Statement.PLUGIN_VERSION,
        examination,
        findings);
    compare("libfabric", TrainingProcess::libfabricVersion, Statement.OFI, examination, findings);
    return findings;
  }

  private static void compare(
      String what,
      Function<TrainingProcess, String> version,
      Statement statement,
      Examination examination,
      List<Finding> findings) {
    DifferingProperty.find(examination, version)
        .ifPresent(
            differing -> {
              var draft =
                  FindingDraft.about(
                          FindingKind.VERSION_MISMATCH,
                          Severity.WARNING,
                          examination,
                          differing.fewest())
                      .subject(what)
                      .summary(
                          "ranks run different versions of %s: %s"
                              .formatted(what, differing.words()))
                      .expected("one version of " + what)
                      .observed(String.join(", ", differing.processesByValue().keySet()))
                      .cause("different images, or a library found first on some nodes only");
              differing
                  .processesByValue()
                  .values()
                  .forEach(processes -> draft.proof(processes.getFirst().proof(statement)));
              findings.add(draft.finding());
            });
  }
}
