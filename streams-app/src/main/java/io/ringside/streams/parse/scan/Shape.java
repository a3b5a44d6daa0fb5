package io.ringside.streams.parse.scan;

import org.jspecify.annotations.Nullable;

/// A kind of line: its form, the versions that print it, and its reader.
///
/// In a shape `#` stands for a decimal number (digits in names count as numbers too: `P2P` is
/// `P#P`) and `*` for any text. A shape without `*` at its end may still be followed by more.
///
/// @param text the shape, without the header
/// @param versions versions that print it, for the documentation
/// @param begin where its reader begins to read: 0, or after the text in front of the first `#` or
///   `*`
/// @param reader reads it, or null for a known line that is of no use
/// @param <L> what a reader is given: a cursor on the message
public record Shape<L extends Cursor>(
    String text, String versions, int begin, @Nullable Reader<L> reader) {

  /// Reads a message whose beginning fits its shape.
  @FunctionalInterface
  public interface Reader<L extends Cursor> {

    /// Hands over the events of the message.
    ///
    /// @return false if the rest of the message does not fit; then nothing was emitted
    boolean read(L message);
  }

  /// A shape that is read from its beginning.
  public static <L extends Cursor> Shape<L> of(String text, String versions, Reader<L> reader) {
    return new Shape<>(normal(text), versions, 0, reader);
  }

  /// A shape that is read from its first `#` or `*` on. The text before was already compared when
  /// the shape was found.
  public static <L extends Cursor> Shape<L> behind(String text, String versions, Reader<L> reader) {
    var normal = normal(text);
    var begin = 0;
    while (begin < normal.length() && normal.charAt(begin) != '#' && normal.charAt(begin) != '*') {
      begin++;
    }
    return new Shape<>(normal, versions, begin, reader);
  }

  /// A shape that is known and ignored.
  public static <L extends Cursor> Shape<L> ignored(String text, String versions) {
    return new Shape<>(normal(text), versions, 0, null);
  }

  private static String normal(String text) {
    return text.replaceAll("-?[0-9]+", "#").replaceAll("##+", "#");
  }
}
