package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;
import io.ringside.streams.witness.Witness;
import java.util.List;

/// What a witness's file says: a dump of the flight recorder, RAS's answers, the Inspector's times.
///
/// @param source the file, under the name of the job beside whose logs it lay
public record WitnessFacts(LogSource source, List<Witness> said) implements JobInput {
  public WitnessFacts {
    said = List.copyOf(said);
  }

  @Override
  public String node() {
    return source.node();
  }
}
