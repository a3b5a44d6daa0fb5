package io.ringside.lab.fleet;

import java.io.IOException;
import java.net.InetAddress;

/// What joins instances and broker.
sealed interface Network extends AutoCloseable {
  /// Where an instance with this number runs, from 0 on.
  Place place(int instance) throws IOException, InterruptedException;

  /// Where instances find the broker.
  InetAddress uplink() throws IOException;

  /// From now on nothing of the instance arrives anywhere, and nothing arrives there.
  ///
  /// @param wire its way to the broker
  void cut(int instance, Wire wire) throws IOException, InterruptedException;

  void mend(int instance, Wire wire) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;

  /// This machine's loopback, where only the way to the broker can be cut.
  record Loopback() implements Network {
    @Override
    public Place place(int instance) {
      return Place.HERE;
    }

    @Override
    public InetAddress uplink() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public void cut(int instance, Wire wire) {
      wire.cut();
    }

    @Override
    public void mend(int instance, Wire wire) {
      wire.mend();
    }

    @Override
    public void close() {}
  }

  /// Machines of their own at a switch, as the kernel keeps them apart: the cable of one is pulled.
  record Cables(Switch bridge) implements Network {
    @Override
    public Place place(int instance) throws IOException, InterruptedException {
      return bridge.plug(port(instance));
    }

    @Override
    public InetAddress uplink() throws IOException {
      return bridge.uplink();
    }

    @Override
    public void cut(int instance, Wire wire) throws IOException, InterruptedException {
      bridge.pull(port(instance));
    }

    @Override
    public void mend(int instance, Wire wire) throws IOException, InterruptedException {
      bridge.plugInAgain(port(instance));
    }

    private static int port(int instance) {
      return instance + 2;
    }

    @Override
    public void close() throws IOException {
      bridge.close();
    }
  }
}
