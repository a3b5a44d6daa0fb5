package io.ringside.shipper.source.kernel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// The source of the kernel's records. Each read returns one record.
public interface KernelDevice extends Closeable {
  /// Waits for the next record. An interrupt ends the wait.
  ///
  /// @return length of the record in bytes, 0 or less at the end
  /// @throws IOException if the kernel overwrote the next records; the following read continues
  ///     after the gap
  int read(ByteBuffer into) throws IOException;

  /// Opens the device read-only. A symbolic link is refused.
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

  /// Opens a device.
  interface Opening {
    KernelDevice open() throws IOException;
  }
}
