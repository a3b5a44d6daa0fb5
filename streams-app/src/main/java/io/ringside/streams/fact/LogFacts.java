package io.ringside.streams.fact;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.witness.Witness.RasSaid;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that one chunk of log lines states about its job.
///
/// @param readAt when the agent read the chunk
/// @param live whether the agent followed the end of the file
/// @param end whether the source ended
/// @param toNanos latest time of a line in epoch nanoseconds, NO_TIME if no line has one; a single
///   moment that is a minute ahead of all others is ignored
/// @param lines number of lines in the chunk
/// @param ncclLines number of those that are NCCL's
/// @param gaps 1 if lines are missing before this chunk, else 0
/// @param lostBytes number of missing bytes
/// @param spliced number of lines that block-buffered output cut or merged
/// @param writers the writers of the lines; facts refer to them by index
/// @param unknownShapes counts of NCCL lines that no parser knows, by version and shape
/// @param said RAS's answer to a query, if one is among the lines, else null
public record LogFacts(
    LogSource source,
    Instant readAt,
    boolean live,
    boolean end,
    long toNanos,
    int lines,
    int ncclLines,
    int gaps,
    long lostBytes,
    int spliced,
    Map<String, Integer> unknownShapes,
    List<Writer> writers,
    List<Fact> facts,
    List<Arrivals> arrivals,
    @Nullable RasSaid said)
    implements JobInput {

  private static final long HELD_AFTER_LAST_LINE = 60_000_000_000L;

  public LogFacts {
    unknownShapes = Map.copyOf(unknownShapes);
    writers = List.copyOf(writers);
    facts = List.copyOf(facts);
    arrivals = List.copyOf(arrivals);
  }

  public String node() {
    return source.node();
  }

  /// Latest time at which the processes of an ended source may have held their GPUs, in epoch
  /// nanoseconds. Processes live for a while after their last lines; if an agent followed the file,
  /// they may have lived until the file was gone. NO_TIME for a recording whose last lines have no
  /// times. The result is the same whether samples or lines are read first.
  public long heldUntilNanos() {
    long afterLines = toNanos == NO_TIME ? NO_TIME : toNanos + HELD_AFTER_LAST_LINE;
    return live ? Math.max(afterLines, Nanos.of(readAt)) : afterLines;
  }
}
