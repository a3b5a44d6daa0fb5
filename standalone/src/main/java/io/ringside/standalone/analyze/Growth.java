package io.ringside.standalone.analyze;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Waits until files grow, appear or disappear. Not thread-safe.
final class Growth {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final List<Path> roots;
  private final Pause pause;
  private Map<Path, String> seen;

  /// Waits between two checks.
  interface Pause {
    void pause() throws InterruptedException;
  }

  Growth(List<Path> roots, Pause pause) {
    this.roots = List.copyOf(roots);
    this.pause = pause;
    this.seen = files();
  }

  /// Waits in real time.
  static Growth of(List<Path> roots) {
    return new Growth(roots, () -> Thread.sleep(LOOK));
  }

  /// Returns when the files differ from those at the last return, or at the start.
  void await() throws InterruptedException {
    while (true) {
      pause.pause();
      var now = files();
      if (!now.equals(seen)) {
        seen = now;
        return;
      }
    }
  }

  private Map<Path, String> files() {
    var found = new TreeMap<Path, String>();
    for (var root : roots) {
      try {
        Files.walkFileTree(
            root,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                found.put(file, attributes.size() + " " + attributes.lastModifiedTime());
                return FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE; // gone meanwhile, or not readable
              }
            });
      } catch (IOException e) {
        // the root itself is gone: treat it as empty
      }
    }
    return found;
  }
}
