package io.ringside.streams.config;

/// Where the page, the API and `/metrics` listen.
///
/// @param host name or address of the interface
/// @param port 0 takes a free port
/// @param keystore PKCS12 with the certificate to serve TLS with, empty for none
/// @param keystorePassword its password
/// @param tokenFile holds the bearer token that every request but a probe must carry, empty for none
public record HttpConfig(
    String host, int port, String keystore, String keystorePassword, String tokenFile) {
  public HttpConfig {
    Require.text("host", host);
    Require.between("port", 0, 65_535, port);
  }

  /// In clear and for everybody who reaches it.
  public HttpConfig(String host, int port) {
    this(host, port, "", "", "");
  }

  /// Without the password.
  @Override
  public String toString() {
    return "HttpConfig[host=%s, port=%d, keystore=%s, tokenFile=%s]"
        .formatted(host, port, keystore, tokenFile);
  }
}
