package io.ringside.shipper.source.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;

/// Reads a plain file, which may grow while it is read.
public final class PlainBytes implements ByteSource {
  private final FileChannel channel;
  private long furthest;

  PlainBytes(Path file, LinkOption... links) throws IOException {
    var options = new HashSet<OpenOption>(List.of(links));
    options.add(StandardOpenOption.READ);
    channel = FileChannel.open(file, options);
  }

  @Override
  public int read(byte[] into, long position) throws IOException {
    var buffer = ByteBuffer.wrap(into);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) <= 0) {
        break;
      }
    }
    furthest = Math.max(furthest, position + buffer.position());
    return buffer.position();
  }

  /// Current size of the file in bytes.
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public long diskBytes() {
    return furthest;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
