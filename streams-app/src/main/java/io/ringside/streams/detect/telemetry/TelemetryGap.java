package io.ringside.streams.detect.telemetry;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NodesOfRun;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.job.NodeWatch;
import io.ringside.streams.job.TrainingProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds nodes whose lines never arrived, or no longer arrive while the job continues.
///
/// A log may be silent for hours without a fault; the agent's reports distinguish silence from
/// missing lines. Without reports, only gaps between two chunks are known, and saved logs that end
/// before their ranks did.
public final class TelemetryGap implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    NodesOfRun.of(examination)
        .forEach(
            (node, processes) ->
                examination
                    .job()
                    .watch(node)
                    .flatMap(watch -> finding(watch, node, processes, examination))
                    .ifPresent(findings::add));
    findings.addAll(CutLogs.of(examination));
    return findings;
  }

  /// One problem of a node.
  ///
  /// @param until end of the problem, null while it lasts
  private record Trouble(String words, String cause, Instant since, @Nullable Instant until) {}

  private static Optional<Finding> finding(
      NodeWatch watch, String node, List<TrainingProcess> processes, Examination examination) {
    var newest = examination.job().newestRead().orElse(null);
    var trouble = new ArrayList<Trouble>();
    absent(watch, newest, examination).ifPresent(trouble::add);
    watch.last().flatMap(last -> stuck(last, examination)).ifPresent(trouble::add);
    watch.last().flatMap(last -> behind(last, examination)).ifPresent(trouble::add);
    lost(watch, newest, examination).ifPresent(trouble::add);
    if (trouble.isEmpty()) {
      return Optional.empty();
    }
    var first = trouble.getFirst();
    boolean over =
        examination.job().ended() || trouble.stream().allMatch(each -> each.until() != null);
    var draft =
        FindingDraft.about(FindingKind.TELEMETRY_GAP, Severity.WARNING, examination, processes)
            .subject(node)
            .held(
                trouble.stream().map(Trouble::since).min(Instant::compareTo).orElse(null),
                trouble.stream()
                    .map(Trouble::until)
                    .filter(Objects::nonNull)
                    .max(Instant::compareTo)
                    .orElse(null),
                !over)
            .summary(
                "Ringside sees node %s only in part: %s"
                    .formatted(
                        node, String.join("; ", trouble.stream().map(Trouble::words).toList())))
            .expected("every line, and a report of the agent every few seconds")
            .observed(first.words())
            .cause(first.cause())
            .proofs(watch.gapProofs());
    watch.proof("report: " + first.words()).ifPresent(draft::proof);
    return Optional.of(draft.finding());
  }

  /// The problem of a node whose agent sends no reports while lines of other nodes arrive.
  private static Optional<Trouble> absent(
      NodeWatch watch, @Nullable Instant newest, Examination examination) {
    var limit = limit(examination);
    var last = watch.last().orElse(null);
    var then = watch.readAtReport().orElse(null);
    if (newest == null || last == null || then == null || examination.job().ended()) {
      return Optional.empty();
    }
    // if all nodes were silent and lines arrive again, the node has had no time to report yet
    var resumed = examination.job().resumed().orElse(then);
    var silence = Duration.between(resumed.isAfter(then) ? resumed : then, newest);
    var most = Duration.ofMillis(Math.round(limit.missedReports() * last.intervalSeconds() * 1000));
    boolean now = Duration.between(newest, examination.now()).compareTo(limit.absent()) < 0;
    return now && silence.compareTo(limit.absent()) >= 0 && silence.compareTo(most) >= 0
        ? Optional.of(
            new Trouble(
                "its agent has not been heard for %s while the job goes on"
                    .formatted(DurationWords.time(silence.toSeconds())),
                "the node is down or cut off, or its agent was stopped",
                last.at(),
                null))
        : Optional.empty();
  }

  private static Optional<Trouble> stuck(NodeFacts last, Examination examination) {
    return last.stuck().isEmpty() || examination.job().ended()
        ? Optional.empty()
        : Optional.of(
            new Trouble(
                "its agent stands still (%s)".formatted(String.join(", ", last.stuck())),
                "a file system or a driver that does not answer",
                last.at(),
                null));
  }

  private static Optional<Trouble> behind(NodeFacts last, Examination examination) {
    var most = limit(examination).behind().toMillis() / 1000.0;
    return last.lagSeconds() < most || examination.job().ended()
        ? Optional.empty()
        : Optional.of(
            new Trouble(
                "%d bytes of its logs have waited for %s to be delivered"
                    .formatted(last.lagBytes(), DurationWords.time(Math.round(last.lagSeconds()))),
                "Kafka does not take them: brokers, network or rights",
                last.at().minusMillis(Math.round(last.lagSeconds() * 1000)),
                null));
  }

  private static Optional<Trouble> lost(
      NodeWatch watch, @Nullable Instant newest, Examination examination) {
    var first = watch.firstGap();
    var last = watch.lastGap();
    if (first == null || last == null) {
      return Optional.empty();
    }
    boolean fresh =
        newest == null
            || Duration.between(last, newest).compareTo(limit(examination).remember()) < 0;
    return Optional.of(
        new Trouble(
            "%d bytes of its logs never came, in %d gaps"
                .formatted(watch.lostBytes(), watch.gaps()),
            "files were rotated away before they were read, or the agent was away; its metrics say",
            first,
            fresh ? null : last));
  }

  private static Thresholds.Telemetry limit(Examination examination) {
    return examination.expectations().thresholds().telemetry();
  }
}
