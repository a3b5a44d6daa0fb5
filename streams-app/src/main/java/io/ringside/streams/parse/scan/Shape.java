package io.ringside.streams.parse.scan;

import org.jspecify.annotations.Nullable;

/// A kind of line: how it looks, which versions print it, and who reads it.
///
/// In a shape `#` stands for a decimal number (digits in names count as numbers too: `P2P` is `P#P`)
/// and `*` for any text. A shape without `*` at its end may still be followed by more.
///
/// @param text the shape, without the header
/// @param versions versions that print it, for people
/// @param reader reads it, or null for a line that is known and says nothing of use
/// @param <L> what a reader is given: a cursor on the message
public record Shape<L extends Cursor>(String text, String versions, @Nullable Reader<L> reader) {

  /// Reads a message whose beginning fits its shape.
  @FunctionalInterface
  public interface Reader<L extends Cursor> {

    /// Hands over the events of the message.
    ///
    /// @return false if the rest of the message does not fit; nothing was emitted then
    boolean read(L message);
  }

  /// A shape that somebody reads.
  public static <L extends Cursor> Shape<L> of(String text, String versions, Reader<L> reader) {
    return new Shape<>(normal(text), versions, reader);
  }

  /// A shape that is known and ignored.
  public static <L extends Cursor> Shape<L> ignored(String text, String versions) {
    return new Shape<>(normal(text), versions, null);
  }

  private static String normal(String text) {
    return text.replaceAll("-?[0-9]+", "#").replaceAll("##+", "#");
  }
}
