package io.ringside.platform.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;

/// `/healthz` and `/readyz` on a port of their own, in clear and without a token, for kubelets and
/// containers' health checks: whoever fills the other port keeps no probe from it, and network
/// policies need let nobody else in here.
public final class Probes implements AutoCloseable {
  private static final int CONNECTIONS = 64;

  private final Door door;

  private Probes(Door door) {
    this.door = door;
  }

  /// Starts to listen.
  ///
  /// @param dead why the program should be restarted, if it should
  /// @param unready why it cannot do its work now, if it cannot
  /// @throws IOException if the address is taken
  public static Probes open(
      InetSocketAddress address,
      Supplier<Optional<String>> dead,
      Supplier<Optional<String>> unready)
      throws IOException {
    return new Probes(
        Access.OPEN.open(
            address,
            Door.Bounds.of(CONNECTIONS),
            asked ->
                switch (asked.path()) {
                  case "/healthz" -> answer(dead.get());
                  case "/readyz" -> answer(unready.get());
                  default -> Answer.text(404, "nothing is here; see /healthz and /readyz");
                },
            refusal -> Answer.text(refusal.status(), refusal.reason())));
  }

  /// Good, or what is wrong.
  public static Answer answer(Optional<String> problem) {
    return Answer.text(problem.isEmpty() ? 200 : 503, problem.orElse("ok"));
  }

  /// Where it listens, with the real port.
  public InetSocketAddress address() {
    return door.address();
  }

  @Override
  public void close() {
    door.close();
  }
}
