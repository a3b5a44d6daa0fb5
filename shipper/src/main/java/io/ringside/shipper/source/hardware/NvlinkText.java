package io.ringside.shipper.source.hardware;

import io.ringside.schemas.event.HardwareCounters.Gpu;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Parses the output of `nvidia-smi nvlink -s` and `-e`, by the GPU's UUID (drivers 525 to 580):
///
/// ```
/// GPU 0: NVIDIA H200 (UUID: GPU-7e69c0ea-c444-5939-ad30-e36fba2b89e3)
/// 	 Link 0: 26.562 GB/s
/// 	 Link 1: <inactive>
/// 	 Link 0: Replay Errors: 0
/// 	 Link 0: Recovery Errors: 0
/// 	 Link 0: CRC Errors: 0
/// ```
final class NvlinkText {
  private static final int MOST_GPUS = 64;

  private static final Pattern GPU = Pattern.compile("GPU \\d+: .{0,200}\\(UUID: (\\S{1,80})\\)");
  private static final Pattern SPEED = Pattern.compile("\\s+Link \\d+: ([\\d.]+ GB/s|<inactive>)");
  private static final Pattern ERRORS =
      Pattern.compile("\\s+Link \\d+: (Replay|Recovery|CRC) Errors: (\\d{1,18})");

  private NvlinkText() {}

  /// Adds the values in the text to those known, by UUID.
  static void read(String text, Map<String, Map<String, Long>> byUuid) {
    Map<String, Long> gpu = new HashMap<>();
    for (var line : (Iterable<String>) text.lines()::iterator) {
      var head = GPU.matcher(line);
      if (head.matches()) {
        gpu =
            byUuid.size() < MOST_GPUS || byUuid.containsKey(head.group(1))
                ? byUuid.computeIfAbsent(head.group(1), _ -> new HashMap<>())
                : new HashMap<>();
        continue;
      }
      var speed = SPEED.matcher(line);
      if (speed.matches()) {
        boolean up = !speed.group(1).startsWith("<");
        gpu.merge(Gpu.NVLINKS, up ? 1L : 0L, Long::sum);
        gpu.merge(Gpu.NVLINKS_INACTIVE, up ? 0L : 1L, Long::sum);
        continue;
      }
      var errors = ERRORS.matcher(line);
      if (errors.matches()) {
        gpu.merge(name(errors.group(1)), Long.parseLong(errors.group(2)), Long::sum);
      }
    }
  }

  private static String name(String word) {
    return switch (word) {
      case "Replay" -> Gpu.NVLINK_REPLAYS;
      case "Recovery" -> Gpu.NVLINK_RECOVERIES;
      default -> Gpu.NVLINK_CRC;
    };
  }
}
