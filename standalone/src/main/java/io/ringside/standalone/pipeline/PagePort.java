package io.ringside.standalone.pipeline;

import io.ringside.standalone.input.UnusableInput;
import io.ringside.streams.config.HttpConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Checks the port of the page before a broker is started in vain.
public final class PagePort {
  private static final int BACKLOG = 1;

  private PagePort() {}

  /// The page's address, which was free a moment ago.
  ///
  /// @throws UnusableInput if the port is invalid or cannot be used
  public static HttpConfig free(String host, int port) {
    if (port < 0 || port > 65_535) {
      throw new UnusableInput("There is no port %d; ports are 0 (any) to 65535.".formatted(port));
    }
    var http = new HttpConfig(host, port);
    try (var _ = new ServerSocket(http.port(), BACKLOG, InetAddress.getByName(http.host()))) {
      return http;
    } catch (IOException e) {
      throw new UnusableInput(
          "Port %d of %s cannot be used (%s); give another with --port, 0 for any that is free."
              .formatted(http.port(), http.host(), e.getMessage()),
          e);
    }
  }
}
