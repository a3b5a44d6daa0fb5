package io.ringside.streams.config;

import io.ringside.platform.config.Require;

/// Address of the page, the API and `/metrics`.
///
/// @param host name or address of the interface
/// @param port port number; 0 for any free port
/// @param probePort second port for `/healthz` and `/readyz`, without TLS: 0 for any free port, -1
///   for none
/// @param names host names that requests may use for this program, comma-separated, in addition to
///   addresses and names inside a cluster
/// @param keystore PKCS12 file with the certificate for TLS, empty for none
/// @param keystorePassword password of the keystore
/// @param tokenFile file with the bearer token that every request except a probe must carry, empty
///   for none
/// @param namespaceTokens file with lines `namespace: token`; each token gives access to that
///   namespace only; empty for none
/// @param advertised `host:port` at which other instances reach this one; empty for host and port,
///     `none` if they cannot
public record HttpConfig(
    String host,
    int port,
    int probePort,
    String names,
    String keystore,
    String keystorePassword,
    String tokenFile,
    String namespaceTokens,
    String advertised) {
  public HttpConfig {
    Require.text("host", host);
    Require.between("port", 0, 65_535, port);
    Require.between("probePort", -1, 65_535, probePort);
    if (!advertised.isEmpty() && !advertised.equals("none") && !advertised.matches(".+:\\d{1,5}")) {
      throw new IllegalArgumentException("advertised must be host:port or none, was " + advertised);
    }
  }

  /// Without TLS and without access control.
  public HttpConfig(String host, int port) {
    this(host, port, -1, "", "", "", "", "", "");
  }

  /// Address at which others reach this instance, empty if they cannot. A wildcard interface or a
  /// port that is not yet known gives no address.
  public String advertisedAddress() {
    if (advertised.isEmpty()) {
      boolean any = host.equals("0.0.0.0") || host.equals("::") || port == 0;
      return any ? "" : address(host, Integer.toString(port));
    }
    int colon = advertised.lastIndexOf(':');
    return advertised.equals("none")
        ? ""
        : address(advertised.substring(0, colon), advertised.substring(colon + 1));
  }

  /// Puts an IPv6 address in brackets before its port, unless it has them already.
  private static String address(String host, String port) {
    return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
  }

  /// Leaves out the password.
  @Override
  public String toString() {
    return "HttpConfig[host=%s, port=%d, probePort=%d, names=%s, keystore=%s, tokenFile=%s, namespaceTokens=%s, advertised=%s]"
        .formatted(host, port, probePort, names, keystore, tokenFile, namespaceTokens, advertised);
  }
}
