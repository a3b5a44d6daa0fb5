package io.ringside.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Two loopback ports that were free a moment ago. Both are opened at the same time before they are
/// released, so they differ. Another process may still take one before Kafka does, which is why the
/// broker's start is tried twice.
record LoopbackPorts(int broker, int controller) {

  /// @throws UncheckedIOException if the loopback interface has no free port
  static LoopbackPorts choose() {
    var loopback = InetAddress.getLoopbackAddress();
    try (var first = new ServerSocket(0, 1, loopback);
        var second = new ServerSocket(0, 1, loopback)) {
      return new LoopbackPorts(first.getLocalPort(), second.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException("no free loopback port: " + e.getMessage(), e);
    }
  }
}
