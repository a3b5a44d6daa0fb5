package io.ringside.shipper.source.log.find;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The folders that an agent reads in. It may read far more than whoever writes there: a log that
/// is replaced by a link to `/etc/shadow` must not be shipped.
///
/// @param folders those that the globs name, and those into which container runtimes link from
///   there
public record Roots(List<Path> folders) {
  /// Where links of the kubelet lead.
  private static final List<Path> RUNTIMES =
      List.of(Path.of("/var/log/pods"), Path.of("/var/lib/docker/containers"));

  /// What a file is, in its mode (inode(7)).
  private static final int TYPES = 0170000;

  private static final int REGULAR = 0100000;
  private static final int PIPE = 0010000;

  public Roots {
    folders = List.copyOf(folders);
  }

  /// The folders before the first pattern of each glob.
  public static Roots of(List<String> globs) {
    var folders = new ArrayList<>(RUNTIMES);
    for (String glob : globs) {
      int pattern = 0;
      while (pattern < glob.length() && "*?[{".indexOf(glob.charAt(pattern)) < 0) {
        pattern++;
      }
      var fixed = glob.substring(0, glob.lastIndexOf('/', pattern) + 1);
      folders.add(Path.of(fixed.isEmpty() ? "." : fixed));
    }
    return new Roots(folders);
  }

  /// The regular file that a path leads to, free of links.
  ///
  /// @throws AccessDeniedException if it lies elsewhere, or is a pipe, a device or a folder
  public Path file(Path path) throws IOException {
    return held(path, REGULAR, "no regular file");
  }

  /// The named pipe that a path leads to, free of links.
  ///
  /// @throws AccessDeniedException if it lies elsewhere, or is a file, a device or a folder
  public Path pipe(Path path) throws IOException {
    return held(path, PIPE, "no named pipe");
  }

  private Path held(Path path, int type, String otherwise) throws IOException {
    var real = path.toRealPath();
    if (!holds(real)) {
      throw new AccessDeniedException(
          path.toString(), null, "a link leads out of the globs' folders");
    }
    int mode = (Integer) Files.getAttribute(real, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if ((mode & TYPES) != type) {
      throw new AccessDeniedException(path.toString(), null, otherwise);
    }
    return real;
  }

  /// Whether a path without links lies in one of the folders.
  boolean holds(Path real) throws IOException {
    for (Path folder : folders) {
      try {
        if (real.startsWith(folder.toRealPath())) {
          return true;
        }
      } catch (NoSuchFileException e) {
        // this node has no such runtime
      }
    }
    return false;
  }
}
