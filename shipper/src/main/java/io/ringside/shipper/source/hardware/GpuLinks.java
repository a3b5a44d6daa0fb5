package io.ringside.shipper.source.hardware;

import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.HardwareCounters.Gpu;
import io.ringside.shipper.source.gpu.BusId;
import io.ringside.shipper.source.gpu.NvidiaSmi;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Queries values from nvidia-smi that the sampler does not: NVLinks, PCIe, ECC, remapped rows,
/// thermal margin. Starts three short-lived child processes, five with an old driver.
///
/// @param patience time limit of each child process
record GpuLinks(NvidiaSmi smi, Duration patience) {
  /// The result of one reading.
  ///
  /// @param linksFailed why no NVLinks were read, empty if some were. GPUs without NVLink also fail
  record Read(List<HardwareCounters> gpus, String linksFailed) {}

  /// nvidia-smi's name of a field, and Ringside's.
  private record Field(String asked, String ours) {}

  private static final List<Field> BASIC =
      List.of(
          new Field("utilization.gpu", Gpu.BUSY),
          new Field("pcie.link.gen.current", Gpu.PCIE_GEN),
          new Field("pcie.link.gen.max", Gpu.PCIE_GEN_MAX),
          new Field("pcie.link.width.current", Gpu.PCIE_WIDTH),
          new Field("pcie.link.width.max", Gpu.PCIE_WIDTH_MAX),
          new Field("ecc.errors.corrected.volatile.total", Gpu.ECC_CORRECTED));

  /// Fields since driver 450, queried separately: a driver that does not know one field answers
  /// none.
  private static final List<Field> ROWS =
      List.of(
          new Field("remapped_rows.pending", Gpu.ROWS_PENDING),
          new Field("remapped_rows.failure", Gpu.ROWS_FAILED));

  /// Fields since driver 535, on Ada, Hopper and later.
  private static final List<Field> HEAT =
      List.of(new Field("temperature.gpu.tlimit", Gpu.THERMAL_MARGIN));

  private static final List<List<Field>> TRIES =
      List.of(all(List.of(BASIC, ROWS, HEAT)), all(List.of(BASIC, ROWS)), BASIC);

  /// @throws IOException if nvidia-smi returns no GPU
  Read read() throws IOException {
    var links = new HashMap<String, Map<String, Long>>();
    var failed = "";
    for (var option : List.of("-s", "-e")) {
      try {
        NvlinkText.read(smi.run(patience, "nvlink", option), links);
      } catch (IOException e) {
        if (NvidiaSmi.hung(e)) {
          throw e;
        }
        failed = String.valueOf(e.getMessage());
      }
    }
    if (failed.isEmpty() && links.values().stream().allMatch(Map::isEmpty)) {
      failed = "it lists none";
    }
    IOException refused = new IOException("no fields to ask for");
    for (var fields : TRIES) {
      try {
        return new Read(query(fields, links), failed);
      } catch (IOException e) {
        if (NvidiaSmi.hung(e)) {
          throw e;
        }
        refused = e;
      }
    }
    throw refused;
  }

  private static List<Field> all(List<List<Field>> parts) {
    return parts.stream().flatMap(List::stream).toList();
  }

  private List<HardwareCounters> query(List<Field> fields, Map<String, Map<String, Long>> links)
      throws IOException {
    var names = String.join(",", fields.stream().map(Field::asked).toList());
    var text =
        smi.run(patience, "--query-gpu=uuid,pci.bus_id," + names, "--format=csv,noheader,nounits");
    var gpus = new ArrayList<HardwareCounters>();
    for (var line : text.lines().toList()) {
      var cells = line.split("\\s*,\\s*", -1);
      if (cells.length != fields.size() + 2) {
        continue;
      }
      var values = new HashMap<>(links.getOrDefault(cells[0].strip(), Map.of()));
      for (int i = 0; i < fields.size(); i++) {
        put(fields.get(i).ours(), cells[i + 2].strip(), values);
      }
      gpus.add(new HardwareCounters(HardwareCounters.Kind.GPU, BusId.normal(cells[1]), values));
    }
    return gpus;
  }

  /// Adds the value of a cell; `[N/A]` and errors are left out.
  private static void put(String name, String cell, Map<String, Long> values) {
    switch (cell.toLowerCase(Locale.ROOT)) {
      case "yes" -> values.put(name, 1L);
      case "no" -> values.put(name, 0L);
      default -> {
        try {
          values.put(name, Long.parseLong(cell));
        } catch (NumberFormatException e) {
          // no value
        }
      }
    }
  }
}
