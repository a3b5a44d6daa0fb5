package io.ringside.shipper.source.dump;

/// What is wrong with a file that should be a dump.
public enum Flaw {
  /// It cannot be read, or is no regular file, or a link leads out of the globs' folders.
  UNREADABLE,
  /// It does not begin like a dump; nothing of it is sent.
  NO_DUMP,
  /// It does not end like one; it is sent all the same.
  CUT,
  /// It does not fit into a record; its beginning is sent.
  TOO_LARGE,
  /// There are more files than are looked at.
  TOO_MANY
}
