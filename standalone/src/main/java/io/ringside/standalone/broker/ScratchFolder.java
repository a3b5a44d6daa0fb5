package io.ringside.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A folder in the system's temporary folder that is removed with its content: by [#close()], or at
/// the latest when the JVM ends (including Ctrl-C and `kill`, but not `kill -9`).
///
/// Thread-safe; closing twice is harmless.
public final class ScratchFolder implements WorkFolder {
  private static final AtomicBoolean ENDING = new AtomicBoolean();

  private static final int MOST_LOOKS = 20;
  private static final int ENOUGH = 4;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final Path path;
  private final Thread atExit;

  private ScratchFolder(Path path) {
    this.path = path;
    this.atExit = new Thread(this::deleteAtExit, "scratch-folder-removal");
  }

  /// A new, empty folder whose name starts with `prefix`, readable by this user only.
  ///
  /// @throws UncheckedIOException if it cannot be created, for example because the disk is full
  public static ScratchFolder create(String prefix) {
    try {
      var folder = new ScratchFolder(Files.createTempDirectory(prefix));
      folder.goesWithTheProcess();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder: " + e.getMessage(), e);
    }
  }

  private void goesWithTheProcess() {
    try {
      Runtime.getRuntime().addShutdownHook(atExit);
    } catch (IllegalStateException e) {
      delete(path); // the JVM is already shutting down
      throw e;
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ignored) {
      // the JVM is already shutting down, and the hook deletes once more
    }
  }

  /// Deletes the folder repeatedly until it stays away: a thread that still writes may create it
  /// again, as a broker does when it creates topics.
  private void deleteAtExit() {
    ENDING.set(true);
    try {
      int away = 0;
      for (int i = 0; i < MOST_LOOKS && away < ENOUGH; i++) {
        away = Files.exists(path) ? 0 : away + 1;
        delete(path);
        Thread.sleep(LOOK_AGAIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether the JVM is shutting down, so that folders vanish while threads still use them.
  static boolean ending() {
    return ENDING.get();
  }

  /// Deletes what it can. Renames the folder first, so that no thread that still writes can add a
  /// file during the deletion. Files that vanish meanwhile are no error.
  private static void delete(Path root) {
    try {
      Files.walkFileTree(renamed(root), new Deletion());
    } catch (IOException ignored) {
      // already deleted; or in use, in which case the system's cleaning of temporary files removes
      // it
    }
  }

  private static Path renamed(Path root) throws IOException {
    return Files.move(root, root.resolveSibling(root.getFileName() + ".gone"));
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
