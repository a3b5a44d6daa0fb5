package io.ringside.platform.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;

/// Serves `/healthz` and `/readyz` on a separate port, without TLS or a token, for kubelets and
/// containers' health checks. So a client that fills the other port does not block probes, and
/// network policies need not allow other clients here.
public final class Probes implements AutoCloseable {
  private static final int CONNECTIONS = 64;

  private final HttpListener listener;

  private Probes(HttpListener listener) {
    this.listener = listener;
  }

  /// Starts to listen.
  ///
  /// @param dead why the program should be restarted; empty if it need not be
  /// @param unready why the program cannot work now; empty if it can
  /// @throws IOException if the address is taken
  public static Probes open(
      InetSocketAddress address,
      Supplier<Optional<String>> dead,
      Supplier<Optional<String>> unready)
      throws IOException {
    return new Probes(
        Access.OPEN.open(
            address,
            HttpListener.Bounds.of(CONNECTIONS),
            asked ->
                switch (asked.path()) {
                  case "/healthz" -> answer(dead.get());
                  case "/readyz" -> answer(unready.get());
                  default -> HttpAnswer.text(404, "nothing is here; see /healthz and /readyz");
                },
            refusal -> HttpAnswer.text(refusal.status(), refusal.reason())));
  }

  /// The response: `ok`, or what is wrong.
  public static HttpAnswer answer(Optional<String> problem) {
    return HttpAnswer.text(problem.isEmpty() ? 200 : 503, problem.orElse("ok"));
  }

  /// The address that it listens on, with the actual port.
  public InetSocketAddress address() {
    return listener.address();
  }

  @Override
  public void close() {
    listener.close();
  }
}
