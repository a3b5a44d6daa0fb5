package io.ringside.shipper.source.log.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the parts of one log, oldest first, as if it had never been rotated: offsets continue from
/// part to part. A part is closed once none of its bytes can be read again.
public final class JoinedBytes implements ByteSource {
  private final Deque<Path> rest;
  private final Deque<Part> open = new ArrayDeque<>();
  private final List<Long> starts = new ArrayList<>();
  private long closedDiskBytes;
  private @Nullable IOException damage;

  /// @param start offset of the part's first byte in the whole log
  private record Part(ByteSource bytes, long start) {}

  public JoinedBytes(List<Path> parts) {
    rest = new ArrayDeque<>(parts);
  }

  @Override
  public int read(byte[] into, long position) throws IOException {
    int filled = 0;
    var parts = List.copyOf(open);
    for (int i = 0; i < parts.size() && filled < into.length; i++) {
      long end = i + 1 < parts.size() ? parts.get(i + 1).start() : Long.MAX_VALUE;
      if (position + filled < end) {
        filled += fill(into, filled, parts.get(i), position + filled, end);
      }
    }
    while (filled < into.length && next(position + filled)) {
      filled += fill(into, filled, open.getLast(), position + filled, Long.MAX_VALUE);
    }
    closeBefore(position);
    return filled;
  }

  /// Opens the next part, which begins where the previous one ends.
  private boolean next(long start) throws IOException {
    var part = rest.poll();
    if (part == null) {
      return false;
    }
    open.addLast(new Part(ByteSource.open(part), start));
    starts.add(start);
    return true;
  }

  private static int fill(byte[] into, int from, Part part, long position, long end)
      throws IOException {
    int wanted = (int) Math.min(into.length - from, end - position);
    if (wanted == into.length) {
      return part.bytes().read(into, position - part.start());
    }
    var piece = new byte[wanted];
    int read = part.bytes().read(piece, position - part.start());
    System.arraycopy(piece, 0, into, from, read);
    return read;
  }

  private void closeBefore(long position) throws IOException {
    while (open.size() > 1) {
      var oldest = open.removeFirst();
      if (open.getFirst().start() > position) {
        open.addFirst(oldest);
        return;
      }
      closedDiskBytes += oldest.bytes().diskBytes();
      damage = damage == null ? oldest.bytes().damage() : damage;
      oldest.bytes().close();
    }
  }

  /// Start offset of each part reached so far.
  public long[] starts() {
    return starts.stream().mapToLong(Long::longValue).toArray();
  }

  @Override
  public @Nullable IOException damage() {
    if (damage != null) {
      return damage;
    }
    for (var part : open) {
      var ofPart = part.bytes().damage();
      if (ofPart != null) {
        return ofPart;
      }
    }
    return null;
  }

  @Override
  public long diskBytes() {
    return closedDiskBytes + open.stream().mapToLong(part -> part.bytes().diskBytes()).sum();
  }

  @Override
  public void close() throws IOException {
    for (var part : open) {
      part.bytes().close();
    }
    open.clear();
  }
}
