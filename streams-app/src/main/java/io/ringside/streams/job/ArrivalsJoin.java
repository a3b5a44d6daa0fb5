package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.UnnamedComm;
import io.ringside.streams.fact.UnseenComm;
import io.ringside.streams.waits.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// Brings the collective calls of one chunk to the rounds of their communicators.
record ArrivalsJoin(LogOfJob log, JobState state) {
  /// @param failures offsets of the chunk's lines about failures
  void note(Arrivals calls, List<Long> failures) {
    if (UnseenComm.of(calls.comm()).isPresent()) {
      state.unseenStarts.note(calls, clock(calls, log.place(calls.writer())), log, state);
    }
    var place = log.place(calls.writer());
    int rank = place.run().flatMap(run -> run.process(place.id()).map(run::rank)).orElse(-1);
    log.progress(
        place.run().map(_ -> place),
        calls.failuresBefore() < failures.size()
            ? failures.get(calls.failuresBefore())
            : Long.MAX_VALUE,
        rank);
    long last = LongStream.of(calls.nanos()).reduce(NO_TIME, Math::max);
    place.run().ifPresent(run -> run.progress(last, true));
    place.run().flatMap(run -> run.process(place.id())).ifPresent(process -> process.called(last));
    communicator(place, calls)
        .ifPresent(
            comm -> {
              var rounds = comm.called();
              long before = rounds.waits().convictions();
              rounds.add(
                  calls,
                  clock(calls, place),
                  proof -> log.evidence(nanos(calls, proof), proof.offset(), proof.text()));
              state.convictions += rounds.waits().convictions() - before;
            });
  }

  /// The clock that stamped the calls: that of the agent that read the file, or that of the host; a
  /// gathered file has several hosts. NCCL's own timestamps in several files of one host come from
  /// one clock, whatever the files are called, and so do those of the container runtime: processes
  /// that name one host run in one container, or on one machine.
  private Clock clock(Arrivals calls, LogOfJob.Place place) {
    var host = place.writer().host();
    return switch (calls.basis()) {
      case READ -> Clock.of(log.id());
      case NCCL, NCCL_SECONDS, CONTAINER ->
          log.hostClock(place, calls.comm()).orElse(Clock.of(log.id() + "|" + host));
      case NONE -> Clock.of(log.id() + "|" + host);
    };
  }

  private Optional<Communicator> communicator(LogOfJob.Place place, Arrivals calls) {
    if (UnseenComm.of(calls.comm()).isPresent()) {
      if (place.run().isEmpty()) {
        log.moved(place, LongStream.of(calls.nanos()).reduce(NO_TIME, Math::max), true);
      }
      return Optional.empty();
    }
    var unnamed = UnnamedComm.of(calls.comm());
    if (unnamed.isEmpty()) {
      return place.run().flatMap(run -> run.communicator(calls.comm()));
    }
    var name = state.unnamedStarts.name(place.id(), unnamed.get());
    var known = name == null ? Optional.<Communicator>empty() : state.communicator(name);
    if (known.isEmpty()) {
      log.process(place).calledUnnamed();
      if (place.run().isEmpty()) {
        long last = LongStream.of(calls.nanos()).reduce(NO_TIME, Math::max);
        log.moved(place, last, true);
      }
    }
    return known;
  }

  private static long nanos(Arrivals calls, Arrivals.Proof proof) {
    return calls.nanos()[(int) (proof.ordinal() - calls.firstOrdinal())];
  }
}
