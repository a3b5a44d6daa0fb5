package io.ringside.streams.fact;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.witness.Witness;
import java.util.List;

/// What a witness's file says: a dump of the flight recorder, RAS's answers, the Inspector's times.
///
/// @param source the file, under the name of the job beside whose logs it lay, or of its node
/// @param readNanos when an agent read it, {@link LogChunk#NO_TIME} of a recording
public record WitnessFacts(LogSource source, List<Witness> said, long readNanos)
    implements JobInput {
  public WitnessFacts {
    said = List.copyOf(said);
  }
}
