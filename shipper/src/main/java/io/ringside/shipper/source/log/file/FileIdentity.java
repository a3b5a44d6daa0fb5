package io.ringside.shipper.source.log.file;

import java.nio.file.attribute.BasicFileAttributes;

/// Tells whether a file is the one that was read before: by device and inode, and, for inodes are
/// used again, by a fingerprint of its first bytes. The fingerprint grows with a young file until
/// it covers {@link #HEAD} bytes.
///
/// @param key device and inode as the JDK prints them
/// @param length how many bytes the fingerprint covers
/// @param fingerprint FNV-1a of these bytes
public record FileIdentity(String key, int length, long fingerprint) {
  /// The most that a fingerprint covers.
  public static final int HEAD = 256;

  public static FileIdentity of(String key, byte[] head, int available) {
    int length = Math.min(HEAD, available);
    return new FileIdentity(key, length, hash(head, length));
  }

  /// Device and inode.
  public static String key(BasicFileAttributes attributes) {
    return String.valueOf(attributes.fileKey());
  }

  /// Whether a file with this beginning can be the same one, grown or not.
  public boolean beginsLike(byte[] head, int available) {
    return available >= length && hash(head, length) == fingerprint;
  }

  /// Whether an equal fingerprint means anything: a very young file is like any other.
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
