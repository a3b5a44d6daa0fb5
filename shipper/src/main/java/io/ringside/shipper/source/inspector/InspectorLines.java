package io.ringside.shipper.source.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.Text;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Packs the lines of NCCL Inspector as a witness's record, so that readers do not take the file
/// for a log of the job.
public final class InspectorLines {
  private InspectorLines() {}

  /// The chunk with its lines packed into one. Empty for a chunk without lines, which only
  /// announces or ends a log.
  ///
  /// @param mask hides secrets
  public static Optional<LogChunk> packed(LogChunk chunk, UnaryOperator<String> mask) {
    if (chunk.lines() == 0) {
      return Optional.empty();
    }
    return PackedWitness.line(
            PackedWitness.INSPECTOR, mask.apply(chunk.text().toString()).getBytes(UTF_8))
        .map(
            line ->
                new LogChunk(
                    chunk.source(),
                    chunk.epoch(),
                    chunk.sequence(),
                    chunk.firstOffset(),
                    chunk.nextOffset(),
                    chunk.readAt(),
                    chunk.live(),
                    chunk.end(),
                    Text.of(line),
                    new int[] {0},
                    0,
                    new long[0],
                    new int[0]));
  }
}
