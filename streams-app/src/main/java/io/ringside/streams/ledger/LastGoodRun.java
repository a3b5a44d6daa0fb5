package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.examine.EarlierRuns;
import io.ringside.streams.examine.HostLinks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// Finds the job's last good run before this one, for comparison. A run is good if it was itself no
/// worse than the last good run before it, so that a worse run does not become the standard for the
/// next.
public final class LastGoodRun {
  /// The subject of findings that compare a run with the last good one.
  public static final String SUBJECT = "last good run";

  private LastGoodRun() {}

  /// The last run with the same number of ranks whose transport was no worse than that of the good
  /// run before it.
  public static Optional<RunSummary> ofTransport(
      EarlierRuns earlier, RunSummary run, double channelShare) {
    return earlier.last(
        List.of("transport", run.nranks(), channelShare),
        (line, good) ->
            line.nranks() == run.nranks()
                && !line.transports().isEmpty()
                && (good == null || TransportLoss.between(good, line, channelShare).isEmpty()));
  }

  /// The last run with the same numbers of ranks and machines, of the same kind, that had this
  /// offload.
  public static Optional<RunSummary> ofOffload(
      EarlierRuns earlier, RunSummary run, String offload) {
    return earlier.last(
        List.of(offload, run.nranks(), run.nodes().size(), run.instanceType()),
        (line, _) ->
            line.offloads().contains(offload)
                && line.nranks() == run.nranks()
                && line.nodes().size() == run.nodes().size()
                && line.instanceType().equals(run.instanceType()));
  }

  /// The last run with the same number of ranks on the same machines, with the same NCCL and the
  /// same variables that its search reads, whose links were no worse than those of the good run
  /// before it. Different machines may have different links: if the type is unknown, the machines'
  /// names must be the same.
  public static Optional<RunSummary> ofLinks(EarlierRuns earlier, RunSummary run) {
    if (run.links() == null) {
      return Optional.empty();
    }
    return earlier.last(
        List.of("links", likeness(run)),
        (line, good) ->
            line.links() != null
                && likeness(line).equals(likeness(run))
                && (good == null || LinkLoss.between(links(good), line.links()).isEmpty()));
  }

  private static List<Object> likeness(RunSummary run) {
    var variables = new TreeMap<>(run.environment());
    variables.keySet().removeIf(name -> !HostLinks.ofTheSearch(name));
    return List.of(
        run.nranks(),
        run.instanceType(),
        run.instanceType().isEmpty() ? run.nodes() : run.nodes().size(),
        run.ncclVersion(),
        links(run).gpus(),
        variables);
  }

  /// The links of a summary that is known to have some.
  public static RunSummary.Links links(RunSummary line) {
    return Objects.requireNonNull(line.links(), "links");
  }

  /// The last run with the same number of ranks, batch, model and machines whose steps did not take
  /// much longer than those of the good run before it.
  ///
  /// @param ratio ratio of step times from which a run is much slower
  /// @param steps least number of steps that a run must have made
  public static Optional<RunSummary> ofSteps(
      EarlierRuns earlier, RunSummary run, double ratio, int steps) {
    RunSummary good = null;
    for (var line : Comparison.steps(run) == null ? List.<RunSummary>of() : earlier.lines()) {
      if (comparable(line, run, steps) && (good == null || millis(line) < ratio * millis(good))) {
        good = line;
      }
    }
    return Optional.ofNullable(good);
  }

  /// Whether the step times of both runs can be compared.
  private static boolean comparable(RunSummary earlier, RunSummary run, int least) {
    var was = Comparison.steps(earlier);
    var is = Comparison.steps(run);
    return was != null
        && is != null
        && was.globalBatch() != null
        && Objects.equals(was.globalBatch(), is.globalBatch())
        && Objects.equals(was.sequenceLength(), is.sequenceLength())
        && Comparison.sameIfKnown(was.parameters(), is.parameters())
        && was.source().equals(is.source())
        && was.steps() >= least
        && is.steps() >= least
        && Comparison.millis(was) != null
        && Comparison.millis(is) != null
        && earlier.nranks() == run.nranks()
        && earlier.instanceType().equals(run.instanceType());
  }

  private static double millis(RunSummary run) {
    var steps = Comparison.steps(run);
    var millis = steps == null ? null : Comparison.millis(steps);
    return millis == null ? Double.NaN : millis;
  }
}
