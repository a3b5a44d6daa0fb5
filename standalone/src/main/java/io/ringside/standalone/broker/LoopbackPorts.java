package io.ringside.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Two loopback ports that nobody listened on a moment ago. Both are held open together before they
/// are let go, so they differ; another process may still take one before Kafka does, which is why
/// the broker's start is tried twice.
record LoopbackPorts(int broker, int controller) {

  /// @throws UncheckedIOException when the loopback interface has no free port
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
