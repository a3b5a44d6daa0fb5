package io.ringside.streams.detect.gpu;

import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;

/// Words by which CUDA, NVML and the driver say that a GPU is broken.
final class GpuWords {
  private static final List<String> BROKEN =
      List.of(
          "uncorrectable ECC error",
          "uncorrectable NVLink error",
          "GPU is lost",
          "GpuIsLost",
          "fallen off the bus",
          "hardware stack error",
          "NVML_ERROR_GPU_IS_LOST",
          "Unable to determine the device handle for",
          "row remapping pending",
          "requires reset",
          "Reset required",
          "ERR!");

  private GpuWords() {}

  static boolean broken(String words) {
    return BROKEN.stream().anyMatch(words::contains);
  }

  /// The sentence that says so.
  static String of(Sign sign) {
    var text =
        sign.event() instanceof FailureEvent.Raised raised
            ? raised.message()
            : sign.event() instanceof FailureEvent.Said said ? said.words() : sign.line().text();
    return BROKEN.stream()
        .filter(text::contains)
        .findFirst()
        .map(word -> text.contains("CUDA error: " + word) ? "CUDA error: " + word : text)
        .orElse(text);
  }
}
