package io.ringside.streams.fact;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.witness.Witness;
import java.util.List;

/// The contents of a witness's file: a dump of the flight recorder, RAS's answers, or NCCL
/// Inspector's times.
///
/// @param source the file, attributed to the job whose logs it lay beside, or to its node
/// @param readNanos epoch nanoseconds when an agent read it, {@link LogChunk#NO_TIME} for a
///   recording
public record WitnessFacts(LogSource source, List<Witness> said, long readNanos)
    implements JobInput {
  public WitnessFacts {
    said = List.copyOf(said);
  }
}
