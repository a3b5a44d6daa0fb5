package io.ringside.shipper.source.network;

import io.ringside.schemas.event.NetworkInterface.Kind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads the byte counters of the node's interfaces from sysfs. Interfaces that cannot be read are
/// left out, since a device may vanish between two readings.
///
/// - InfiniBand and RoCE: `infiniband/*/ports/*/counters/port_{rcv,xmit}_data`, in units of four
///   bytes (kernel, `Documentation/ABI/stable/sysfs-class-infiniband`).
/// - EFA has none of those, but `hw_counters/{rx,tx}_bytes`. RDMA reads and writes are also counted
///   in `rdma_*_bytes`; if their sum exceeds the port's count, the sum is used.
/// - Ethernet: `net/*/statistics/{rx,tx}_bytes` of the hardware interfaces. In a network namespace
///   of its own the agent sees none of those and uses all interfaces except the loopback.
///
/// @param sysfs usually `/sys`, or the path at which the host's is mounted
public record KernelCounters(Path sysfs) {
  private static final int BYTES_PER_WORD = 4;

  /// All interfaces, EFA and InfiniBand first, each kind sorted by name.
  List<Reading> read() {
    var readings = new ArrayList<Reading>();
    for (Path device : folders(sysfs.resolve("class/infiniband"))) {
      for (Path port : folders(device.resolve("ports"))) {
        port(device, port).ifPresent(readings::add);
      }
    }
    readings.addAll(ethernet());
    return readings;
  }

  private static Optional<Reading> port(Path device, Path port) {
    String name = name(device);
    int number = Integer.parseInt(name(port).replaceAll("\\D+", "0"));
    Path counters = port.resolve("counters");
    OptionalLong received = number(counters.resolve("port_rcv_data"));
    OptionalLong sent = number(counters.resolve("port_xmit_data"));
    if (received.isPresent() && sent.isPresent()) {
      boolean ethernet = text(port.resolve("link_layer")).equals("Ethernet");
      return Optional.of(
          new Reading(
              name,
              number,
              ethernet ? Kind.ROCE : Kind.INFINIBAND,
              BYTES_PER_WORD * received.getAsLong(),
              BYTES_PER_WORD * sent.getAsLong()));
    }
    return efa(name, number, port.resolve("hw_counters"));
  }

  private static Optional<Reading> efa(String name, int port, Path counters) {
    OptionalLong received = number(counters.resolve("rx_bytes"));
    OptionalLong sent = number(counters.resolve("tx_bytes"));
    if (received.isEmpty() || sent.isEmpty()) {
      return Optional.empty();
    }
    long read = sum(counters, "rdma_read_bytes", "rdma_write_recv_bytes", "recv_bytes");
    long written = sum(counters, "rdma_write_bytes", "rdma_read_resp_bytes", "send_bytes");
    return Optional.of(
        new Reading(
            name,
            port,
            Kind.EFA,
            Math.max(received.getAsLong(), read),
            Math.max(sent.getAsLong(), written)));
  }

  private static long sum(Path folder, String... names) {
    long sum = 0;
    for (String name : names) {
      sum += number(folder.resolve(name)).orElse(0);
    }
    return sum;
  }

  private List<Reading> ethernet() {
    var hardware = new ArrayList<Reading>();
    var others = new ArrayList<Reading>();
    for (Path device : folders(sysfs.resolve("class/net"))) {
      OptionalLong received = number(device.resolve("statistics/rx_bytes"));
      OptionalLong sent = number(device.resolve("statistics/tx_bytes"));
      if (received.isPresent() && sent.isPresent() && !name(device).equals("lo")) {
        var list = Files.exists(device.resolve("device")) ? hardware : others;
        list.add(
            new Reading(name(device), 0, Kind.ETHERNET, received.getAsLong(), sent.getAsLong()));
      }
    }
    return hardware.isEmpty() ? others : hardware;
  }

  /// Sorted by name, so that the records of a node have the same order.
  private static List<Path> folders(Path parent) {
    var folders = new ArrayList<Path>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent)) {
      found.forEach(folders::add);
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      return List.of();
    }
    folders.sort(null);
    return folders;
  }

  private static OptionalLong number(Path file) {
    String text = text(file);
    try {
      return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
