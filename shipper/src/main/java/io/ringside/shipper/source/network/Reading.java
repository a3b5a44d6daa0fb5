package io.ringside.shipper.source.network;

import io.ringside.schemas.event.NetworkInterface;

/// The counters of one interface at one moment.
///
/// @param port from 1 on; 0 for Ethernet
/// @param receivedBytes since the driver was loaded
/// @param sentBytes since the driver was loaded
record Reading(
    String name, int port, NetworkInterface.Kind kind, long receivedBytes, long sentBytes) {

  /// Under this name the counters of the last time are found again.
  String key() {
    return kind + "|" + name + "|" + port;
  }
}
