package io.ringside.shipper.source.log.find;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The folders in which the agent may read. The agent may read far more than the jobs that write
/// logs: a log that is replaced by a link to `/etc/shadow` must not be shipped.
///
/// @param folders the folders of the globs, and those of container runtimes to which links in them
///     lead
public record Roots(List<Path> folders) {
  /// Folders to which the kubelet's links lead.
  private static final List<Path> RUNTIMES =
      List.of(Path.of("/var/log/pods"), Path.of("/var/lib/docker/containers"));

  /// Mask of the file type in a mode (inode(7)).
  private static final int TYPES = 0170000;

  private static final int REGULAR = 0100000;
  private static final int PIPE = 0010000;

  public Roots {
    folders = List.copyOf(folders);
  }

  /// The folders before the first pattern of each glob.
  public static Roots of(List<String> globs) {
    var folders = new ArrayList<>(RUNTIMES);
    globs.forEach(glob -> folders.add(folder(glob)));
    return new Roots(folders);
  }

  /// The folder before the first pattern of a glob.
  public static Path folder(String glob) {
    int pattern = 0;
    while (pattern < glob.length() && "*?[{".indexOf(glob.charAt(pattern)) < 0) {
      pattern++;
    }
    return Path.of(glob.substring(0, glob.lastIndexOf('/', pattern) + 1));
  }

  /// The regular file to which a path leads, with links resolved.
  ///
  /// @throws AccessDeniedException if it lies outside the folders, or is a pipe, a device or a
  ///     folder
  public Path file(Path path) throws IOException {
    return held(path, REGULAR, "no regular file");
  }

  /// The named pipe to which a path leads, with links resolved.
  ///
  /// @throws AccessDeniedException if it lies outside the folders, or is a file, a device or a
  ///     folder
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
        // this node does not have this runtime
      }
    }
    return false;
  }
}
