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

/// A folder under the system's temporary folder that is removed with everything in it: by
/// [#close()], or at the latest when the JVM ends (Ctrl-C and `kill` included, `kill -9` not).
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
  /// @throws UncheckedIOException when it cannot be made, for example because the disk is full
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
      delete(path); // it is going down already
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
      // the JVM is going down already, and the hook deletes once more
    }
  }

  /// Whoever still writes may make the folder anew, as a broker does that creates topics: looks
  /// again until it stays away.
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

  /// Whether the JVM is going down and folders go away under whoever still uses them.
  static boolean ending() {
    return ENDING.get();
  }

  /// Deletes what it can. The folder gets another name first, so that nobody who still writes can
  /// add a file behind the deletion's back. Files that vanish meanwhile are no error.
  private static void delete(Path root) {
    try {
      Files.walkFileTree(renamed(root), new Deletion());
    } catch (IOException ignored) {
      // deleted before; or in use, and the system's own cleaning of temporary files takes it
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
