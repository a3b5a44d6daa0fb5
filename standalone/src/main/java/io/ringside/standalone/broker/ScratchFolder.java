package io.ringside.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A folder under the system's temporary folder that is removed with everything in it: by
/// [#close()], or at the latest when the JVM ends (Ctrl-C and `kill` included, `kill -9` not).
///
/// Thread-safe; closing twice is harmless.
public final class ScratchFolder implements AutoCloseable {
  private final Path path;
  private final Thread atExit;

  private ScratchFolder(Path path) {
    this.path = path;
    this.atExit = new Thread(() -> delete(path), "scratch-folder-removal");
  }

  /// A new, empty folder whose name starts with `prefix`, readable by this user only.
  ///
  /// @throws UncheckedIOException when it cannot be made, for example because the disk is full
  public static ScratchFolder create(String prefix) {
    try {
      var folder = new ScratchFolder(Files.createTempDirectory(prefix));
      Runtime.getRuntime().addShutdownHook(folder.atExit);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder: " + e.getMessage(), e);
    }
  }

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

  /// Deletes what it can. Files that vanish meanwhile are no error, nor is a file that stays: it is
  /// a temporary folder.
  private static void delete(Path root) {
    try {
      Files.walkFileTree(root, new Deletion());
    } catch (IOException ignored) {
      // gone already, or in use; the system's own cleaning takes the rest
    }
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
