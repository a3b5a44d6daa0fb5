package io.ringside.streams.detect.drift;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Claim;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Ranks of one run with different versions of NCCL, the OFI plugin or libfabric.
public final class VersionMismatch implements Detector {
  @Override
  public List<Claim> examine(Examination examination) {
    var claims = new ArrayList<Claim>();
    compare("NCCL", TrainingProcess::ncclVersion, "version", examination, claims);
    compare("aws-ofi-nccl", TrainingProcess::pluginVersion, "plugin-version", examination, claims);
    compare("libfabric", TrainingProcess::libfabricVersion, "ofi", examination, claims);
    return claims;
  }

  private static void compare(
      String what,
      Function<TrainingProcess, String> version,
      String topic,
      Examination examination,
      List<Claim> claims) {
    Differing.in(examination, version)
        .ifPresent(
            differing -> {
              var draft =
                  Claim.about(
                          FindingKind.VERSION_MISMATCH,
                          Severity.WARNING,
                          examination.run(),
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
                  .forEach(processes -> draft.proof(processes.getFirst().proof(topic)));
              claims.add(draft.claim());
            });
  }
}
