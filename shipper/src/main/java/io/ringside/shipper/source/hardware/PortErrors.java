package io.ringside.shipper.source.hardware;

import io.ringside.schemas.event.HardwareCounters;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads the kernel's packet and error counters of each EFA, InfiniBand and RoCE port:
/// `infiniband/*/ports/*/{counters,hw_counters}` (kernel,
/// `Documentation/ABI/stable/sysfs-class-infiniband`; hw_counters are specific to the driver,
/// drivers/infiniband/hw/{mlx5,efa}). Missing values and values that are no numbers are left out.
///
/// @param sysfs usually `/sys`, or the path at which the host's is mounted
record PortErrors(Path sysfs) {
  /// Limit of ports; a machine has at most 32 cards.
  private static final int MOST_PORTS = 64;

  /// The result of one reading.
  ///
  /// @param mute ports without a readable counter
  record Read(List<HardwareCounters> ports, List<String> mute) {}

  private static final List<String> PORT =
      List.of(
          "port_rcv_packets",
          "port_xmit_packets",
          "symbol_error",
          "link_error_recovery",
          "link_downed",
          "port_rcv_errors",
          "port_xmit_discards",
          "local_link_integrity_errors");

  private static final List<String> DRIVER =
      List.of(
          // EFA
          "tx_pkts",
          "rx_pkts",
          "rx_drops",
          "retrans_pkts",
          "retrans_timeout_events",
          "unresponsive_remote_events",
          "impaired_remote_conn_events",
          // mlx5
          "out_of_sequence",
          "packet_seq_err",
          "local_ack_timeout_err",
          "roce_adp_retrans",
          "rx_icrc_encapsulated");

  Read read() {
    var ports = new ArrayList<HardwareCounters>();
    var mute = new ArrayList<String>();
    for (var device : folders(sysfs.resolve("class/infiniband"))) {
      for (var port : folders(device.resolve("ports"))) {
        var name = device.getFileName() + "/" + port.getFileName();
        var values = new HashMap<String, Long>();
        PORT.forEach(counter -> put(counter, port.resolve("counters"), values));
        DRIVER.forEach(counter -> put(counter, port.resolve("hw_counters"), values));
        if (ports.size() + mute.size() >= MOST_PORTS) {
          break;
        }
        if (values.isEmpty()) {
          mute.add(name);
        } else {
          ports.add(new HardwareCounters(HardwareCounters.Kind.PORT, name, values));
        }
      }
    }
    return new Read(ports, mute);
  }

  private static void put(String name, Path folder, Map<String, Long> values) {
    try {
      values.put(name, Long.parseLong(Files.readString(folder.resolve(name)).strip()));
    } catch (IOException | NumberFormatException e) {
      // this driver does not have it
    }
  }

  private static List<Path> folders(Path parent) {
    var folders = new ArrayList<Path>();
    try (var found = Files.newDirectoryStream(parent)) {
      found.forEach(folders::add);
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    folders.sort(null);
    return folders;
  }
}
