package io.ringside.shipper.source.log.recorded;

/// Hears how far a recording was read.
@FunctionalInterface
public interface ReadProgress {
  /// Nobody wants to know.
  ReadProgress NONE = bytes -> {};

  /// So many more bytes were read from the disk, compressed ones where a file is compressed.
  void read(long bytes);
}
