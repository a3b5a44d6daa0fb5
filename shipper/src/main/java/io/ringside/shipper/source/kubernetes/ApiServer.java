package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/// Sends requests to the Kubernetes API server over a plain socket, because Java's HTTP client
/// takes ten times the memory of this watch. It follows no redirect and uses no proxy: the token is
/// meant for this address alone.
///
/// @param url such as `https://kubernetes.default.svc`
/// @param token a file with the service account's token, read again for each request since the
///     kubelet renews it
/// @param certificate a file with the CA certificates that the server's certificate is checked
///     against
public record ApiServer(URI url, Path token, Path certificate) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LONGEST_TOKEN = 64 * 1024;

  /// Starts a watch of objects.
  ///
  /// @param resource kind of objects, such as `pods`
  /// @param selector selects objects by their fields
  /// @param since the version seen last; empty for all existing objects, followed by changes
  /// @param whole time limit for the whole response
  Answer watch(
      String resource,
      String selector,
      String since,
      Duration length,
      Duration whole,
      LongSupplier ticker)
      throws IOException {
    var path =
        "/api/v1/%s?fieldSelector=%s&watch=true&allowWatchBookmarks=true&timeoutSeconds=%d%s"
            .formatted(
                resource,
                URLEncoder.encode(selector, UTF_8),
                length.toSeconds(),
                since.isEmpty() ? "" : "&resourceVersion=" + URLEncoder.encode(since, UTF_8));
    var request =
        "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
            .formatted(path, url.getRawAuthority(), secret());
    var socket = connected();
    try {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      return Answer.of(socket, whole, ticker);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private String secret() throws IOException {
    try (var in = Files.newInputStream(token)) {
      var secret = new String(in.readNBytes(LONGEST_TOKEN), UTF_8).strip();
      if (secret.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw new IOException(token + " holds no token");
      }
      return secret;
    }
  }

  private Socket connected() throws IOException {
    boolean tls = "https".equals(url.getScheme());
    var host = url.getHost().replaceAll("[\\[\\]]", "");
    int port = url.getPort() >= 0 ? url.getPort() : tls ? 443 : 80;
    var socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), (int) PATIENCE.toMillis());
      return tls ? secured(socket, host, port) : socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private Socket secured(Socket plain, String host, int port) throws IOException {
    plain.setSoTimeout((int) PATIENCE.toMillis());
    var socket = (SSLSocket) trust().getSocketFactory().createSocket(plain, host, port, true);
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /// Trusts only the cluster's certificates.
  private SSLContext trust() throws IOException {
    try (var in = Files.newInputStream(certificate)) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int number = 0;
      for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + number++, each);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(certificate + " holds no certificates", e);
    }
  }
}
