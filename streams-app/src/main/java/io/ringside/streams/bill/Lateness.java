package io.ringside.streams.bill;

import static io.ringside.streams.bill.Phases.sum;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunBill.Alone;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.TimingTrust;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.waits.MissingTime.Span;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Computes what late ranks cost, from the rounds of all communicators that they are in.
///
/// A rank that is late in a step is late to the calls of several communicators at once, but the
/// time is lost only once. The communicator that waited longest gives the estimate; the sum over
/// all communicators is the upper limit for corrections by turns.
final class Lateness {
  /// Relative error: the second last rank would sometimes have been late as well.
  private static final double MOVING_ERROR = 0.05;

  private Lateness() {}

  /// @param comm the communicator that waited longest
  /// @param most seconds summed over all communicators
  private record Told(Communicator comm, Replay replay, double most) {
    SavedTime saved() {
      return replay.saved(most);
    }
  }

  /// Empty if no rounds show it.
  static Optional<Charge> of(
      Finding finding, Times during, Times troubled, Examination examination) {
    return told(finding.ranks(), during, troubled, examination)
        .map(
            told ->
                new Charge.Known(
                    told.saved(),
                    told.comm().id(),
                    finding.ranks().size() < 2
                        ? List.of()
                        : alone(finding, told, during, troubled, examination),
                    told.replay().when(),
                    told.replay().recent()));
  }

  /// Cost caused by each rank alone, by the same communicator. Time in which two ranks were late
  /// together counts for neither.
  private static List<Alone> alone(
      Finding finding, Told told, Times during, Times troubled, Examination examination) {
    var seconds = new TreeMap<Integer, Double>();
    for (int rank : finding.ranks()) {
      var own = within(List.of(rank), told.comm(), examination);
      var spans = told.comm().waits().missing().spans(own);
      int others = Math.max(1, told.comm().nranks() - 1);
      seconds.put(rank, own.isEmpty() ? 0 : Replay.of(spans, others, during, troubled).seconds());
    }
    double sum = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    double share = Math.min(1, told.saved().seconds() / Math.max(sum, Double.MIN_NORMAL));
    return seconds.entrySet().stream()
        .map(entry -> new Alone(entry.getKey(), share * entry.getValue()))
        .toList();
  }

  private static Optional<Told> told(
      Collection<Integer> ranks, Times during, Times troubled, Examination examination) {
    Communicator comm = null;
    var longest = Replay.NOTHING;
    double sum = 0;
    for (var each : examination.run().communicators()) {
      var within = within(ranks, each, examination);
      if (!within.isEmpty() && TimingTrust.trusted(each.rounds(), examination)) {
        var spans = each.waits().missing().spans(within);
        var replay = Replay.of(spans, Math.max(1, each.nranks() - within.size()), during, troubled);
        sum += replay.seconds();
        if (replay.seconds() > longest.seconds()) {
          longest = replay;
          comm = each;
        }
      }
    }
    return comm == null ? Optional.empty() : Optional.of(new Told(comm, longest, sum));
  }

  /// The ranks' numbers in a communicator.
  private static Set<Integer> within(
      Collection<Integer> ranks, Communicator comm, Examination examination) {
    var run = examination.run();
    var within = new HashSet<Integer>();
    run.members(comm)
        .forEach(
            (rank, process) -> {
              if (ranks.contains(run.rank(process))) {
                within.add(rank);
              }
            });
    return within;
  }

  /// Cost of lateness that moves from rank to rank: the time saved if the last rank of each round
  /// had arrived with the second last. The usual distance between these two is normal variation of
  /// healthy ranks and does not count.
  static Charge moving(Times during, Examination examination) {
    return examination.run().communicators().stream()
        .filter(comm -> comm.nranks() == examination.run().nranks())
        .filter(comm -> TimingTrust.trusted(comm.rounds(), examination))
        .map(comm -> moving(comm, during))
        .max((a, b) -> Double.compare(a.saved().seconds(), b.saved().seconds()))
        .filter(known -> known.saved().seconds() > 0)
        .<Charge>map(known -> known)
        .orElse(new Charge.Unknown("whom the ranks waited for is not known"));
  }

  private static Charge.Known moving(Communicator comm, Times during) {
    var phases =
        Phases.of(comm.waits().missing().spans(Set.of()), Lateness::beyond, during, Times.NEVER);
    double alone = sum(phases.missing(), Span::aloneSeconds);
    double two = sum(phases.missing(), Span::twoSeconds);
    return new Charge.Known(
        SavedTime.about(alone - two, Math.hypot(MOVING_ERROR * alone, two)),
        comm.id(),
        List.of(),
        phases.when(),
        phases.recent(Lateness::beyond));
  }

  private static double beyond(Span span) {
    return span.aloneSeconds() - span.twoSeconds();
  }
}
