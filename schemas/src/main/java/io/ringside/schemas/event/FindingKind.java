package io.ringside.schemas.event;

/// The kinds of findings. The labels are a contract with dashboards, alerts and scripts.
public enum FindingKind implements LabelledEnum {
  JOB_FAILED,
  EFA_FALLBACK,
  NETWORK_FALLBACK,
  SOCKET_TRANSPORT,
  P2P_READ,
  SHM_FALLBACK,
  SPLIT_PLACEMENT,
  PLACEMENT_ADVICE,
  GDR_MISSING,
  OFFLOAD_MISSING,
  LINK_DEGRADED,
  NETWORK_ERRORS,
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

  /// The document that says what to do about it, as a path in the repository.
  public String runbook() {
    return "docs/runbooks/" + alert() + ".md";
  }

  /// The alert for this kind, even if its severity is too low to raise one.
  private String alert() {
    return switch (this) {
      case JOB_FAILED -> "RingsideJobFailed";
      case EFA_FALLBACK, NETWORK_FALLBACK -> "RingsideEfaFallback";
      case SOCKET_TRANSPORT,
          P2P_READ,
          SHM_FALLBACK,
          SPLIT_PLACEMENT,
          PLACEMENT_ADVICE,
          GDR_MISSING,
          OFFLOAD_MISSING,
          LINK_DEGRADED,
          GDR_DISAGREEMENT,
          NIC_SHORTFALL ->
          "RingsideTransport";
      case NETWORK_ERRORS -> "RingsideNetworkErrors";
      case TRANSPORT_REGRESSION -> "RingsideTransportRegression";
      case NCCL_ERROR -> "RingsideNcclErrors";
      case VERSION_MISMATCH, ENV_DRIFT -> "RingsideDrift";
      case STRAGGLER -> "RingsideStraggler";
      case BARRIER_WAIT -> "RingsideBarrierWait";
      case LATE_START -> "RingsideLateStart";
      case HANG -> "RingsideHang";
      case STEP_REGRESSION -> "RingsideStepRegression";
      case GPU_THROTTLED -> "RingsideGpuThrottled";
      case GPU_ERROR -> "RingsideGpuError";
      case BANDWIDTH_BELOW_EXPECTED -> "RingsideBandwidth";
      case SENSOR_STALLED -> "RingsideSensorStalled";
      case TELEMETRY_GAP -> "RingsideTelemetryGap";
      case TIMING_UNRELIABLE, UNPARSED_LINES -> "RingsideBlind";
    };
  }
}
