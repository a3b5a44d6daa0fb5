package io.ringside.shipper.source.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import java.util.regex.Pattern;

/// One record of `/dev/kmsg` (Linux, Documentation/ABI/testing/dev-kmsg):
/// `3,8812,98765432101,-;NVRM: Xid (PCI:0000:9b:00): 79, …`, followed by lines that begin with a
/// space and name the device.
///
/// @param kernel whether the kernel itself wrote the record; it lets no program use its facility
/// @param sequence number of the record since boot
/// @param micros microseconds since boot
/// @param text with control characters replaced by spaces
record KernelRecord(boolean kernel, long sequence, long micros, String text) {
  /// Number of levels. A priority's lower three bits are the level, the rest the facility; facility
  /// 0 is the kernel.
  private static final int LEVELS = 8;

  private static final Pattern HEAD =
      Pattern.compile("(\\d{1,9}),(\\d{1,18}),(\\d{1,18}),[^;\\n]{0,200};([^\\n]*)");

  private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cntrl}]");

  /// The record, empty if the bytes are not a record.
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

  /// The line as `dmesg` prints it.
  String line() {
    return "[%5d.%06d] %s".formatted(micros / 1_000_000, micros % 1_000_000, text);
  }
}
