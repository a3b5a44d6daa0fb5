package io.ringside.streams.detect.telemetry;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.telemetry.SamplePauses.Pause;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NodesOfRun;
import io.ringside.streams.job.NodeWatch;
import io.ringside.streams.job.NodeWatch.SensorSpell;
import io.ringside.streams.job.TrainingProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Finds nodes whose nvidia-smi hangs, exits or returns no sample.
///
/// The agent's reports show it; for a node without reports, the pauses between its samples do. A
/// saved recording that ends in mid-job is INFO: somebody may have stopped it.
public final class SensorStalled implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    NodesOfRun.of(examination)
        .forEach(
            (node, processes) -> {
              var watch = examination.job().watch(node);
              (watch.flatMap(NodeWatch::last).isPresent()
                      ? watch.flatMap(of -> fromReports(of, node, processes, examination))
                      : fromSamples(
                          node, processes, SamplePauses.of(processes, examination), examination))
                  .ifPresent(findings::add);
            });
    recorded(examination)
        .forEach(
            (node, holders) -> {
              if (examination.job().watch(node).flatMap(NodeWatch::last).isEmpty()) {
                var pauses = SamplePauses.ofRecording(holders, examination);
                fromSamples(node, holders, pauses, examination).ifPresent(findings::add);
              }
            });
    return findings;
  }

  /// Placeholders for GPUs whose process is unknown, by node.
  private static Map<String, List<TrainingProcess>> recorded(Examination examination) {
    return examination.newestRun()
        ? examination.run().unheld().holders().stream()
            .collect(groupingBy(holder -> holder.source().node(), TreeMap::new, toList()))
        : Map.of();
  }

  private static Optional<Finding> fromReports(
      NodeWatch watch, String node, List<TrainingProcess> processes, Examination examination) {
    int most = examination.expectations().thresholds().telemetry().missedPolls();
    long begin = examination.run().firstNanos();
    var stalls =
        watch.spells().stream()
            .filter(spell -> spell.state() != GpuSensor.State.OK || spell.missed() >= most)
            .filter(spell -> begin == NO_TIME || Nanos.of(spell.until()) >= begin)
            .toList();
    if (stalls.isEmpty()) {
      return Optional.empty();
    }
    var worst = stalls.getLast();
    boolean active =
        watch.inTrouble() && worst.equals(watch.spells().getLast()) && !examination.job().ended();
    var reason = worst.reason();
    return Optional.of(
        finding(
            node,
            processes,
            stalls.getFirst().since(),
            active ? null : worst.until(),
            Severity.WARNING,
            "nvidia-smi on node %s %s%s".formatted(node, said(worst), times(stalls.size())),
            reason.isEmpty()
                ? "nvidia-smi hangs or ends: look for Xid messages and a driver that does not answer"
                : reason,
            stalls.stream().flatMap(s -> java.util.stream.Stream.of(s.first(), s.worst())).toList(),
            examination));
  }

  private static String said(SensorSpell spell) {
    return switch (spell.state()) {
      case FAILING -> "ends without a sample";
      case STALLED, OK, STARTING, MISSING, OFF ->
          "gave nothing for %d polls".formatted(Math.max(1, spell.missed()));
    };
  }

  private static String gpus(int n) {
    return n == 1 ? "GPU" : n + " GPUs";
  }

  private static String times(int stalls) {
    return stalls == 1 ? "" : ", %d times".formatted(stalls);
  }

  private static Optional<Finding> fromSamples(
      String node, List<TrainingProcess> processes, List<Pause> pauses, Examination examination) {
    if (pauses.isEmpty()) {
      return Optional.empty();
    }
    var last = pauses.getLast();
    boolean active = last.open() && !examination.job().ended();
    var proofs =
        pauses.stream()
            .limit(4)
            .map(
                pause ->
                    Evidence.ofNode(
                        pause.from(), node, "nvidia-smi", "the last sample before a pause"))
            .toList();
    return Optional.of(
        finding(
            node,
            processes,
            pauses.getFirst().from(),
            active ? null : last.until(),
            last.meant() ? Severity.INFO : Severity.WARNING,
            "no GPU sample came from node %s for %s%s"
                .formatted(node, DurationWords.time(last.seconds()), times(pauses.size())),
            last.meant()
                ? "nvidia-smi hung or ended, or whoever recorded its samples from the job's beginning on stopped it"
                : "nvidia-smi hangs or ends, or the agent does; its log says which",
            proofs,
            examination));
  }

  private static Finding finding(
      String node,
      List<TrainingProcess> processes,
      Instant since,
      @Nullable Instant until,
      Severity severity,
      String summary,
      String cause,
      List<Evidence> proofs,
      Examination examination) {
    return FindingDraft.about(FindingKind.SENSOR_STALLED, severity, examination, processes)
        .subject(node)
        .held(since, until, until == null)
        .summary("%s: its %s cannot be judged".formatted(summary, gpus(processes.size())))
        .expected("a sample at every poll")
        .observed(proofs.getLast().text())
        .cause(cause)
        .proofs(proofs)
        .finding();
  }
}
