package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Severity;
import java.util.Map;

/// NVIDIA's classification of the driver's error numbers (Xid catalogue,
/// docs.nvidia.com/deploy/xid-errors, release 575): which part is at fault and what to do. Numbers
/// that are not listed count as warnings.
public final class Xids {
  /// @param advice what to do, one clause
  public record Entry(Severity severity, String meaning, String advice) {}

  private static final String PROGRAM =
      "usually the program's own fault: run it under compute-sanitizer";
  private static final String RESET =
      "reset the GPU or reboot the node; if it comes back, have it replaced";
  private static final String REPLACE = "drain the node and have the GPU replaced";

  private static final Entry OTHER =
      new Entry(
          Severity.WARNING,
          "an error of the driver or the GPU",
          "look the number up in NVIDIA's catalogue");

  private static final Map<Integer, Entry> BY_CODE =
      Map.ofEntries(
          Map.entry(13, info("graphics engine exception")),
          Map.entry(31, info("memory page fault")),
          Map.entry(32, info("invalid or corrupted push buffer")),
          Map.entry(43, info("the GPU stopped processing for one program")),
          Map.entry(45, info("preemptive cleanup after another error")),
          Map.entry(68, info("video processor exception")),
          Map.entry(69, info("graphics engine class error")),
          Map.entry(109, info("context switch time-out")),
          Map.entry(48, critical("double-bit ECC error", RESET)),
          Map.entry(61, critical("internal micro-controller halt", RESET)),
          Map.entry(62, critical("internal micro-controller halt", RESET)),
          Map.entry(
              63, warning("a row is remapped, or a page retired", "reset the GPU when it is idle")),
          Map.entry(64, critical("a row could not be remapped", REPLACE)),
          Map.entry(74, critical("NVLink error", RESET)),
          Map.entry(
              79,
              critical(
                  "the GPU has fallen off the bus",
                  "reboot the node; check power, PCIe and temperature")),
          Map.entry(
              92, warning("many single-bit ECC errors", "watch it; have it tested if it goes on")),
          Map.entry(
              94,
              warning("contained ECC error", "restart the program; reset the GPU when it is idle")),
          Map.entry(95, critical("uncontained ECC error", RESET)),
          Map.entry(110, critical("security fault", RESET)),
          Map.entry(119, critical("the GPU's system processor does not answer", RESET)),
          Map.entry(120, critical("error of the GPU's system processor", RESET)),
          Map.entry(121, warning("corrected NVLink C2C error", "watch it")),
          Map.entry(140, critical("unrecovered ECC error", RESET)),
          Map.entry(143, critical("the GPU failed to initialise", RESET)),
          Map.entry(145, warning("NVLink RLW error", RESET)),
          Map.entry(149, warning("NVLink NETIR error", RESET)));

  private Xids() {}

  public static Entry of(int code) {
    return BY_CODE.getOrDefault(code, OTHER);
  }

  /// Whether the GPU itself failed, so that everything that runs on it ends. This includes a
  /// contained ECC error.
  public static boolean ofHardware(int code) {
    return of(code).severity() == Severity.CRITICAL || code == 94;
  }

  private static Entry info(String meaning) {
    return new Entry(Severity.INFO, meaning, PROGRAM);
  }

  private static Entry warning(String meaning, String advice) {
    return new Entry(Severity.WARNING, meaning, advice);
  }

  private static Entry critical(String meaning, String advice) {
    return new Entry(Severity.CRITICAL, meaning, advice);
  }
}
