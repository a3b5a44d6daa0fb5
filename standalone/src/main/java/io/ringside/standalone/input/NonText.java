package io.ringside.standalone.input;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Bytes that are no text: archives, other encodings, programs, random data.
final class NonText {
  private static final Map<String, String> MAGIC = new LinkedHashMap<>();

  static {
    MAGIC.put("\u001f\u008b", "gzip data without .gz in its name; rename it and it is read");
    MAGIC.put("PK\u0003\u0004", "a zip archive; unpack it first");
    MAGIC.put("(\u00b5/\u00fd", "packed with zstd; unpack it first");
    MAGIC.put("\u00fd7zXZ", "packed with xz; unpack it first");
    MAGIC.put("BZh", "packed with bzip2; unpack it first");
    MAGIC.put("%PDF-", "a PDF document");
    MAGIC.put("\u00ff\u00fe", "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8");
    MAGIC.put("\u00fe\u00ff", "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8");
  }

  /// Where a tar archive says that it is one.
  private static final int TAR_MAGIC_AT = 257;

  private static final String BINARY = "binary data";

  /// One run of NULs in so many bytes is still a log: one cut short by a crash, or emptied under a
  /// program that goes on writing where it was.
  private static final int TEXT_BYTES_A_HOLE = 1000;

  /// So long on average are those that a terminal's bars leave in text that is otherwise whole.
  private static final int LONG_HOLE = 8;

  private NonText() {}

  /// What these bytes are if they are no text, as a reason for the user.
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

  /// Control characters other than BEL to CR and ESC, which programs do print.
  private static boolean isOddControl(byte b) {
    return b >= 0 && b < 0x20 && (b < 7 || b > 13) && b != 0x1b;
  }
}
