package io.ringside.shipper.source.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import java.util.regex.Pattern;

/// One record of
/// `/dev/kmsg` (Linux, Documentation/ABI/testing/dev-kmsg): `3,8812,98765432101,-;NVRM: Xid
/// (PCI:0000:9b:00): 79, …`, then lines that begin with a space and say what it is about.
///
/// @param kernel whether the kernel itself wrote it: it lets no program write under its facility
/// @param sequence counts the records since boot
/// @param micros since boot
/// @param text without what cannot be shown
record KernelRecord(boolean kernel, long sequence, long micros, String text) {
  /// The priority's lower bits are its level, the others its facility; 0 is the kernel's.
  private static final int LEVELS = 8;

  private static final Pattern HEAD =
      Pattern.compile("(\\d{1,9}),(\\d{1,18}),(\\d{1,18}),[^;\\n]{0,200};([^\\n]*)");

  private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cntrl}]");

  /// Nothing if the bytes are no record.
  static Optional<KernelRecord> of(byte[] bytes, int length) {
    var matcher = HEAD.matcher(new String(bytes, 0, length, UTF_8));
    return matcher.lookingAt()
        ? Optional.of(
            new KernelRecord(
                Integer.parseInt(matcher.group(1)) < LEVELS,
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                UNSHOWN.matcher(matcher.group(4)).replaceAll(" ")))
        : Optional.empty();
  }

  /// As `dmesg` shows it.
  String line() {
    return "[%5d.%06d] %s".formatted(micros / 1_000_000, micros % 1_000_000, text);
  }
}
