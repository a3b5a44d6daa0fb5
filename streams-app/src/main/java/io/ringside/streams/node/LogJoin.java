package io.ringside.streams.node;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.parse.LineParser;
import java.util.Optional;

/// Reads the lines of a chunk into facts about its job. Repeated lines give nothing, missing ones are
/// counted. Unchanging itself: what must be remembered is in the {@link SourceState} handed in.
///
/// @param callsPerSecond of a rank on a communicator are kept, about; of more some are left out
public record LogJoin(int callsPerSecond) {
  /// Keeps every call.
  public LogJoin() {
    this(Integer.MAX_VALUE);
  }

  /// The facts of the chunk, or nothing if it is a repeat. Changes `state`.
  ///
  /// An agent that was killed sends again what was not acknowledged, maybe cut at other lines, so repeats
  /// are told by their offsets in the file: lines before the known end are skipped, a chunk that begins
  /// after it leaves a gap.
  public Optional<LogFacts> read(LogChunk chunk, SourceState state) {
    if (chunk.epoch() > state.epoch) {
      state.epoch = chunk.epoch();
      state.nextSequence = 0;
      state.knownEnd = 0;
    }
    if (chunk.epoch() < state.epoch
        || chunk.nextOffset() < state.knownEnd
        || (chunk.nextOffset() == state.knownEnd && chunk.sequence() < state.nextSequence)) {
      state.repeatedChunks++;
      return Optional.empty();
    }
    // where the first chunk begins is where the agent began, or what the topic still holds
    long lost = state.begun ? Math.max(0, chunk.firstOffset() - state.knownEnd) : 0;
    state.begun = true;
    long known = state.knownEnd;
    state.knownEnd = chunk.nextOffset();
    state.nextSequence = chunk.sequence() + 1;

    var reading = new ChunkReading(chunk, state, callsPerSecond);
    var text = chunk.text();
    var parser = new LineParser(text);
    int start = 0;
    for (int line = 0; line < chunk.lines(); line++) {
      int end = parser.lineEnd(start);
      if (chunk.offset(line) >= known) {
        reading.line(parser.parse(start, end, reading.at(line)), start, end);
      }
      start = end + 1;
    }
    return Optional.of(reading.facts(lost));
  }

  /// A line as proof, without what a report cannot show.
  static String proof(Text text, int start, int end) {
    return text.head(start, end, Fact.MAX_TEXT);
  }

  /// Hash of what all ranks must agree on in a round.
  static int signature(String op, long count, int datatype) {
    return 31 * (31 * op.hashCode() + Long.hashCode(count)) + datatype;
  }

  /// Whether this operation is called by all ranks of the communicator.
  static boolean collective(String op) {
    return switch (op) {
      case "Send", "Recv", "PutSignal", "Signal", "WaitSignal" -> false;
      default -> true;
    };
  }
}
