package io.ringside.standalone.input;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Recognises bytes that are not text: archives, programs, random data.
final class NonText {
  private static final Map<String, String> MAGIC = new LinkedHashMap<>();

  static {
    MAGIC.put("\u001f\u008b", "gzip data without .gz in its name; rename it and it is read");
    MAGIC.put("PK\u0003\u0004", "a zip archive; unpack it first");
    MAGIC.put("(\u00b5/\u00fd", "packed with zstd; unpack it first");
    MAGIC.put("\u00fd7zXZ", "packed with xz; unpack it first");
    MAGIC.put("BZh", "packed with bzip2; unpack it first");
    MAGIC.put("%PDF-", "a PDF document");
  }

  /// Offset of a tar archive's magic bytes.
  private static final int TAR_MAGIC_AT = 257;

  private static final String BINARY = "binary data";

  /// Bytes per run of NULs that a log must at least have. A log cut short by a crash, or emptied
  /// under a program that continues at its old offset, has a single run.
  private static final int TEXT_BYTES_A_HOLE = 1000;

  /// Least average length of runs of NULs in text that is otherwise valid; a terminal's progress
  /// bars leave such runs.
  private static final int LONG_HOLE = 8;

  private NonText() {}

  /// What the bytes are, as a reason for the user; empty if they are text.
  static Optional<String> recognise(byte[] bytes) {
    for (var magic : MAGIC.entrySet()) {
      if (Packing.startsWith(bytes, 0, magic.getKey())) {
        return Optional.of(magic.getValue());
      }
    }
    if (Packing.startsWith(bytes, TAR_MAGIC_AT, "ustar")) {
      return Optional.of("a tar archive; unpack it first");
    }
    return isBinary(bytes) ? Optional.of(BINARY) : Optional.empty();
  }

  private static boolean isBinary(byte[] bytes) {
    int holes = 0;
    int nuls = 0;
    int odd = 0;
    for (int i = 0; i < bytes.length; ) {
      int length = Utf8.lengthAt(bytes, i);
      holes += bytes[i] == 0 && (i == 0 || bytes[i - 1] != 0) ? 1 : 0;
      nuls += bytes[i] == 0 ? 1 : 0;
      odd += length == 0 || isOddControl(bytes[i]) ? 1 : 0;
      i += Math.max(1, length);
    }
    boolean padded = odd == nuls && nuls >= holes * LONG_HOLE && nuls * 2 < bytes.length;
    return !padded && (holes * TEXT_BYTES_A_HOLE > bytes.length || odd * 10L > bytes.length * 3L);
  }

  /// Whether this is a control character that programs do not print: not BEL to CR or ESC.
  private static boolean isOddControl(byte b) {
    return b >= 0 && b < 0x20 && (b < 7 || b > 13) && b != 0x1b;
  }
}
