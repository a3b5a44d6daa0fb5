package io.ringside.streams.job;

import io.ringside.streams.parse.event.TorchEvent;

/// Finds the run that a process belongs to.
final class Runs {
  private Runs() {}

  /// A process that joins a communicator belongs to the run that has the communicator, else it
  /// begins a run. Two runs that a communicator spans are one: their groups were set up before the
  /// communicator that joins them.
  static void join(
      TrainingProcess process, String comm, int nranks, int rank, long atNanos, JobState state) {
    var own = state.runOf(process.id());
    var sharing = state.index().ofCommunicator(comm);
    if (sharing.isEmpty() && !state.takeSeats(nranks)) {
      return;
    }
    if (own.isPresent() && sharing.isPresent() && own.get() != sharing.get()) {
      state.index().takesIn(sharing.get(), own.get());
      sharing.get().absorb(own.get());
      state.runs.remove(own.get());
      own = sharing;
    }
    var run =
        own.or(() -> sharing)
            .orElseGet(
                () -> {
                  var started = new Run();
                  if (state.runs.isEmpty()) {
                    started.adopt(state.bare());
                  }
                  state.runs.add(started);
                  state.index().begins(started);
                  return started;
                });
    state.unplaced.remove(process.id());
    var waiting = state.beforeRun.remove(process.source().id());
    if (waiting != null) {
      for (var each : waiting) {
        if (each.event() instanceof TorchEvent event) {
          TorchFacts.note(event, each.line(), run);
        } else {
          run.steps().note(each.event(), process.source().id(), each.atNanos(), each.line());
        }
      }
    }
    run.add(process);
    run.join(comm, nranks, rank, process, atNanos);
    state.index().joins(run, process, comm);
  }
}
