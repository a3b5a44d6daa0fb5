package io.ringside.shipper.source.log;

import io.ringside.schemas.event.LogSource;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// What the tails of all files share. Used by the tailer's thread only, apart from counts and
/// budget.
///
/// @param ticker nanoseconds that never jump, as {@link System#nanoTime}
record TailContext(
    TailSettings settings,
    Function<Path, LogSource> sources,
    ChunkOutlet outlet,
    ByteBudget budget,
    LineCounts lines,
    TailCounts files,
    Workspace<EncodedChunk> work,
    InstantSource clock,
    LongSupplier ticker) {}
