package io.ringside.shipper.source.dump;

/// What is wrong with a file that should be a dump.
public enum DumpFlaw {
  /// The file cannot be read, is not a regular file, or a link leads out of the globs' folders.
  UNREADABLE,
  /// The file does not begin like a dump; none of its content is sent.
  NO_DUMP,
  /// The file does not end like a dump; it is sent nevertheless.
  CUT,
  /// The file does not fit into a record; only its beginning is sent.
  TOO_LARGE,
  /// There are more files than the limits allow.
  TOO_MANY
}
