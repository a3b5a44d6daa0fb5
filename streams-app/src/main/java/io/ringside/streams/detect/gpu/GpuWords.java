package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Severity;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import java.util.Optional;

/// Messages of CUDA, NVML and the driver about a broken GPU.
final class GpuWords {
  /// @param cause the cause and what to do
  /// @param state state of the GPU in words
  /// @param words texts that mean this state
  record Meaning(Severity severity, String cause, String state, List<String> words) {
    private boolean isIn(String text) {
      return words.stream().anyMatch(text::contains);
    }
  }

  /// The most severe come first.
  private static final List<Meaning> MEANINGS =
      List.of(
          rule(
              Severity.CRITICAL,
              "a fault of the hardware: drain the node and test the GPU",
              "broken",
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
              "ERR!",
              "volatile double-bit ECC",
              "memory errors and row",
              "uncorrectable hardware error"),
          rule(
              Severity.CRITICAL,
              "its driver cannot start it: a fault of the hardware, or a driver or firmware that does not fit",
              "unusable",
              "RmInitAdapter failed",
              "Fatal error during GPU init"),
          rule(
              Severity.WARNING,
              "a program or the GPU did not answer: what ran on it is lost; if it comes back, have the GPU tested",
              "reset",
              "GPU reset begin!"));

  private static Meaning rule(Severity severity, String cause, String state, String... words) {
    return new Meaning(severity, cause, state, List.of(words));
  }

  private GpuWords() {}

  /// The meaning of the line; empty if it does not report a broken GPU.
  static Optional<Meaning> meaning(Sign sign) {
    var text = text(sign);
    return MEANINGS.stream().filter(meaning -> meaning.isIn(text)).findFirst();
  }

  /// The part of the line that reports the broken GPU, else its whole text.
  static String of(Sign sign) {
    var text = sign.event() instanceof FailureEvent.Raised raised ? raised.message() : text(sign);
    return MEANINGS.stream()
        .flatMap(meaning -> meaning.words().stream())
        .map(word -> "CUDA error: " + word)
        .filter(text::contains)
        .findFirst()
        .orElse(text);
  }

  private static String text(Sign sign) {
    if (sign.event() instanceof FailureEvent.Raised raised) {
      return raised.type() + ": " + raised.message();
    }
    return sign.event() instanceof FailureEvent.Said said ? said.words() : "";
  }
}
