package io.ringside.shipper.source.network;

import io.ringside.schemas.event.NetworkInterface;

/// The counters of one interface at one moment.
///
/// @param port 1 or more; 0 for Ethernet
/// @param receivedBytes since the driver was loaded
/// @param sentBytes since the driver was loaded
record Reading(
    String name, int port, NetworkInterface.Kind kind, long receivedBytes, long sentBytes) {

  /// Identifies the interface across readings.
  String key() {
    return kind + "|" + name + "|" + port;
  }
}
