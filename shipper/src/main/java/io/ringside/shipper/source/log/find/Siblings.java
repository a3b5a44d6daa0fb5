package io.ringside.shipper.source.log.find;

import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.file.FileIdentity;
import io.ringside.shipper.source.log.file.OpenedFile;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The files beside a log that may be earlier parts of it: `0.log.20261120-204226`, the same with
/// `.gz`, `app.log.1`, `app.log-20261120`. Oldest first.
public record Siblings(List<Sibling> files) {
  /// The suffix that rotation adds to a name.
  private static final Pattern ROTATED =
      Pattern.compile("(?:[._-]\\d[0-9T:._-]*|\\.old|\\.bak)(?:\\.gz)?");

  /// Whether the name looks like that of a rotated file.
  public static boolean looksRotated(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.indexOf(".log");
    return name.endsWith(".gz") || (dot >= 0 && ROTATED.matcher(name.substring(dot + 4)).matches());
  }

  /// The same for a name without `.log`, if the log it belongs to is known: `train.out.1`, but not
  /// `train-0.out-1`.
  private static final Pattern ROTATED_BESIDE =
      Pattern.compile("(?:\\.\\d+|-\\d{8}[0-9T:._-]*|\\.old|\\.bak)(?:\\.gz)?");

  /// Whether the name is that of a rotated file of the given log.
  public static boolean rotatedFrom(Path log, Path file) {
    String name = String.valueOf(log.getFileName());
    String other = String.valueOf(file.getFileName());
    return log.resolveSibling(file.getFileName()).equals(file)
        && other.startsWith(name)
        && ROTATED_BESIDE.matcher(other.substring(name.length())).matches();
  }

  /// @param key device and inode
  public record Sibling(Path path, String key, long size, long changedNanos) {}

  /// Lists the files beside the file to which the path leads, following links unless they lead out
  /// of the roots.
  public static Siblings of(Path path, Roots roots) {
    var found = new ArrayList<Sibling>();
    try {
      Path real = Files.isSymbolicLink(path) ? Files.readSymbolicLink(path) : path;
      Path resolved = path.resolveSibling(real).toAbsolutePath();
      Path folder = resolved.getParent();
      Path name = resolved.getFileName();
      if (folder != null && name != null && roots.holds(folder.toRealPath())) {
        list(folder, name.toString(), found);
      }
    } catch (IOException | DirectoryIteratorException ignored) {
      // the folder is gone, so there are no files beside this one
    }
    found.sort(Comparator.comparingLong(Sibling::changedNanos).thenComparing(Sibling::path));
    return new Siblings(List.copyOf(found));
  }

  private static void list(Path folder, String name, List<Sibling> into) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      for (Path child : stream) {
        String other = String.valueOf(child.getFileName());
        if (other.startsWith(name) && ROTATED.matcher(other.substring(name.length())).matches()) {
          attributes(child)
              .filter(BasicFileAttributes::isRegularFile)
              .ifPresent(
                  attributes ->
                      into.add(
                          new Sibling(
                              child,
                              FileIdentity.key(attributes),
                              attributes.size(),
                              attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS))));
        }
      }
    }
  }

  private static Optional<BasicFileAttributes> attributes(Path path) {
    try {
      return Optional.of(
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// Finds and opens the file itself under another name, or else a copy of it, or else a compressed
  /// copy.
  public Optional<Found> find(FileIdentity wanted) {
    for (Sibling sibling : files) {
      if (sibling.key.equals(wanted.key())) {
        var opened = open(sibling, wanted);
        if (opened.isPresent()) {
          return opened;
        }
      }
    }
    return wanted.isTelling() ? findCopy(wanted) : Optional.empty();
  }

  /// Finds and opens a copy of the file, plain or compressed.
  public Optional<Found> findCopy(FileIdentity wanted) {
    for (Sibling sibling : files.reversed()) {
      if (!sibling.key.equals(wanted.key())) {
        var opened = open(sibling, wanted);
        if (opened.isPresent()) {
          return opened;
        }
      }
    }
    return Optional.empty();
  }

  /// @param opened the caller closes it
  public record Found(Sibling sibling, OpenedFile opened) {}

  private static Optional<Found> open(Sibling sibling, FileIdentity wanted) {
    ByteSource bytes = null;
    try {
      bytes = ByteSource.openUnlinked(sibling.path);
      byte[] head = new byte[FileIdentity.HEAD];
      int available = bytes.read(head, 0);
      if (wanted.beginsLike(head, available)) {
        var identity = FileIdentity.of(wanted.key(), head, available);
        return Optional.of(new Found(sibling, new OpenedFile(bytes, identity, sibling.size)));
      }
      bytes.close();
    } catch (IOException e) {
      closeQuietly(bytes);
    }
    return Optional.empty();
  }

  private static void closeQuietly(@Nullable ByteSource bytes) {
    try {
      if (bytes != null) {
        bytes.close();
      }
    } catch (IOException ignored) {
      // only its beginning was read
    }
  }

  /// Plain files that were not last changed before this one. File systems take timestamps from a
  /// kernel clock with steps of 1 to 10 ms, so a file with the same time may be newer.
  public List<Sibling> after(Sibling earlier) {
    return files.stream()
        .filter(other -> other.changedNanos >= earlier.changedNanos)
        .filter(other -> !other.key.equals(earlier.key))
        .filter(other -> !ByteSource.isGzip(other.path))
        .toList();
  }
}
