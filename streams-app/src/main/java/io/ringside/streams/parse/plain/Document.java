package io.ringside.streams.parse.plain;

/// What reading gave.
public sealed interface Document {
  /// A whole document.
  record Read(Plain value) implements Document {}

  /// None that can be used.
  ///
  /// @param reason why, in words that follow the file's name
  record Refused(String reason) implements Document {}

  /// The most bytes that are looked at. A dump of 2,000 calls with their stacks has some hundred
  /// thousand.
  int LARGEST = 32 * 1024 * 1024;

  /// The most values of a document.
  int MOST_VALUES = 4_000_000;

  /// How deep values may lie in each other. A dump has six levels.
  int DEEPEST = 64;

  /// Reads bytes of either form.
  static Document of(byte[] bytes) {
    return Pickle.begins(bytes) ? Pickle.read(bytes) : Json.read(bytes);
  }
}
