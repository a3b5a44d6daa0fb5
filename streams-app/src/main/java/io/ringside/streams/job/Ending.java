package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// How a run ended, as far as records show. The cause of its end is in its {@link Failures}.
///
/// @param superseded whether a newer attempt of the job is the only sign of the end
/// @param atNanos when it ended, NO_TIME if unknown
public record Ending(boolean superseded, long atNanos) {
  /// How long a program may print lines after it has given up its communicators. A program that
  /// goes on prints later ones too.
  private static final long LAST_WORDS_NANOS = 30_000_000_000L;

  /// How late lines of a run may still come after the next attempt has begun.
  private static final long OVERLAP_NANOS = 5_000_000_000L;

  static Optional<Ending> of(Run run, JobState state) {
    if (run.done()) {
      return Optional.of(new Ending(false, run.doneNanos()));
    }
    if (run.replaced()) {
      return Optional.of(new Ending(true, run.lastNanos()));
    }
    if (tornDown(run)) {
      return Optional.of(new Ending(false, tornDownNanos(run)));
    }
    var later = follower(run, state);
    boolean gone = state.ended() || filesEnded(run, state);
    return gone && later.filter(it -> outlived(run, it, state)).isEmpty()
        ? Optional.of(new Ending(false, run.lastNanos()))
        : later.map(_ -> new Ending(true, run.lastNanos()));
  }

  private static Optional<Run> follower(Run run, JobState state) {
    var runs = state.runs();
    int own = runs.indexOf(run);
    return own < 0
        ? Optional.empty()
        : runs.subList(own + 1, runs.size()).stream()
            .filter(later -> follows(later, run, state))
            .findFirst();
  }

  /// Whether this run's files were still read after the later run began. Then the end of the files
  /// shows nothing new about this run.
  private static boolean outlived(Run run, Run later, JobState state) {
    return later.firstNanos() != NO_TIME
        && run.processes().stream()
            .flatMap(
                process -> Optional.ofNullable(state.sources().get(process.source().id())).stream())
            .flatMap(source -> Optional.ofNullable(source.readAt()).stream())
            .anyMatch(readAt -> Nanos.of(readAt) > later.firstNanos());
  }

  /// Whether all processes have given up their communicators and print little after that. A test
  /// before the training gives up its communicators too, but more lines follow.
  private static boolean tornDown(Run run) {
    long at = tornDownNanos(run);
    return !run.processes().isEmpty()
        && run.processes().stream().allMatch(TrainingProcess::tornDown)
        && (at == NO_TIME || run.lastNanos() <= at + LAST_WORDS_NANOS);
  }

  private static long tornDownNanos(Run run) {
    return run.processes().stream()
        .mapToLong(TrainingProcess::tornDownNanos)
        .reduce(NO_TIME, Math::max);
  }

  private static boolean filesEnded(Run run, JobState state) {
    return !run.processes().isEmpty()
        && run.processes().stream()
            .map(process -> state.sources().get(process.source().id()))
            .allMatch(source -> source != null && source.ended());
  }

  /// Whether the later run takes this one's place: it has one of its GPUs, or is as large and began
  /// after this one had trained and fallen silent. Runs that go on beside each other, such as
  /// copies of a model that serve requests, have GPUs of their own and train nothing.
  private static boolean follows(Run later, Run run, JobState state) {
    if (run.progressNanos() != NO_TIME
        && later.firstNanos() != NO_TIME
        && run.progressNanos() > later.firstNanos() + OVERLAP_NANOS) {
      return false;
    }
    var held = state.held(later);
    var own = state.held(run);
    if (own.gpus().stream().anyMatch(held.gpus()::contains)) {
      return true;
    }
    boolean known = !own.gpus().isEmpty() && !held.gpus().isEmpty();
    if (!known && own.pods().stream().anyMatch(held.pods()::contains)) {
      return true;
    }
    return run.trained()
        && later.nranks() == run.nranks()
        && run.lastNanos() != NO_TIME
        && later.firstNanos() != NO_TIME
        && later.firstNanos() >= run.lastNanos() + OVERLAP_NANOS;
  }

  /// Where a run's processes are.
  ///
  /// @param gpus the GPUs that are known
  record Held(Set<String> gpus, Set<String> pods) {
    static Held of(Run run) {
      var gpus = new HashSet<String>();
      var pods = new HashSet<String>();
      for (var process : run.processes()) {
        if (process.busId() != null) {
          gpus.add(process.node() + "|" + process.busId());
        }
        pods.add(process.source().pod());
      }
      return new Held(gpus, pods);
    }
  }
}
