package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.fact.GpuLinkFacts;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.KernelFacts;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.fact.NodeGpus;
import io.ringside.streams.fact.TopologyFacts;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.Optional;

/// Applies the records that nodes send to the state of the job.
public final class JobJoin {
  /// How long the driver may still report on a GPU after the process has died of it.
  private static final long AFTER_END_NANOS = 60_000_000_000L;

  private JobJoin() {}

  /// Applies one record. Records of one node come in order, those of different nodes in any order.
  ///
  /// @return whether the record has news: more than that the job goes on and its GPUs and nodes are
  ///   there
  public static boolean apply(JobInput input, JobState state) {
    long convictions = state.convictions;
    state.change(
        () -> {
          state.prune();
          take(input, state);
        });
    return JobNews.in(input) || state.convictions > convictions;
  }

  /// Forgets now the runs that the state would forget with the next record. They have been judged.
  public static void forget(JobState state) {
    state.change(state::prune);
  }

  private static void take(JobInput input, JobState state) {
    switch (input) {
      case LogFacts facts -> new LogFactsJoin(facts, state).apply();
      case GpuFacts facts -> {
        facts.readings().forEach(placed -> reading(placed, state));
        facts
            .disputed()
            .forEach(
                process -> state.runOf(process).ifPresent(run -> run.unheld().forget(process)));
      }
      case NodeFacts facts -> {
        watch(facts.node(), state).report(facts, state.newestRead().orElse(null));
        if (facts.seconds() > 0) {
          newestRunOn(facts.node(), state).ifPresent(run -> run.traffic(facts));
        }
      }
      case WitnessFacts facts -> {
        if (facts.source().speaksOfNode()) {
          state.witnesses.addLive(facts, comm -> state.communicator(comm).isPresent());
          return;
        }
        if (state.job.isEmpty()) {
          state.named(facts.source());
        }
        state.witnesses.add(facts);
      }
      case KernelFacts facts -> facts.lines().forEach(line -> kernel(facts.source(), line, state));
      case GpuLinkFacts facts ->
          facts.gpus().forEach(gpu -> state.runOf(gpu.process()).ifPresent(run -> run.link(gpu)));
      case NodeGpus facts -> {
        if (state.job.isEmpty()) {
          state.named(facts.source());
        }
        (state.runs.isEmpty() ? state.bare() : state.runs.getLast()).unheld(facts);
      }
      case TopologyFacts facts -> state.topologies.put(facts.node(), facts.topology());
    }
  }

  private static void reading(GpuFacts.Placed placed, JobState state) {
    var place = state.runOf(placed.process());
    if (place.isPresent()) {
      var run = place.get();
      var process = run.process(placed.process());
      if (process.isPresent()) {
        process.get().holds(placed.reading().busId());
        if (process.get().firstNanos() == NO_TIME) {
          run.unheld().add(process.get().id(), placed.atNanos(), placed.reading());
          return;
        }
        // the process's own id string, as each reading brings a copy of it
        run.gpus().add(process.get().id(), placed.atNanos(), placed.reading());
        run.pcie(process.get().id(), placed);
      }
    }
  }

  private static void kernel(LogSource source, KernelFacts.Placed placed, JobState state) {
    var run =
        placed.process().isEmpty()
            ? newestRunOn(source.node(), state)
            : state.runOf(placed.process());
    var line = placed.line();
    if (run.isPresent()
        && line.event() instanceof FailureEvent event
        && !over(run.get(), line.atNanos())) {
      var proof =
          new Evidence(
              Nanos.instant(line.atNanos()),
              source.node(),
              "",
              "/dev/kmsg",
              line.offset(),
              line.text());
      run.get().failures().noteOfKernel(event, source.id(), line.atNanos(), proof);
      state.index().fails(run.get(), source.id());
    }
  }

  /// Whether the run was over by then: a GPU that is reset after a job is no longer part of it.
  private static boolean over(Run run, long nanos) {
    boolean done = run.done() && run.doneNanos() != NO_TIME && nanos > run.doneNanos();
    return done
        || run.failures().signs().stream()
            .filter(
                sign ->
                    sign.event() instanceof FailureEvent.Exited
                        || sign.event() instanceof FailureEvent.Cancelled)
            .filter(sign -> sign.atNanos() != NO_TIME && sign.progressAfter() == 0)
            .anyMatch(sign -> nanos > sign.atNanos() + AFTER_END_NANOS);
  }

  static NodeWatch watch(String node, JobState state) {
    return state.watches.computeIfAbsent(node, _ -> new NodeWatch());
  }

  private static Optional<Run> newestRunOn(String node, JobState state) {
    return state.runs.reversed().stream().filter(run -> run.runsOn(node)).findFirst();
  }
}
