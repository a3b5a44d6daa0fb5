package io.ringside.streams.config;

import io.ringside.platform.config.Require;

/// Where the page, the API and `/metrics` listen.
///
/// @param host name or address of the interface
/// @param port 0 takes a free port
/// @param probePort where `/healthz` and `/readyz` are as well, in clear: 0 for any free port, -1
///   for nowhere else
/// @param names by which requests may call this program, comma-separated, beside addresses and
///   names inside a cluster
/// @param keystore PKCS12 with the certificate to serve TLS with, empty for none
/// @param keystorePassword its password
/// @param tokenFile holds the bearer token that every request but a probe must carry, empty for
///   none
/// @param namespaceTokens holds lines `namespace: token`, whose tokens show that namespace alone,
///   empty for none
/// @param advertised
///     `host:port` at which other instances reach this one; empty for host and port, `none` for not
///     at all
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

  /// In clear and for everybody who reaches it.
  public HttpConfig(String host, int port) {
    this(host, port, -1, "", "", "", "", "", "");
  }

  /// Where others reach this instance, empty where they cannot: an interface that stands for all,
  /// or a port that is not known yet, is no address.
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

  /// An IPv6 address stands in brackets before a port, whether or not whoever named it put them
  /// there.
  private static String address(String host, String port) {
    return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
  }

  /// Without the password.
  @Override
  public String toString() {
    return "HttpConfig[host=%s, port=%d, probePort=%d, names=%s, keystore=%s, tokenFile=%s, namespaceTokens=%s, advertised=%s]"
        .formatted(host, port, probePort, names, keystore, tokenFile, namespaceTokens, advertised);
  }
}
