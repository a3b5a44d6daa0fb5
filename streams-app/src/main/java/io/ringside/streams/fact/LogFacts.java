package io.ringside.streams.fact;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.witness.Witness.RasSaid;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that one chunk of log lines says about its job.
///
/// @param readAt when the agent read the chunk
/// @param live whether the agent followed the end of the file
/// @param end whether the source ended
/// @param toNanos latest time of a line, NO_TIME where none has one; not that of one moment alone
///   which is a minute ahead of all others
/// @param lines how many lines the chunk had, and how many of them are NCCL's
/// @param gaps 1 if lines are missing before this chunk, else 0
/// @param lostBytes how many bytes they had
/// @param spliced lines that were cut or merged by block-buffered output
/// @param writers those whose lines the facts are, named by their index
/// @param unknownShapes NCCL lines that no parser knows, by version and shape
/// @param said what RAS answered to somebody who asked among the lines, null if nobody did
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

  /// Until when the processes that wrote to a source that ended may have held their GPUs: they live
  /// on for a while after their last lines, and where an agent follows the file until that is gone.
  /// In epoch nanoseconds, NO_TIME of a recording whose last lines have no times. It is the same
  /// whether samples or lines are read first.
  public long heldUntilNanos() {
    long afterLines = toNanos == NO_TIME ? NO_TIME : toNanos + HELD_AFTER_LAST_LINE;
    return live ? Math.max(afterLines, Nanos.of(readAt)) : afterLines;
  }
}
