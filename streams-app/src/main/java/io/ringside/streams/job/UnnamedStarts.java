package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.UnnamedComm;
import io.ringside.streams.parse.event.NcclEvent;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Gives names to communicators that NCCL does not name (before 2.16.2), if they can only be the
/// world. Groups get no names: several have the same size, and if two were taken for one, their
/// ranks would be compared with each other.
final class UnnamedStarts {
  private static final int MAX_STARTS = 1_024;

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final List<UnnamedStart> starts = new ArrayList<>();

  /// Number of starts that have begun.
  private int begun;

  /// Name of the communicator that the process's line is about, null if it may be a group.
  @Nullable String name(String process, UnnamedComm told) {
    return of(process)
        .filter(start -> start.nranks() == told.nranks())
        .map(start -> start.id(told.order()))
        .orElse(null);
  }

  /// Names that are no longer given, since each stood for several communicators.
  Set<String> givenUp() {
    return starts.stream()
        .filter(start -> start.id(1) == null)
        .map(UnnamedStart::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// The start in which the process came up; of several, the one with the larger communicator.
  private Optional<UnnamedStart> of(String process) {
    UnnamedStart largest = null;
    for (var start : starts) {
      if (start.has(process) && (largest == null || start.nranks() > largest.nranks())) {
        largest = start;
      }
    }
    return Optional.ofNullable(largest);
  }

  /// Records that a communicator of the process came up.
  ///
  /// @return names under which ranks of several communicators were put together
  List<String> enter(
      TrainingProcess process,
      UnnamedComm told,
      NcclEvent.CommInit init,
      long atNanos,
      JobState state) {
    var id = process.id();
    var given = new ArrayList<String>();
    var own = of(id);
    if (own.isPresent() && own.get().nranks() >= told.nranks()) {
      if (own.get().nranks() == told.nranks()) {
        again(own.get(), told.order(), init.rank(), id, state).ifPresent(given::add);
      }
      return given;
    }
    // what was taken for the world is a group
    own.ifPresent(smaller -> giveUp(smaller, given));
    var gpu = gpu(process, init);
    var start = nearest(told.nranks(), gpu, id, atNanos);
    if (start == null) {
      start = begin(told.nranks(), atNanos);
    } else if (start.taken(init.rank(), id)) {
      giveUp(start, given);
    }
    start.enter(id, process.source().id(), gpu, init.rank(), atNanos);
    if (!start.timed()) {
      untimed(told.nranks(), given);
    }
    return given;
  }

  /// Handles a further communicator of the world's size.
  private static Optional<String> again(
      UnnamedStart start, int order, int rank, String process, JobState state) {
    var name = start.id(order);
    if (name == null) {
      return Optional.empty();
    }
    var holder = state.communicator(name).map(comm -> comm.processByRank().get(rank)).orElse(null);
    if (holder == null || holder.equals(process)) {
      return Optional.empty();
    }
    start.several(order);
    return Optional.of(name);
  }

  /// The start nearest in time that the process can belong to. A process alone in its communicator
  /// belongs to none.
  private @Nullable UnnamedStart nearest(int nranks, String gpu, String process, long atNanos) {
    UnnamedStart nearest = null;
    for (var start : starts) {
      if (nranks > 1
          && start.nranks() == nranks
          && start.near(atNanos)
          && !start.holds(gpu, process)
          && (nearest == null || start.apart(atNanos) < nearest.apart(atNanos))) {
        nearest = start;
      }
    }
    return nearest;
  }

  private UnnamedStart begin(int nranks, long atNanos) {
    begun++;
    var id =
        nranks + "-ranks-" + (atNanos == NO_TIME ? begun : STAMP.format(Nanos.instant(atNanos)));
    boolean again = starts.stream().anyMatch(start -> start.id().equals(id));
    var start = new UnnamedStart(again ? id + "-" + begun : id, nranks);
    if (starts.size() >= MAX_STARTS) {
      starts.removeFirst();
    }
    starts.add(start);
    return start;
  }

  /// Gives up starts without times. Nothing shows which starts of two files are one, unless there
  /// is only one start.
  private void untimed(int nranks, List<String> given) {
    var same =
        starts.stream().filter(s -> s.nranks() == nranks && nranks > 1 && !s.timed()).toList();
    var sources = new HashSet<String>();
    same.forEach(start -> sources.addAll(start.sources()));
    if (same.size() > 1 && sources.size() > 1) {
      same.forEach(start -> giveUp(start, given));
    }
  }

  private static void giveUp(UnnamedStart start, List<String> given) {
    if (start.id(1) != null) {
      start.several();
      given.add(start.id());
    }
  }

  /// Names a GPU within the pod: a process that restarts has the same GPU again.
  private static String gpu(TrainingProcess process, NcclEvent.CommInit init) {
    return process.node()
        + "|"
        + process.source().pod()
        + "|"
        + process.host()
        + "|"
        + (init.busId() == null ? "cuda " + init.cudaDev() : init.busId());
  }
}
