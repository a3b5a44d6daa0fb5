package io.ringside.streams.parse.plain;

/// Result of reading a document.
public sealed interface Document {
  /// The document was read completely.
  record Read(PlainValue value) implements Document {}

  /// The document cannot be used.
  ///
  /// @param reason the reason, in words that follow the file's name
  record Refused(String reason) implements Document {}

  /// Largest size in bytes. A dump of 2,000 calls with their stacks has some hundred thousand
  /// bytes.
  int LARGEST = 32 * 1024 * 1024;

  /// Highest number of values in a document.
  int MOST_VALUES = 4_000_000;

  /// Deepest nesting of values. A dump has six levels.
  int DEEPEST = 64;

  /// Reads bytes in pickle or JSON format.
  static Document of(byte[] bytes) {
    return Pickle.begins(bytes) ? Pickle.read(bytes) : Json.read(bytes);
  }
}
