package io.ringside.lab.fleet;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A network of its own for each instance (Linux's network namespaces), all on one bridge, so that
/// the cable of one can be pulled. Needs the right to make them: `lab/chaos.sh` gets it by a user's
/// namespace.
final class Switch implements AutoCloseable {
  private static final String BRIDGE = "ringside0";
  private static final String NETWORK = "10.77.0.";

  private final List<Integer> ports = new ArrayList<>();

  Switch() throws IOException, InterruptedException {
    ip("link add %s type bridge".formatted(BRIDGE));
    ip("addr add %s1/24 dev %s".formatted(NETWORK, BRIDGE));
    ip("link set %s up".formatted(BRIDGE));
  }

  /// Where the broker's side of it is.
  InetAddress uplink() throws IOException {
    return InetAddress.getByName(NETWORK + "1");
  }

  /// A machine with a cable.
  ///
  /// @param port from 2 on
  Place plug(int port) throws IOException, InterruptedException {
    ports.add(port);
    ip("netns add ringside-%d".formatted(port));
    ip("link add ringside%d type veth peer name eth0 netns ringside-%d".formatted(port, port));
    ip("link set ringside%d master %s".formatted(port, BRIDGE));
    ip("link set ringside%d up".formatted(port));
    ip("-n ringside-%d addr add %s%d/24 dev eth0".formatted(port, NETWORK, port));
    ip("-n ringside-%d link set eth0 up".formatted(port));
    ip("-n ringside-%d link set lo up".formatted(port));
    return new Place(NETWORK + port, List.of("ip", "netns", "exec", "ringside-" + port), Map.of());
  }

  void pull(int port) throws IOException, InterruptedException {
    ip("link set ringside%d down".formatted(port));
  }

  void plugInAgain(int port) throws IOException, InterruptedException {
    ip("link set ringside%d up".formatted(port));
  }

  private static void ip(String arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments.split(" ")));
    Signals.run(command);
  }

  @Override
  public void close() throws IOException {
    try {
      for (int port : ports) {
        ip("netns del ringside-%d".formatted(port));
      }
      ip("link del %s".formatted(BRIDGE));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before all networks were gone");
    }
  }
}
