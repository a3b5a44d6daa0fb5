package io.ringside.streams.detect.bandwidth;

import static java.util.function.Predicate.not;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.SlowCommunicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds communicators whose calls are slow according to NCCL Inspector although no rank is late: a
/// link, a card or a switch below them is slow. Their bandwidth is compared with their own past, or
/// with that of communicators of the same shape.
///
/// A collective is equally slow on all of its ranks, so the finding names the group. It names a
/// machine only if all slow groups share it and no other group uses it.
public final class SlowGroups implements Detector {
  /// Shorter slow phases are not reported: they may come from a checkpoint that uses the same card.
  private static final Duration LEAST = Duration.ofSeconds(30);

  /// Slowness that lasts at least this long and is still present at the end is a warning.
  private static final Duration LASTING = Duration.ofMinutes(1);

  /// Slowness that is over must have lasted at least this long to be a warning.
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final int MOST_PROOFS = 4;

  @Override
  public List<Finding> examine(Examination examination) {
    if (examination.job().witnesses().isEmpty()) {
      return List.of();
    }
    var slowed =
        examination.witnesses().slowed().stream()
            .filter(it -> it.group().seconds() >= LEAST.toSeconds())
            .collect(Collectors.partitioningBy(it -> it.group().peers() == 0));
    var findings = new ArrayList<Finding>();
    for (var alike : slowed.values()) {
      if (!alike.isEmpty()) {
        findings.add(finding(alike, examination));
      }
    }
    return findings;
  }

  private static Finding finding(List<SlowCommunicator> slowed, Examination examination) {
    var worst = slowed.stream().max(Comparator.comparingDouble(SlowGroups::factor)).orElseThrow();
    var group = worst.group();
    var ranks = new TreeSet<Integer>();
    slowed.forEach(it -> ranks.addAll(it.ranks()));
    boolean past = group.peers() == 0;
    boolean on = slowed.stream().anyMatch(it -> it.group().on());
    long from = slowed.stream().mapToLong(it -> it.group().fromMicros()).min().orElseThrow();
    long to = slowed.stream().mapToLong(it -> it.group().toMicros()).max().orElseThrow();
    var draft =
        FindingDraft.ofRanks(
                FindingKind.BANDWIDTH_BELOW_EXPECTED, severity(slowed), examination, ranks)
            .subject(past ? "inspector past" : "inspector peers")
            .held(at(from), on ? null : at(to), on)
            .summary(summary(worst, slowed.size(), past))
            .expected(
                past
                    ? "busbw of %.1f GB/s, as before".formatted(group.expectedGBps())
                    : "busbw of %.1f GB/s, as %d groups of as many ranks reach"
                        .formatted(group.expectedGBps(), group.peers()))
            .observed(
                "NCCL Inspector: busbw of %.1f GB/s for %s in calls for which no rank kept the others waiting"
                    .formatted(group.busGBps(), DurationWords.time(group.seconds())))
            .cause(cause(slowed, examination.run()))
            .cost(new Cost(null, factor(worst)));
    slowed.stream()
        .limit(MOST_PROOFS)
        .forEach(it -> draft.proof(examination.witnesses().speedProof(it, words(it))));
    return draft.finding();
  }

  private static Instant at(long micros) {
    return Nanos.instant(micros * 1000);
  }

  private static double factor(SlowCommunicator slowed) {
    return slowed.group().expectedGBps() / slowed.group().busGBps();
  }

  /// WARNING or INFO. Pairs of GPUs within one machine may have different links by design, so a
  /// comparison with peers inside one machine is only INFO.
  private static Severity severity(List<SlowCommunicator> slowed) {
    return slowed.stream()
            .map(SlowCommunicator::group)
            .anyMatch(
                it ->
                    (it.peers() == 0 || it.nnodes() > 1)
                        && it.seconds() >= (it.on() ? LASTING : LONG).toSeconds())
        ? Severity.WARNING
        : Severity.INFO;
  }

  private static String summary(SlowCommunicator worst, int groups, boolean past) {
    var group = worst.group();
    var more =
        groups == 1
            ? ""
            : groups == 2 ? " and another group" : " and %d other groups".formatted(groups - 1);
    return past
        ? "%s among %s%s fell from %.1f to %.1f GB/s"
            .formatted(
                group.op(),
                RankText.words(worst.ranks()),
                more,
                group.expectedGBps(),
                group.busGBps())
        : "%s among %s%s reaches %.1f GB/s, among others %.1f"
            .formatted(
                group.op(),
                RankText.words(worst.ranks()),
                more,
                group.busGBps(),
                group.expectedGBps());
  }

  private static String words(SlowCommunicator slowed) {
    var group = slowed.group();
    return "%s of %d MiB and more on %s: %.1f GB/s, %s %.1f"
        .formatted(
            group.op(),
            group.bytes() >> 20,
            group.comm(),
            group.busGBps(),
            group.peers() == 0 ? "before" : "peers",
            group.expectedGBps());
  }

  /// The cause in words. Names the machine that all slow groups share and no other rank uses.
  private static String cause(List<SlowCommunicator> slowed, Run run) {
    var shared = new TreeSet<>(machines(slowed.getFirst().ranks(), run));
    slowed.forEach(it -> shared.retainAll(machines(it.ranks(), run)));
    var slow = slowed.stream().flatMap(it -> it.ranks().stream()).collect(Collectors.toSet());
    var others =
        run.processes().stream()
            .filter(process -> !slow.contains(run.rank(process)))
            .map(SlowGroups::machine)
            .collect(Collectors.toSet());
    var alone = shared.stream().filter(not(others::contains)).toList();
    return "a link, a card or a switch below this group, or somebody else's traffic on it"
        + (slowed.size() > 1 && alone.size() == 1
            ? "; all these groups reach over %s, no other does".formatted(alone.getFirst())
            : "");
  }

  private static Set<String> machines(Collection<Integer> ranks, Run run) {
    return run.ofRanks(ranks).stream()
        .map(SlowGroups::machine)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String machine(TrainingProcess process) {
    return process.source().nodeKnown() ? process.node() : process.host();
  }
}
