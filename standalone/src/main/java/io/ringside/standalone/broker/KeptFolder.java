package io.ringside.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A folder of the user that is kept with its content. Only one process at a time can hold it.
public final class KeptFolder implements WorkFolder {
  private static final String LOCK = "lock";

  private final Path path;
  private final FileChannel channel;

  private KeptFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /// Takes the folder, creating it if necessary; empty if another process holds it.
  ///
  /// @throws UncheckedIOException if it cannot be created or written
  public static Optional<KeptFolder> take(Path path) {
    try {
      Files.createDirectories(path);
      var channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isFree(channel)) {
        return Optional.of(new KeptFolder(path.toAbsolutePath(), channel));
      }
      channel.close();
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // closing the channel releases the lock
  private static boolean isFree(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
