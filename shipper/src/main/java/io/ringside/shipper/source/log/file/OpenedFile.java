package io.ringside.shipper.source.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// A file just opened.
public record OpenedFile(ByteSource bytes, FileIdentity identity, long size) {
  public boolean isPacked() {
    return bytes instanceof GzipBytes;
  }

  /// Opens the file at a path without symbolic links. Then checks the path again, because the file
  /// may have been replaced meanwhile, perhaps by a link.
  public static OpenedFile at(Path real) throws IOException {
    String key = FileIdentity.key(attributes(real));
    ByteSource bytes = ByteSource.openUnlinked(real);
    try {
      var after = attributes(real);
      if (!key.equals(FileIdentity.key(after)) || !real.toRealPath().equals(real)) {
        throw new NoSuchFileException(real.toString(), null, "replaced while it was opened");
      }
      byte[] head = new byte[FileIdentity.HEAD];
      int available = bytes.read(head, 0);
      return new OpenedFile(bytes, FileIdentity.of(key, head, available), after.size());
    } catch (IOException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  private static BasicFileAttributes attributes(Path real) throws IOException {
    return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }
}
