package io.ringside.schemas.event;

import org.jspecify.annotations.Nullable;

/// What makes a rank come late, told before any machine is named. The labels are a contract with
/// dashboards and scripts.
public enum StragglerType implements Labelled {
  /// Its stage of a pipeline has more to do.
  STAGE,
  /// Its share of the data is larger, or comes later.
  DATA,
  /// Python's garbage collector.
  COLLECTOR,
  /// The host: its GPU idles meanwhile.
  HOST,
  /// Its GPU: throttled, shared, or at a lower clock.
  GPU,
  NETWORK,
  UNKNOWN;

  /// The type to which a straggler's cause belongs.
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
