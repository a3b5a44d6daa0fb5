package io.ringside.shipper.source.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// A file just opened.
public record OpenedFile(ByteSource bytes, FileIdentity identity, long size) {
  public boolean isPacked() {
    return bytes instanceof GzipBytes;
  }

  /// Opens what lies at a path, and looks at the path again, for it may have been replaced
  /// meanwhile.
  public static OpenedFile at(Path path) throws IOException {
    String key = FileIdentity.key(Files.readAttributes(path, BasicFileAttributes.class));
    ByteSource bytes = ByteSource.open(path);
    try {
      var after = Files.readAttributes(path, BasicFileAttributes.class);
      if (!key.equals(FileIdentity.key(after))) {
        throw new NoSuchFileException(path.toString(), null, "replaced while it was opened");
      }
      byte[] head = new byte[FileIdentity.HEAD];
      int available = bytes.read(head, 0);
      return new OpenedFile(bytes, FileIdentity.of(key, head, available), after.size());
    } catch (IOException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }
}
