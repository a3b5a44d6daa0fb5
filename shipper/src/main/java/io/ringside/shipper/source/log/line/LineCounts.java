package io.ringside.shipper.source.log.line;

import java.util.concurrent.atomic.LongAdder;

/// Counters of lines over all files. Thread-safe.
public final class LineCounts {
  /// Lines put into chunks.
  public final LongAdder lines = new LongAdder();

  /// Lines that were longer than the limit.
  public final LongAdder cut = new LongAdder();

  /// Bytes dropped beyond the limit of a line.
  public final LongAdder cutBytes = new LongAdder();

  /// Secrets hidden before the chunk left the node.
  public final LongAdder masked = new LongAdder();

  /// Byte sequences that are not UTF-8 and became U+FFFD.
  public final LongAdder invalid = new LongAdder();

  /// NUL bytes skipped at the beginning of a line; a truncated file may contain millions.
  public final LongAdder nulBytes = new LongAdder();

  /// States of progress bars dropped in favour of a later one.
  public final LongAdder bars = new LongAdder();
}
