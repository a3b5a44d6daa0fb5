package io.ringside.shipper.source.gpu;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The fields queried from nvidia-smi, each with its names in different driver versions, newest
/// first.
enum GpuField {
  TIMESTAMP("timestamp"),
  INDEX("index"),
  UUID("uuid", "gpu_uuid"),
  BUS_ID("pci.bus_id", "gpu_bus_id"),
  NAME("name", "gpu_name"),
  UTILIZATION("utilization.gpu"),
  MEMORY_USED("memory.used"),
  MEMORY_TOTAL("memory.total"),
  /// On some architectures `power.draw` is an average over a second from driver 530 on.
  POWER("power.draw", "power.draw.instant", "power.draw.average"),
  POWER_LIMIT("enforced.power.limit", "power.limit"),
  TEMPERATURE("temperature.gpu"),
  SM_CLOCK("clocks.current.sm", "clocks.sm"),
  SM_CLOCK_MAX("clocks.max.sm", "clocks.max.graphics"),
  /// The names say throttle reasons up to driver 530.
  THROTTLE_REASONS("clocks_event_reasons.active", "clocks_throttle_reasons.active"),
  ECC_UNCORRECTED(
      "ecc.errors.uncorrected.volatile.total", "ecc.errors.uncorrected.volatile.device_memory"),
  PCIE_GEN("pcie.link.gen.current", "pcie.link.gen.gpucurrent"),
  PCIE_GEN_MAX("pcie.link.gen.max"),
  PCIE_WIDTH("pcie.link.width.current"),
  PCIE_WIDTH_MAX("pcie.link.width.max"),
  SW_THERMAL_MICROS("clocks_event_reasons_counters.sw_thermal_slowdown"),
  HW_THERMAL_MICROS("clocks_event_reasons_counters.hw_thermal_slowdown"),
  POWER_BRAKE_MICROS("clocks_event_reasons_counters.hw_power_brake_slowdown"),
  SW_POWER_CAP("clocks_event_reasons.sw_power_cap", "clocks_throttle_reasons.sw_power_cap"),
  HW_SLOWDOWN("clocks_event_reasons.hw_slowdown", "clocks_throttle_reasons.hw_slowdown"),
  SW_THERMAL(
      "clocks_event_reasons.sw_thermal_slowdown", "clocks_throttle_reasons.sw_thermal_slowdown"),
  HW_THERMAL(
      "clocks_event_reasons.hw_thermal_slowdown", "clocks_throttle_reasons.hw_thermal_slowdown"),
  POWER_BRAKE(
      "clocks_event_reasons.hw_power_brake_slowdown",
      "clocks_throttle_reasons.hw_power_brake_slowdown"),
  /// `None`, `Reset`, `Reboot`, `Drain P2P`, `Drain and Reset`; from driver 565 on.
  RECOVERY("gpu_recovery_action");

  /// Fields that the agent queries in every poll. The others are read if a recording has them.
  static final Set<GpuField> SAMPLED = EnumSet.range(TIMESTAMP, ECC_UNCORRECTED);

  /// Fields that change over time. Their names contain dots, as no other table's do.
  static final Set<GpuField> MEASURED = EnumSet.range(UTILIZATION, RECOVERY);

  /// Names as `--query-gpu` and the header spell them.
  final List<String> names;

  GpuField(String... names) {
    this.names = List.of(names);
  }

  /// The field of a column by its header, with or without a unit: `power.draw [W]`.
  static Optional<GpuField> ofColumn(String header) {
    int unit = header.indexOf('[');
    String name = (unit < 0 ? header : header.substring(0, unit)).strip().toLowerCase(Locale.ROOT);
    for (GpuField field : values()) {
      if (field.names.contains(name)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }
}
