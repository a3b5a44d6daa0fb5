package io.ringside.streams.fact;

import io.ringside.streams.parse.event.LineEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What one line states about one process, with the line itself as proof.
///
/// @param writer index among the chunk's writers, {@link Writer#NONE} if the line names none
/// @param comm the communicator that it is about, null if the line names none
/// @param atNanos epoch nanoseconds when the line was written,
///   {@link io.ringside.schemas.event.LogChunk#NO_TIME} if unknown
/// @param offset byte offset of the line in its file
/// @param text the line, cut at {@link #MAX_TEXT} characters
/// @param repeat number of lines of the chunk that say the same (channels of one edge)
public record Fact(
    int writer,
    @Nullable String comm,
    long atNanos,
    long offset,
    String text,
    int repeat,
    LineEvent event) {

  /// In characters, enough for every line that NCCL prints.
  public static final int MAX_TEXT = 600;

  public Fact {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(event, "event");
  }

  /// Counts one more line with the same statement.
  public Fact again() {
    return new Fact(writer, comm, atNanos, offset, text, repeat + 1, event);
  }

  /// Makes a fact for another statement of the same line.
  public Fact saying(LineEvent other) {
    return new Fact(writer, comm, atNanos, offset, text, repeat, other);
  }

  /// The same statement about a communicator that became known after the line.
  public Fact about(int itsWriter, String communicator) {
    return new Fact(itsWriter, communicator, atNanos, offset, text, repeat, event);
  }
}
