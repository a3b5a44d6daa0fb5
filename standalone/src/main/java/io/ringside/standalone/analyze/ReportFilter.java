package io.ringside.standalone.analyze;

import io.ringside.platform.cli.WordSuggestion;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.standalone.report.JobView;
import io.ringside.standalone.report.LeftOut;
import io.ringside.standalone.report.ReportContent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of the results to report. Everything is read and judged regardless: a rank is late only
/// compared to others, and a fault may have its cause in another job's lines.
///
/// @param since leaves out what was over before; null for no bound
/// @param jobs given by name or as namespace/name; empty for all
/// @param ranks findings that name ranks are kept if they name one of these, as are their causes;
///     empty for all
/// @param kinds kinds of findings to keep, empty for all
/// @param said the options as typed, for the report
record ReportFilter(
    @Nullable ReportStart since,
    Set<String> jobs,
    Set<Integer> ranks,
    Set<FindingKind> kinds,
    List<String> said) {
  ReportFilter {
    jobs = Set.copyOf(jobs);
    ranks = Set.copyOf(ranks);
    kinds = Set.copyOf(kinds);
    said = List.copyOf(said);
  }

  /// @throws UnusableInput if the input does not contain what was asked for
  ReportContent of(ReportContent account) {
    if (said.isEmpty()) {
      return account;
    }
    var reported = new ArrayList<JobView>();
    var asked = account.jobs().stream().filter(this::isAsked).toList();
    if (asked.isEmpty() && !account.jobs().isEmpty()) {
      throw noJob(account.jobs());
    }
    refuseRanksBeyond(asked);
    var begin = begin(account);
    int runs = 0;
    for (var job : asked) {
      var kept = of(job, begin);
      runs += job.runs().size() - kept.runs().size();
      reported.add(kept);
    }
    int findings = account.findings().size();
    for (var job : reported) {
      findings -= job.findings().size();
    }
    var left = new LeftOut(said, account.jobs().size() - asked.size(), runs, findings);
    return new ReportContent(account.input(), reported, left);
  }

  private boolean isAsked(JobView job) {
    var key = job.key();
    return jobs.isEmpty()
        || jobs.contains(key.job())
        || jobs.contains(key.namespace() + "/" + key.job());
  }

  private UnusableInput noJob(List<JobView> known) {
    var names = known.stream().map(job -> job.key().job()).distinct().toList();
    var typed = String.join(", ", jobs.stream().sorted().toList());
    var meant = WordSuggestion.question(jobs.iterator().next(), names);
    return new UnusableInput(
        "These logs hold no job %s, only %s%s"
            .formatted(
                typed,
                String.join(", ", names.stream().limit(6).toList())
                    + (names.size() > 6 ? " and %d more".formatted(names.size() - 6) : ""),
                meant.isEmpty() ? "; --job-name names them." : meant));
  }

  private void refuseRanksBeyond(List<JobView> asked) {
    int known =
        asked.stream()
            .flatMap(job -> job.runs().stream())
            .mapToInt(RunSummary::nranks)
            .max()
            .orElse(0);
    if (known > 0 && !ranks.isEmpty() && ranks.stream().allMatch(rank -> rank >= known)) {
      throw new UnusableInput(
          "These logs hold no rank %s, only %s."
              .formatted(
                  ranks.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ")),
                  known == 1 ? "rank 0" : "ranks 0 to " + (known - 1)));
    }
  }

  private @Nullable Instant begin(ReportContent account) {
    if (since == null) {
      return null;
    }
    var last =
        account.jobs().stream()
            .flatMap(
                job ->
                    Stream.concat(
                        job.runs().stream().map(RunSummary::until),
                        job.findings().stream().flatMap(ReportFilter::times)))
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder());
    return since.begin(last);
  }

  private static Stream<@Nullable Instant> times(Finding finding) {
    return Stream.of(finding.since(), finding.until());
  }

  private JobView of(JobView job, @Nullable Instant begin) {
    var runs = job.runs().stream().filter(run -> !over(run.until(), begin)).toList();
    var gone = new HashSet<>(job.runs().stream().map(RunSummary::run).toList());
    runs.forEach(run -> gone.remove(run.run()));
    var findings =
        withCauses(
            job.findings(),
            job.findings().stream()
                .filter(finding -> !gone.contains(finding.run()))
                .filter(finding -> !over(finding.until(), begin))
                .filter(this::isOfRank)
                .filter(finding -> kinds.isEmpty() || kinds.contains(finding.kind()))
                .toList());
    return new JobView(
        job.key(),
        runs,
        findings,
        job.findings().stream().filter(each -> !findings.contains(each)).toList());
  }

  private static boolean over(@Nullable Instant until, @Nullable Instant begin) {
    return until != null && begin != null && until.isBefore(begin);
  }

  private boolean isOfRank(Finding finding) {
    return ranks.isEmpty()
        || finding.ranks().isEmpty()
        || finding.ranks().stream().anyMatch(ranks::contains);
  }

  /// Adds the causes of kept findings. Without its cause a finding would look like an independent
  /// fault.
  private List<Finding> withCauses(List<Finding> all, List<Finding> kept) {
    var ids = new HashSet<>(kept.stream().map(Finding::id).toList());
    var pending = new ArrayList<>(kept);
    while (!pending.isEmpty()) {
      var cause = pending.removeLast().causedBy();
      Optional<Finding> found =
          all.stream().filter(each -> each.id().equals(cause) && ids.add(each.id())).findFirst();
      found.ifPresent(pending::add);
    }
    return all.stream().filter(finding -> ids.contains(finding.id())).toList();
  }
}
