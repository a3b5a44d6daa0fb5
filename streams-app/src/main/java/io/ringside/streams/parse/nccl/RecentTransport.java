package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.Transport;
import org.jspecify.annotations.Nullable;

/// The transport of the last edge of a text. Ranks print edges in runs: one that ends with the same
/// bytes is carried in the same way, which is then not read again. Not thread-safe.
final class RecentTransport {
  private final Text text;
  private int start;
  private int length;
  private @Nullable Transport transport;

  RecentTransport(Text text) {
    this.text = text;
  }

  /// The transport that these bytes name if they are those of the last edge, else null.
  @Nullable Transport at(int from, int end) {
    return length == end - from && text.same(start, from, length) ? transport : null;
  }

  /// Remembers what was read from all of these bytes.
  void remember(int from, int end, Transport read) {
    start = from;
    length = end - from;
    transport = read;
  }
}
