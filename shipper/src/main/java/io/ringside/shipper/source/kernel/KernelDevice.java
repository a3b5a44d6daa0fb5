package io.ringside.shipper.source.kernel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// Where the kernel's records come from, one a read.
public interface KernelDevice extends Closeable {
  /// Waits for the next record; an interrupt ends the wait.
  ///
  /// @return its length, 0 or less at an end
  /// @throws IOException where the kernel overwrote what came next: the read after goes on behind
  ///   the hole
  int read(ByteBuffer into) throws IOException;

  /// Opens the device for reading alone. A link in its place is refused.
  static KernelDevice open(Path device) throws IOException {
    var channel =
        FileChannel.open(device, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    return new KernelDevice() {
      @Override
      public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /// How a device is opened.
  interface Opening {
    KernelDevice open() throws IOException;
  }
}
