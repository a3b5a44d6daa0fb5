package io.ringside.streams.parse.nccl;

import org.jspecify.annotations.Nullable;

/// A kind of line: how it looks, which versions print it, and who reads it.
///
/// In a shape `#` stands for a decimal number (digits in names count as numbers too: `P2P` is `P#P`)
/// and `*` for any text. A shape without `*` at its end may still be followed by more.
///
/// @param text the shape, without the header
/// @param versions versions that print it, for people
/// @param reader reads it, or null for a line that is known and says nothing of use
public record Shape(String text, String versions, @Nullable Reader reader) {

  /// Reads a message whose beginning fits its shape.
  @FunctionalInterface
  interface Reader {

    /// Hands over the events of the message.
    ///
    /// @return false if the rest of the message does not fit; nothing was emitted then
    boolean read(NcclMessage message);
  }

  /// A shape that somebody reads.
  static Shape of(String text, String versions, Reader reader) {
    return new Shape(normal(text), versions, reader);
  }

  /// A shape that is known and ignored.
  static Shape ignored(String text, String versions) {
    return new Shape(normal(text), versions, null);
  }

  private static String normal(String text) {
    return text.replaceAll("-?[0-9]+", "#").replaceAll("##+", "#");
  }
}
