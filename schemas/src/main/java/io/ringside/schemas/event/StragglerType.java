package io.ringside.schemas.event;

import org.jspecify.annotations.Nullable;

/// Why a rank comes late, at the level of the job. The labels are a contract with dashboards and
/// scripts.
public enum StragglerType implements LabelledEnum {
  /// Its pipeline stage has more work.
  STAGE,
  /// Its share of the data is larger or arrives later.
  DATA,
  /// Python's garbage collector runs.
  COLLECTOR,
  /// The host is slow, so that its GPU idles.
  HOST,
  /// Its GPU is slow: throttled, shared, or at a lower clock.
  GPU,
  NETWORK,
  UNKNOWN;

  /// The type for a straggler's cause.
  static StragglerType ofCause(@Nullable String cause) {
    if (cause == null) {
      return UNKNOWN;
    }
    return switch (cause) {
      case "gpu-throttled", "gpu-contended", "gpu-clock" -> GPU;
      case "host", "duty" -> HOST;
      case "stage" -> STAGE;
      case "data" -> DATA;
      default -> UNKNOWN;
    };
  }
}
