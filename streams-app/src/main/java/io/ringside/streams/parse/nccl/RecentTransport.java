package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.Transport;
import org.jspecify.annotations.Nullable;

/// The transport of the last edge of a text. Ranks print many edges in a row: an edge that ends
/// with the same bytes has the same transport, which is then not read again. Not thread-safe.
final class RecentTransport {
  private final Text text;
  private int start;
  private int length;
  private @Nullable Transport transport;

  RecentTransport(Text text) {
    this.text = text;
  }

  /// The transport that these bytes name if they equal those of the last edge, else null.
  @Nullable Transport at(int from, int end) {
    return length == end - from && text.same(start, from, length) ? transport : null;
  }

  /// Remembers the transport that was read from all of these bytes.
  void remember(int from, int end, Transport read) {
    start = from;
    length = end - from;
    transport = read;
  }
}
