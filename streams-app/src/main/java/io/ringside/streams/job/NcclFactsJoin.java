package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.UnnamedComm;
import io.ringside.streams.fact.UnseenComm;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclEvent.Phase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Applies NCCL's lines of one chunk to processes and communicators.
record NcclFactsJoin(LogOfJob log, JobState state) {
  void note(NcclEvent event, Fact fact, Evidence line) {
    if (event instanceof NcclEvent.CommInit init && contradicts(init, fact.comm())) {
      state.spliced++;
      return;
    }
    if (UnseenComm.of(fact.comm()).isPresent()) {
      unseen(event, fact);
      return;
    }
    var unnamed = UnnamedComm.of(fact.comm());
    if (unnamed.isPresent()) {
      unnamed(event, unnamed.get(), fact, line);
      return;
    }
    if (event instanceof NcclEvent.Version version && fact.writer() == Writer.NONE) {
      version(version, line);
    }
    if (event instanceof NcclEvent.Declared declared) {
      log.declared(declared, line);
      return;
    }
    if (event instanceof NcclEvent.CommInit init
        && fact.comm() != null
        && !state.admits(fact.comm(), init.nranks(), log.id())) {
      return;
    }
    var process = log.process(log.place(fact.writer()));
    process.began(fact.atNanos());
    process.note(event, fact.comm(), fact.repeat(), fact.atNanos(), line);
    log.grew(process);
    if (event instanceof NcclEvent.CommInit init && init.phase() == NcclEvent.Phase.COMPLETE) {
      log.progress(Optional.of(log.place(fact.writer())), fact.offset(), -1);
    }
    if (event instanceof NcclEvent.CommInit init
        && fact.comm() != null
        && process.memberships().containsKey(fact.comm())) {
      Runs.join(process, fact.comm(), init.nranks(), init.rank(), fact.atNanos(), state);
      log.joined();
    }
    var run = log.place(fact.writer()).run();
    if (event instanceof NcclEvent.Collective && fact.comm() == null) {
      if (run.isEmpty()) {
        process.joinedLate();
        state.bare(log.id()).span(fact.atNanos(), fact.atNanos());
        state.bare(log.id()).progress(fact.atNanos(), true);
      } else {
        run.get().unsure();
      }
    }
    run.ifPresent(of -> of.span(fact.atNanos(), fact.atNanos()));
    if (event instanceof NcclEvent.CommInit init && init.phase() == NcclEvent.Phase.COMPLETE) {
      log.goesOn();
      run.ifPresent(of -> of.progress(fact.atNanos(), false));
    }
  }

  /// Takes a line about a communicator whose init lines were not seen. Its DESTROY line may be
  /// seen.
  private void unseen(NcclEvent event, Fact fact) {
    var place = log.place(fact.writer());
    var name = state.unseenStarts.name(place.id(), fact.comm());
    boolean over = event instanceof NcclEvent.CommInit init && init.phase() == Phase.DESTROY;
    if (over && name != null) {
      place
          .run()
          .flatMap(run -> run.process(place.id()))
          .ifPresent(process -> process.destroyed(name, fact.atNanos()));
    }
    place.run().ifPresent(run -> run.span(fact.atNanos(), fact.atNanos()));
  }

  /// Applies the event to the communicator that it turns out to be about, else to the process
  /// alone.
  private void unnamed(NcclEvent event, UnnamedComm told, Fact fact, Evidence line) {
    var process = log.process(log.place(fact.writer()));
    boolean up =
        event instanceof NcclEvent.CommInit init && init.phase() == NcclEvent.Phase.COMPLETE;
    if (event instanceof NcclEvent.CommInit init && up) {
      var given = state.unnamedStarts.enter(process, told, init, fact.atNanos(), state);
      if (!given.isEmpty()) {
        given.forEach(state::disband);
        log.joined();
      }
    }
    var name = state.unnamedStarts.name(process.id(), told);
    if (name != null) {
      note(event, fact.about(fact.writer(), name), line);
      if (up) {
        state.communicator(name).ifPresent(comm -> comm.joinUnnamed(process.hostId()));
        log.place(fact.writer()).run().filter(_ -> process.calledUnseen()).ifPresent(Run::unsure);
      }
      return;
    }
    process.began(fact.atNanos());
    if (event instanceof NcclEvent.Collective) {
      process.calledUnnamed();
    } else {
      process.note(event, null, fact.repeat(), fact.atNanos(), line);
      log.grew(process);
    }
    if (up) {
      log.progress(Optional.of(log.place(fact.writer())), fact.offset(), -1);
      log.moved(log.place(fact.writer()), fact.atNanos(), false);
      log.goesOn();
    }
  }

  /// Gives rank 0's version to all processes of its file that print none, including those of a
  /// start that has not come up yet.
  private void version(NcclEvent.Version version, Evidence line) {
    for (var process : state.unplaced.values()) {
      if (process.source().id().equals(log.id()) && !process.nobody()) {
        process.shareVersion(version.nccl(), line);
      }
    }
    log.newestRun().stream()
        .flatMap(run -> run.processesOf(log.id()).stream())
        .filter(process -> process.ncclVersion().isEmpty())
        .forEach(process -> process.shareVersion(version.nccl(), line));
  }

  /// Whether the line names a rank that its communicator does not have, by this line or by earlier
  /// ones. Nothing in such a line is believed.
  private boolean contradicts(NcclEvent.CommInit init, @Nullable String comm) {
    return init.rank() < 0
        || init.rank() >= init.nranks()
        || comm != null
            && state.communicator(comm).filter(c -> c.nranks() != init.nranks()).isPresent();
  }
}
