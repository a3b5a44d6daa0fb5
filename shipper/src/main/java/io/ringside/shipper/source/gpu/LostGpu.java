package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuReading;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads the line that nvidia-smi prints among its rows for a GPU that it cannot reach any more:
/// `Unable to determine the device handle for GPU 0000:61:00.0: GPU is lost.  Reboot the system to
/// recover this GPU`, in newer drivers `… for GPU3: 0000:61:00.0: Unknown Error`.
final class LostGpu {
  private static final String BEGIN = "Unable to determine the device handle for ";

  private static final Pattern GPU =
      Pattern.compile(BEGIN + "[Gg][Pp][Uu] ?(\\d*):? ?([0-9A-Fa-f]{4,8}:[0-9A-Fa-f:.]+): (.*)");

  private LostGpu() {}

  /// @param fallbackIndex used if the line has no index
  static Optional<GpuReading> of(String line, int fallbackIndex) {
    if (!line.startsWith(BEGIN)) {
      return Optional.empty();
    }
    var gpu = GPU.matcher(line);
    if (!gpu.matches()) {
      return Optional.empty();
    }
    boolean numbered = !gpu.group(1).isEmpty() && gpu.group(1).length() < 4;
    return Optional.of(
        new GpuReading(
            numbered ? Integer.parseInt(gpu.group(1)) : fallbackIndex,
            BusId.normal(gpu.group(2)),
            "",
            "",
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            "nvidia-smi cannot reach it: " + gpu.group(3).strip(),
            null));
  }
}
