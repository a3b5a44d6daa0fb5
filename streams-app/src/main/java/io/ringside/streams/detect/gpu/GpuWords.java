package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Severity;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/// Words by which CUDA, NVML and the driver say that a GPU is broken.
final class GpuWords {
  /// @param severity of what they mean
  /// @param state what the GPU is
  /// @param cause and what to do
  record Meaning(Severity severity, String state, String cause) {}

  private static final Meaning BROKEN =
      new Meaning(
          Severity.CRITICAL, "broken", "a fault of the hardware: drain the node and test the GPU");

  private static final Meaning DEAD =
      new Meaning(
          Severity.CRITICAL,
          "unusable",
          "its driver cannot start it: a fault of the hardware, or a driver or firmware that does not fit");

  private static final Meaning RESET =
      new Meaning(
          Severity.WARNING,
          "reset by its driver",
          "a program or the GPU did not answer: what ran on it is lost; if it comes back, have the GPU tested");

  private static final Map<String, Meaning> MEANINGS =
      Map.ofEntries(
          Map.entry("uncorrectable ECC error", BROKEN),
          Map.entry("uncorrectable NVLink error", BROKEN),
          Map.entry("GPU is lost", BROKEN),
          Map.entry("GpuIsLost", BROKEN),
          Map.entry("fallen off the bus", BROKEN),
          Map.entry("hardware stack error", BROKEN),
          Map.entry("NVML_ERROR_GPU_IS_LOST", BROKEN),
          Map.entry("Unable to determine the device handle for", BROKEN),
          Map.entry("row remapping pending", BROKEN),
          Map.entry("requires reset", BROKEN),
          Map.entry("Reset required", BROKEN),
          Map.entry("ERR!", BROKEN),
          Map.entry("uncorrectable hardware error", BROKEN),
          Map.entry("RmInitAdapter failed", DEAD),
          Map.entry("Fatal error during GPU init", DEAD),
          Map.entry("GPU reset begin!", RESET));

  private GpuWords() {}

  /// What the words mean; empty where they speak of no broken GPU.
  static Optional<Meaning> meaning(Sign sign) {
    var text = text(sign);
    return MEANINGS.entrySet().stream()
        .filter(entry -> text.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .max(Comparator.comparing(Meaning::severity));
  }

  /// The sentence that says so.
  static String of(Sign sign) {
    var text = sign.event() instanceof FailureEvent.Raised raised ? raised.message() : text(sign);
    return MEANINGS.keySet().stream()
        .map(word -> "CUDA error: " + word)
        .filter(text::contains)
        .findFirst()
        .orElse(text);
  }

  private static String text(Sign sign) {
    return switch (sign.event()) {
      case FailureEvent.Raised raised -> raised.type() + ": " + raised.message();
      case FailureEvent.Said said -> said.words();
      default -> "";
    };
  }
}
