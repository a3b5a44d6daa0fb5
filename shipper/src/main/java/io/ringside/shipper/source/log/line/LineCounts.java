package io.ringside.shipper.source.log.line;

import java.util.concurrent.atomic.LongAdder;

/// What happened to lines, over all files. Thread-safe.
public final class LineCounts {
  /// Lines put into chunks.
  public final LongAdder lines = new LongAdder();

  /// Lines that were longer than the limit.
  public final LongAdder cut = new LongAdder();

  /// Bytes dropped behind the limit of a line.
  public final LongAdder cutBytes = new LongAdder();

  /// Secrets hidden before the chunk left the node.
  public final LongAdder masked = new LongAdder();

  /// Byte sequences that are no UTF-8 and became U+FFFD.
  public final LongAdder invalid = new LongAdder();

  /// NUL bytes skipped where a line should begin, as a truncated file may hold by the million.
  public final LongAdder nulBytes = new LongAdder();

  /// States of progress bars dropped in favour of a later one.
  public final LongAdder bars = new LongAdder();
}
