package io.ringside.shipper.source.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// What a file looks like from outside: it changes with each change of the file's content.
///
/// @param key device and inode
/// @param changedMillis time of the last modification, epoch milliseconds
public record FileStamp(String key, long size, long changedMillis) {
  /// The stamp of the file at a path without symbolic links.
  public static FileStamp of(Path real) throws IOException {
    var there = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return new FileStamp(
        FileIdentity.key(there), there.size(), there.lastModifiedTime().toMillis());
  }
}
