package io.ringside.shipper.source.hardware;

import io.ringside.schemas.event.HardwareCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;

/// Reads how many segments TCP sent and retransmitted, from `/proc/net/snmp` (RFC 1213), which has
/// a line of names and a line of numbers.
final class TcpCounters {
  private static final String LINE = "Tcp: ";

  private TcpCounters() {}

  /// @param snmp the host's `/proc/net/snmp`
  static Optional<HardwareCounters> read(Path snmp) {
    try {
      var lines = Files.readString(snmp).lines().filter(line -> line.startsWith(LINE)).toList();
      if (lines.size() != 2) {
        return Optional.empty();
      }
      var names = lines.getFirst().substring(LINE.length()).split(" ", -1);
      var numbers = lines.getLast().substring(LINE.length()).split(" ", -1);
      var values = new HashMap<String, Long>();
      for (int i = 0; i < Math.min(names.length, numbers.length); i++) {
        if (names[i].equals("OutSegs") || names[i].equals("RetransSegs")) {
          values.put(names[i], Long.parseLong(numbers[i]));
        }
      }
      return values.size() == 2
          ? Optional.of(new HardwareCounters(HardwareCounters.Kind.TCP, "", values))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
