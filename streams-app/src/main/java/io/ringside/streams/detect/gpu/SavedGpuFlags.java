package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Finds GPUs whose saved `nvidia-smi -q` output says that their memory waits for a repair or
/// cannot be repaired, or that the driver wants a reset. The last output of a GPU counts. Meaning
/// and advice of each flag are NVIDIA's (GPU Memory Error Management; nvidia-smi's manual).
public final class SavedGpuFlags implements Detector {
  private record Meaning(Severity severity, String words, String advice) {}

  private static final Map<String, Meaning> MEANINGS =
      Map.ofEntries(
          Map.entry(
              "Double Bit ECC",
              new Meaning(
                  Severity.INFO,
                  "memory failed with two wrong bits before, and its pages were retired",
                  "nothing, as long as no more follow: a GPU that retires page after page is to be replaced")),
          Map.entry(
              "Pending Page Blacklist",
              new Meaning(
                  Severity.WARNING,
                  "memory pages wait for their retirement",
                  "reset the GPU or reboot the node: until then programs may still get these pages")),
          Map.entry(
              "infoROM",
              new Meaning(
                  Severity.WARNING,
                  "its infoROM is corrupted",
                  "what it computes is not affected, but its settings and error counters may be lost: have it flashed or"
                      + " swap the GPU when the node is next drained")),
          Map.entry(
              "Pending",
              new Meaning(
                  Severity.WARNING,
                  "a row of memory waits to be remapped",
                  "reset the GPU once no program uses it: the row is replaced then")),
          Map.entry(
              "Remapping Failure Occurred",
              new Meaning(
                  Severity.CRITICAL,
                  "a row of memory failed and could not be remapped",
                  "drain the node and run NVIDIA's field diagnostic: this is a reason to swap the GPU")),
          Map.entry(
              "Channel Repair Pending",
              new Meaning(
                  Severity.WARNING,
                  "a channel of memory waits for its repair",
                  "reset the GPU once no program uses it")),
          Map.entry(
              "TPC Repair Pending",
              new Meaning(
                  Severity.WARNING,
                  "a TPC waits for its repair",
                  "reset the GPU once no program uses it")),
          Map.entry(
              "Unrepairable Memory",
              new Meaning(
                  Severity.CRITICAL,
                  "memory failed that cannot be repaired",
                  "drain the node and run NVIDIA's field diagnostic: this is a reason to swap the GPU")),
          Map.entry(
              "SRAM Threshold Exceeded",
              new Meaning(
                  Severity.WARNING,
                  "its caches had more uncorrectable errors than NVIDIA accepts",
                  "run NVIDIA's field diagnostic: this is a reason to swap the GPU")),
          Map.entry(
              "Reset Required",
              new Meaning(
                  Severity.CRITICAL,
                  "the driver requires a reset",
                  "drain the node and reset the GPU: nothing new starts on it before")),
          Map.entry(
              FailureEvent.GpuFlag.UNLISTED,
              new Meaning(
                  Severity.CRITICAL,
                  "vanished from nvidia-smi's list",
                  "the GPU fell off its bus or was taken away: look for Xid 79 on the node")),
          Map.entry(
              "GPU Recovery Action",
              new Meaning(
                  Severity.WARNING,
                  "the driver asks for a reset, a reboot or to be drained",
                  "do what the field says: an error left the GPU in a state that a program cannot mend")));

  @Override
  public List<Finding> examine(Examination examination) {
    var byGpu = new LinkedHashMap<String, Map<String, Sign>>();
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.GpuFlag flag && MEANINGS.containsKey(flag.flag())) {
        // GPUs of two nodes may have the same address
        byGpu
            .computeIfAbsent(sign.source() + " " + flag.busId(), _ -> new LinkedHashMap<>())
            .put(flag.flag(), sign);
      }
    }
    var findings = new ArrayList<Finding>();
    byGpu.forEach(
        (gpu, flags) -> {
          flags
              .values()
              .removeIf(sign -> value(sign).isEmpty() || isMissedByNobody(sign, examination));
          if (!flags.isEmpty()) {
            findings.add(finding(gpu, List.copyOf(flags.values()), examination));
          }
        });
    return findings;
  }

  /// Whether a GPU vanished but no job waits for it. If the job continues or was done, the GPU
  /// belongs to none of its ranks, or somebody queries the other GPUs only. If the job has not
  /// begun, its container may have been given fewer GPUs than the machine has.
  private static boolean isMissedByNobody(Sign sign, Examination examination) {
    var run = examination.run();
    return ((FailureEvent.GpuFlag) sign.event()).flag().equals(FailureEvent.GpuFlag.UNLISTED)
        && (sign.progressAfter() > 0 || run.done() || !run.trained());
  }

  private static String value(Sign sign) {
    return ((FailureEvent.GpuFlag) sign.event()).value();
  }

  /// The process that holds the GPU; empty if several nodes have a GPU at this address.
  static List<TrainingProcess> holders(String busId, Examination examination) {
    var processes =
        examination.run().byRank().stream()
            .filter(process -> !busId.isEmpty() && busId.equalsIgnoreCase(process.busId()))
            .toList();
    return processes.size() == 1 ? processes : List.of();
  }

  private static Finding finding(String id, List<Sign> signs, Examination examination) {
    var flags = signs.stream().map(sign -> (FailureEvent.GpuFlag) sign.event()).toList();
    var meanings = flags.stream().map(flag -> MEANINGS.get(flag.flag())).toList();
    var worst =
        meanings.stream()
            .reduce((one, other) -> one.severity().compareTo(other.severity()) >= 0 ? one : other)
            .orElseThrow();
    var busId = flags.getFirst().busId();
    var draft =
        FindingDraft.about(
                FindingKind.GPU_ERROR, worst.severity(), examination, holders(busId, examination))
            .subject("flags " + id)
            .summary(
                "GPU%s: %s"
                    .formatted(
                        busId.isEmpty() ? "" : " " + busId,
                        meanings.stream().map(Meaning::words).collect(Collectors.joining(", "))))
            .expected("every GPU listed, nothing pending and no failed repair")
            .observed(
                flags.stream()
                    .map(flag -> flag.flag() + ": " + flag.value())
                    .collect(Collectors.joining(", ")))
            .cause(worst.advice());
    if (!busId.isEmpty()) {
      draft.gpu(busId);
    }
    signs.stream().limit(4).forEach(sign -> draft.proof(sign.line()));
    return draft.finding();
  }
}
