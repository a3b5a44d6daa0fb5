package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.UnseenComm;
import io.ringside.streams.waits.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Builds runs of jobs that were already running when their logs were first read. Their init lines
/// were not seen, so no line shows which processes share a communicator, and which of their calls
/// belong to one round. If there are as many processes as a communicator has ranks, all with one of
/// its size, they are taken for its ranks, provided that NCCL's `opCount` numbers their calls
/// alike, see {@link UnseenStart}.
final class UnseenStarts {
  /// Most different sizes of a job's communicators.
  private static final int MAX_SIZES = 64;

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final Comparator<TrainingProcess> BY_PLACE =
      Comparator.comparingInt((TrainingProcess process) -> process.source().pod().length())
          .thenComparing(process -> process.source().pod())
          .thenComparing(TrainingProcess::hostId)
          .thenComparingInt(TrainingProcess::pid);

  /// Most settled starts that are kept: a job whose starts are not seen starts at most this often.
  private static final int MAX_SETTLED = 32;

  /// By size, the starts for which it is not yet known which calls belong to one round.
  private final Map<Integer, UnseenStart> starts = new TreeMap<>();

  private final List<UnseenStart> settled = new ArrayList<>();

  /// Name of the communicator that the process's line is about, null if unknown.
  @Nullable String name(String process, @Nullable String told) {
    return settled(process, told).map(UnseenStart::id).orElse(null);
  }

  private Optional<UnseenStart> settled(String process, @Nullable String told) {
    return settled.stream().filter(start -> start.calls(process, told)).findFirst();
  }

  /// Adds calls of a process.
  ///
  /// @param clock clock of their times
  void note(Arrivals calls, Clock clock, LogOfJob log, JobState state) {
    int nranks = UnseenComm.of(calls.comm()).map(UnseenComm::nranks).orElse(0);
    if (nranks < 2 || nranks > Run.MAX_RANKS) {
      return;
    }
    var process = log.process(log.place(calls.writer()));
    var held =
        new UnseenCalls(
            calls,
            clock,
            calls.proofs().stream()
                .map(
                    proof ->
                        log.evidence(
                            calls.nanos()[(int) (proof.ordinal() - calls.firstOrdinal())],
                            proof.offset(),
                            proof.text()))
                .toList());
    var known = settled(process.id(), calls.comm());
    if (known.isPresent()) {
      known.get().goOn(process.id(), held, state);
      return;
    }
    var start = starts.get(nranks);
    if (start == null) {
      if (starts.size() >= MAX_SIZES) {
        return;
      }
      start = new UnseenStart(nranks);
      starts.put(nranks, start);
    }
    start.hold(process.id(), process.hostId(), held);
    if (start.aligned() && settle(start, state)) {
      starts.remove(nranks);
      settled.add(start);
      if (settled.size() > MAX_SETTLED) {
        settled.removeFirst();
      }
      log.joined();
    }
  }

  /// Makes the processes the ranks of a communicator, in the order of their places, which is how
  /// launchers number them.
  ///
  /// @return whether they could be put into a run
  private static boolean settle(UnseenStart start, JobState state) {
    var processes = new ArrayList<TrainingProcess>();
    for (var id : start.processes()) {
      var waiting = state.unplaced.get(id);
      if (waiting == null) {
        // it is in a run that came up later
        start.giveUp();
        return false;
      }
      processes.add(waiting);
    }
    processes.sort(BY_PLACE);
    long at = start.firstNanos();
    var id = "%d-ranks-joined-%s".formatted(start.nranks(), STAMP.format(Nanos.instant(at)));
    if (!state.admits(id, start.nranks(), processes.getFirst().source().id())) {
      start.giveUp();
      return false;
    }
    boolean only = state.runs.isEmpty();
    for (int rank = 0; rank < processes.size(); rank++) {
      var process = processes.get(rank);
      process.joined(id, rank, start.nranks());
      Runs.join(process, id, start.nranks(), rank, at, state);
    }
    var run = state.runOf(processes.getFirst().id());
    if (run.isEmpty()) {
      start.giveUp();
      return false;
    }
    if (only) {
      run.get().goOnFrom(state.bare());
    }
    start.settle(id, processes.stream().map(TrainingProcess::id).toList(), state);
    run.get().span(NO_TIME, start.lastNanos());
    run.get().progress(start.lastNanos(), true);
    return true;
  }
}
