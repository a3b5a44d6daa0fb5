package io.ringside.shipper.source.log.file;

import java.nio.file.attribute.BasicFileAttributes;

/// Identifies a file, so that it is recognised as the one read before: by device and inode, and by
/// a fingerprint of its first bytes, because inodes are reused. The fingerprint of a young file
/// grows with it until it covers {@link #HEAD} bytes.
///
/// @param key device and inode as the JDK prints them
/// @param length number of bytes that the fingerprint covers
/// @param fingerprint FNV-1a of these bytes
public record FileIdentity(String key, int length, long fingerprint) {
  /// Most bytes that a fingerprint covers.
  public static final int HEAD = 256;

  public static FileIdentity of(String key, byte[] head, int available) {
    int length = Math.min(HEAD, available);
    return new FileIdentity(key, length, hash(head, length));
  }

  /// Device and inode as a key.
  public static String key(BasicFileAttributes attributes) {
    return String.valueOf(attributes.fileKey());
  }

  /// Whether a file that begins like this can be the same one, perhaps grown.
  public boolean beginsLike(byte[] head, int available) {
    return available >= length && hash(head, length) == fingerprint;
  }

  /// Whether an equal fingerprint means anything; very young files are often alike.
  public boolean isTelling() {
    return length >= 32;
  }

  private static long hash(byte[] bytes, int length) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }
}
