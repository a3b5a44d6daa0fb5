package io.ringside.streams.detect.reading;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Reports that too many of the job's NCCL lines, by default more than a hundredth, have no known
/// form. This NCCL is newer than the parsers, and findings may be missing.
public final class UnparsedLines implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var job = examination.job();
    long unknown = job.unknownShapes().values().stream().mapToLong(Integer::longValue).sum();
    double share = examination.expectations().thresholds().reading().unparsedShare();
    if (unknown <= share * job.ncclLines()) {
      return List.of();
    }
    var process = examination.run().byRank().getFirst();
    var draft =
        FindingDraft.about(
                FindingKind.UNPARSED_LINES,
                Severity.INFO,
                examination,
                examination.run().processes())
            .summary(
                "Ringside does not know %d of %d NCCL lines".formatted(unknown, job.ncclLines()))
            .expected("under %.1f %%".formatted(100 * share))
            .observed("%.1f %%".formatted(100.0 * unknown / job.ncclLines()))
            .cause(nccl(process) + " may be newer than this version of Ringside");
    job.unknownShapes().entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
        .limit(5)
        .map(
            shape ->
                Evidence.ofSensor(
                    null,
                    process.source(),
                    process.source().file(),
                    shape.getValue() + " times: " + shape.getKey()))
        .forEach(draft::proof);
    return List.of(draft.finding());
  }

  private static String nccl(TrainingProcess process) {
    return process.ncclVersion().isEmpty() ? "this NCCL" : "NCCL " + process.ncclVersion();
  }
}
