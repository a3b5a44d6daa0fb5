package io.ringside.streams.config;

/// Where the page, the API and `/metrics` listen.
///
/// @param host name or address of the interface
/// @param port 0 takes a free port
public record HttpConfig(String host, int port) {
  public HttpConfig {
    Require.text("host", host);
    Require.between("port", 0, 65_535, port);
  }
}
