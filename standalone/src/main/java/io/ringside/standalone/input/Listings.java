package io.ringside.standalone.input;

import java.util.regex.Pattern;

/// Recognises a file that contains only output of `nvidia-smi nvlink`, `rdma statistic` or `grep .`
/// of the counters in `/sys/class/infiniband`, as a loop saves it: listings one below the other,
/// each headed by its time or command.
final class Listings {
  private static final Pattern HEADING =
      Pattern.compile(
          "[=#*-]{2,}.*" // === Fri Nov 20 10:00:00 2026
              + "|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\\w{0,6},? .{0,40}\\d{4}.{0,20}" // a date
              + "|\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d\\S*)?(?: [+A-Z]\\S*)?"
              + "(?:[ \\t]+(?:[#$+] ?)?(?:nvidia-smi nvlink|rdma|grep) .*)?" // with the command run
              + "|Every \\d[\\d.,]*s: .*" // watch
              + "|(?:[#$+] ?)?(?:nvidia-smi nvlink|rdma|grep) .*"
              + "|grep: /sys/.*"); // a file that cannot be read

  private static final Pattern LINE =
      Pattern.compile(
          "GPU \\d+: .*\\(UUID: GPU-.*" // nvidia-smi nvlink
              + "|\\s*Link \\d+: (?:<inactive>|[\\d.]+ GB/s|\\w+ Errors: \\d+).*"
              + "|NVML: Unable to retrieve .*"
              + "|link [\\w.-]+/\\d+(?: +\\w+ \\d+)*\\s*" // rdma statistic, -p and -j
              + "|\\s+\\w+ \\d+\\s*"
              + "|/sys/class/infiniband/[\\w.-]+/ports/\\d+/(?:hw_)?counters/\\w+:.*" // grep .
              + "|\\[\\{\"ifindex\":\\d+,\"ifname\":\"[\\w.-]+\",\"port\":.*");

  private Listings() {}

  /// Whether the file contains nothing else.
  ///
  /// @param head the first bytes; the last line may be cut off
  /// @param whole whether it is the whole file
  static boolean only(String head, boolean whole) {
    boolean some = false;
    var lines = head.lines().toList();
    for (var line : whole ? lines : lines.subList(0, Math.max(0, lines.size() - 1))) {
      boolean listed = LINE.matcher(line).matches();
      if (!listed && !line.isBlank() && !HEADING.matcher(line).matches()) {
        return false;
      }
      some |= listed && !Character.isWhitespace(line.charAt(0)); // a listing begins unindented
    }
    return some;
  }
}
