package io.ringside.streams.judge;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Evidence.After;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.streams.job.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Adds to each line of proof the rank and host that wrote it, and to a straggler's late calls how
/// long after another rank's they came. NCCL's header names host, pid and the process's own device,
/// but not the rank.
record EvidenceWriters(Map<Writer, Integer> ranks, RunSummary line) {
  /// `worker-3:152:510 [0]`, in all versions of NCCL (src/debug.cc).
  private static final Pattern HEADER =
      Pattern.compile("(?:^|\\s)([^\\s:]+):(\\d{1,9}):\\d+ \\[\\d+\\]");

  /// Lines of PyTorch's watchdogs and tracebacks, from 2.2 on.
  private static final Pattern PYTORCH = Pattern.compile("^\\[rank(\\d{1,9})\\]:");

  /// Largest factor by which a delay may differ from the usual wait, up or down. Timestamps come
  /// from the lines; a delay outside this range shows the difference of two machines' clocks and is
  /// left out. Verdicts use corrected clocks.
  private static final double MOST_USUAL = 3;

  /// A process of the run.
  record Writer(String host, int pid) {}

  /// The same findings with ranks, hosts and delays in their proof.
  ///
  /// @param line the run's summary
  static List<Finding> of(List<Finding> findings, Run run, RunSummary line) {
    return findings.isEmpty() ? findings : of(findings, ranks(run), line);
  }

  /// @param ranks ranks of those processes that are one rank each
  static List<Finding> of(List<Finding> findings, Map<Writer, Integer> ranks, RunSummary line) {
    var bylines = new EvidenceWriters(ranks, line);
    return findings.stream().map(bylines::signed).toList();
  }

  /// Ranks of the processes that are one rank each.
  private static Map<Writer, Integer> ranks(Run run) {
    var ranks = new HashMap<Writer, Integer>();
    var several = new HashSet<Writer>();
    for (var process : run.processes()) {
      int rank = run.rank(process);
      if (rank >= 0) {
        var writer = new Writer(process.host(), process.pid());
        var other = ranks.put(writer, rank);
        if (other != null && other != rank) {
          several.add(writer);
        }
      }
    }
    ranks.keySet().removeAll(several);
    return ranks;
  }

  private Finding signed(Finding finding) {
    var signed = finding.evidence().stream().map(this::signed).toList();
    return finding.with(its -> its.evidence = late(finding, signed));
  }

  private Evidence signed(Evidence evidence) {
    var pytorch = PYTORCH.matcher(evidence.text());
    if (pytorch.find()) {
      return evidence.by(Integer.valueOf(pytorch.group(1)), null, null);
    }
    var header = HEADER.matcher(evidence.text());
    if (header.find()) {
      var host = header.group(1);
      var rank = ranks.get(new Writer(host, Integer.parseInt(header.group(2))));
      return evidence.by(rank, host, null);
    }
    return evidence;
  }

  /// A line whose time and rank are known.
  private record Call(int index, Evidence line, Instant at, int rank) {}

  /// Adds to each call of a blamed rank the last call of another rank before it.
  private List<Evidence> late(Finding finding, List<Evidence> evidence) {
    if (finding.kind() != FindingKind.STRAGGLER) {
      return evidence;
    }
    var calls = new ArrayList<Call>();
    for (int i = 0; i < evidence.size(); i++) {
      var at = evidence.get(i).time();
      var rank = evidence.get(i).rank();
      if (at != null && rank != null) {
        calls.add(new Call(i, evidence.get(i), at, rank));
      }
    }
    calls.sort(Comparator.comparing(Call::at));
    var told = new ArrayList<>(evidence);
    for (int i = 1; i < calls.size(); i++) {
      var before = calls.get(i - 1);
      var call = calls.get(i);
      double seconds = Nanos.seconds(Duration.between(before.at(), call.at()).toNanos());
      if (finding.ranks().contains(call.rank())
          && !finding.ranks().contains(before.rank())
          && likely(seconds, call.rank())) {
        var after = new After(before.rank(), seconds);
        told.set(call.index(), call.line().by(call.rank(), call.line().host(), after));
      }
    }
    return told;
  }

  private boolean likely(double seconds, int late) {
    double usual =
        line.waits().ranks().stream()
            .filter(each -> each.rank() == late && each.lastRounds() > 0)
            .mapToDouble(EvidenceWriters::usual)
            .findFirst()
            .orElse(0);
    return seconds > usual / MOST_USUAL && seconds < usual * MOST_USUAL;
  }

  private static double usual(RankWait wait) {
    return wait.blamedSeconds() / wait.lastRounds();
  }
}
