package io.ringside.streams.node;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.witness.Witness;
import io.ringside.streams.witness.WitnessLine;
import java.util.ArrayList;
import java.util.List;

/// A chunk whose lines are not a log but files of witnesses, see {@link WitnessLine}.
final class WitnessChunk {
  private WitnessChunk() {}

  /// The witnesses in the chunk, empty if it is a chunk of a log.
  static List<Witness> read(LogChunk chunk) {
    var text = chunk.text();
    if (chunk.lines() == 0 || !WitnessLine.is(text.head(0, text.length(), 64))) {
      return List.of();
    }
    var said = new ArrayList<Witness>();
    for (var line : text.substring(0, text.length()).split("\n", -1)) {
      WitnessLine.read(line, chunk.source().file()).ifPresent(said::add);
    }
    return said;
  }
}
