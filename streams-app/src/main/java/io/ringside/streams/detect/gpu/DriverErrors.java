package io.ringside.streams.detect.gpu;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.KernelStamp;
import io.ringside.streams.examine.XidHolders;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reports broken GPUs from the driver's and CUDA's lines in the log: Xids with the meaning in
/// NVIDIA's catalogue, ECC errors, lost GPUs.
public final class DriverErrors implements Detector {
  private static final long BESIDE_NANOS = 60_000_000_000L;

  /// Number of lines of progress that other ranks may still print. If more follow, some text quoted
  /// nvidia-smi, or the GPU belongs to another job.
  private static final int STRAGGLING_LINES = 8;

  @Override
  public List<Finding> examine(Examination examination) {
    var byGpu = new LinkedHashMap<String, List<Sign>>();
    var byNode = new LinkedHashMap<String, List<Sign>>();
    var byRank = new LinkedHashMap<Integer, List<Sign>>();
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.Xid xid) {
        byGpu.computeIfAbsent(xid.busId(), _ -> new ArrayList<>()).add(sign);
      } else if (sign.event() instanceof FailureEvent.SwitchXid) {
        byNode.computeIfAbsent(sign.line().node(), _ -> new ArrayList<>()).add(sign);
      } else if (broken(sign)) {
        byRank.computeIfAbsent(sign.event().rank(), _ -> new ArrayList<>()).add(sign);
      }
    }
    var findings = new ArrayList<Finding>();
    byGpu.forEach((busId, signs) -> findings.add(xids(busId, signs, examination)));
    byNode.forEach((node, signs) -> findings.add(SwitchErrors.of(node, signs, examination)));
    // a line without a rank belongs to the rank that another line names, if there is only one
    var nameless = byRank.remove(-1);
    if (nameless != null) {
      nameless.removeIf(sign -> ofXid(sign, byGpu, examination));
    }
    if (nameless != null && !nameless.isEmpty()) {
      byRank
          .computeIfAbsent(
              byRank.size() == 1 ? byRank.keySet().iterator().next() : -1, _ -> new ArrayList<>())
          .addAll(nameless);
    }
    byRank.forEach((rank, signs) -> findings.add(cuda(rank, signs, examination)));
    return findings;
  }

  /// Whether the driver's words repeat an Xid of the same GPU:
  /// `NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.`
  private static boolean ofXid(Sign sign, Map<String, List<Sign>> xids, Examination examination) {
    boolean past = past(List.of(sign), examination);
    return sign.event() instanceof FailureEvent.Said said
        && xids.entrySet().stream()
            .anyMatch(
                xid ->
                    said.words().contains(xid.getKey())
                        && (past || !past(xid.getValue(), examination)));
  }

  private static boolean broken(Sign sign) {
    return GpuWords.meaning(sign).isPresent()
        && !(sign.event() instanceof FailureEvent.Raised raised
            && raised.chain() == FailureEvent.Chain.LOOSE
            && sign.progressAfter() > 0)
        && !(sign.event() instanceof FailureEvent.Said said
            && said.words().startsWith(FailureEvent.Said.ASKED)
            && sign.progressAfter() > STRAGGLING_LINES);
  }

  private static Finding xids(String busId, List<Sign> signs, Examination examination) {
    var codes = new LinkedHashMap<Integer, Integer>();
    var worst = Xids.of(0);
    int worstCode = 0;
    for (var sign : signs) {
      if (sign.event() instanceof FailureEvent.Xid xid) {
        codes.merge(xid.code(), 1, Integer::sum);
        var entry = Xids.of(xid.code());
        if (worstCode == 0 || entry.severity().compareTo(worst.severity()) > 0) {
          worst = entry;
          worstCode = xid.code();
        }
      }
    }
    var run = examination.run();
    var processes =
        signs.stream()
            .flatMap(sign -> XidHolders.of(busId, sign, run).stream())
            .distinct()
            .toList();
    boolean uuid = FailureEvent.Xid.isUuid(busId);
    boolean past = past(signs, examination);
    boolean others = XidHolders.othersGpu(busId, run);
    var draft =
        FindingDraft.about(
                FindingKind.GPU_ERROR,
                past || others ? Severity.INFO : worst.severity(),
                examination,
                processes)
            .subject("xid " + busId)
            .summary(
                "%s %s Xid %d: %s"
                    .formatted(
                        uuid ? busId : "GPU " + busId,
                        (others ? "(of no rank here) " : "")
                            + (past ? "reported, before this run," : "reports"),
                        worstCode,
                        worst.meaning()))
            .expected("no Xid")
            .observed(counted(codes))
            .cause(worst.advice());
    if (!uuid) {
      draft.gpu(busId);
    }
    var first = signs.getFirst().atNanos();
    if (first != NO_TIME) {
      draft.between(Nanos.instant(first), null);
    }
    signs.stream().limit(4).forEach(sign -> draft.proof(sign.line()));
    beside(signs.getFirst(), examination).forEach(draft::proof);
    return draft.finding();
  }

  /// Whether all lines are from long before the run, or from before a boot that precedes the run's
  /// last lines. The GPU may have been repaired since.
  private static boolean past(List<Sign> signs, Examination examination) {
    var run = examination.run();
    return signs.stream()
        .allMatch(
            sign ->
                KernelStamp.longBefore(run.firstNanos(), sign)
                    || run.failures().bootedSince(sign, run.lastNanos()));
  }

  /// Other lines of the driver within a minute, in the same log file.
  static List<Evidence> beside(Sign error, Examination examination) {
    return examination.run().failures().signs().stream()
        .filter(sign -> sign.event() instanceof FailureEvent.DriverNotice said && !said.ofAStart())
        .filter(sign -> sign.source().equals(error.source()))
        .filter(sign -> Math.abs(sign.atNanos() - error.atNanos()) <= BESIDE_NANOS)
        .map(Sign::line)
        .limit(2)
        .toList();
  }

  private static String counted(Map<Integer, Integer> codes) {
    var words = new ArrayList<String>();
    codes.forEach(
        (code, times) ->
            words.add("Xid %d%s".formatted(code, times == 1 ? "" : " " + times + " times")));
    return String.join(", ", words);
  }

  private static Finding cuda(int rank, List<Sign> signs, Examination examination) {
    var run = examination.run();
    var processes = run.ofRank(rank).map(List::of).orElse(List.of());
    var worst =
        signs.stream()
            .max(Comparator.comparing(sign -> GpuWords.meaning(sign).orElseThrow().severity()))
            .orElseThrow();
    var meaning = GpuWords.meaning(worst).orElseThrow();
    var words = GpuWords.of(worst);
    boolean past = past(signs, examination);
    var draft =
        FindingDraft.about(
                FindingKind.GPU_ERROR,
                past ? Severity.INFO : meaning.severity(),
                examination,
                processes)
            .subject("cuda" + (rank < 0 ? "" : " rank " + rank))
            .summary(
                "the GPU%s %s: %s"
                    .formatted(
                        rank < 0 ? "" : " of rank " + rank,
                        past
                            ? "was " + meaning.state() + ", before this run"
                            : "is " + meaning.state(),
                        words))
            .expected("no hardware error")
            .observed(words)
            .cause(meaning.cause());
    if (rank >= 0) {
      draft.rank(rank);
    }
    draft.proof(worst.line());
    signs.stream().filter(sign -> sign != worst).limit(3).forEach(sign -> draft.proof(sign.line()));
    return draft.finding();
  }
}
