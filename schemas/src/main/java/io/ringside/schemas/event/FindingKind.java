package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// What Ringside can find. The labels are a contract with dashboards, alerts and scripts.
public enum FindingKind {
  JOB_FAILED,
  EFA_FALLBACK,
  NETWORK_FALLBACK,
  SOCKET_TRANSPORT,
  P2P_READ,
  SHM_FALLBACK,
  SPLIT_PLACEMENT,
  GDR_MISSING,
  OFFLOAD_MISSING,
  LINK_DEGRADED,
  GDR_DISAGREEMENT,
  NIC_SHORTFALL,
  TRANSPORT_REGRESSION,
  NCCL_ERROR,
  VERSION_MISMATCH,
  ENV_DRIFT,
  STRAGGLER,
  BARRIER_WAIT,
  LATE_START,
  HANG,
  STEP_REGRESSION,
  GPU_THROTTLED,
  GPU_ERROR,
  BANDWIDTH_BELOW_EXPECTED,
  SENSOR_STALLED,
  TELEMETRY_GAP,
  TIMING_UNRELIABLE,
  UNPARSED_LINES;

  /// As the contract spells it, for example `efa-fallback`.
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
