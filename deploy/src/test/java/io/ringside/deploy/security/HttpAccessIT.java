package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.platform.http.Access;
import io.ringside.shipper.observe.HealthPage;
import io.ringside.streams.publish.http.Response;
import io.ringside.streams.publish.http.WebServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// TLS and the bearer token, on the pages of both programs.
@Timeout(60)
class HttpAccessIT {
  private static final String TOKEN = "correct-horse-battery-staple";
  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  @TempDir static Path folder;
  private static Path store;
  private static Path token;
  private static HttpClient client;

  @BeforeAll
  static void prepare() throws Exception {
    var certificates = Certificates.in(folder);
    store = certificates.issue("page");
    token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    client = HttpClient.newBuilder().sslContext(trusting(certificates.authority())).build();
  }

  @Test
  void answersOverTlsWhoeverHasTheToken() throws Exception {
    var access = Access.of(store.toString(), Certificates.PASSWORD, token.toString());
    try (var page =
        WebServer.start(
            FREE, List.of(request -> Optional.of(Response.json(200, Map.of()))), access)) {
      var address = "https://127.0.0.1:" + page.address().getPort();

      assertThat(status(address + "/api/jobs", "Bearer " + TOKEN)).isEqualTo(200);
      assertThat(status(address + "/api/jobs", "Bearer " + TOKEN + "x")).isEqualTo(401);
      assertThat(status(address + "/api/jobs", "Basic " + TOKEN)).isEqualTo(401);
      assertThat(status(address + "/metrics", "")).isEqualTo(401);
      assertThat(status(address + "/", "")).isEqualTo(401);
      assertThat(status(address + "/healthz/../api/jobs", "")).isEqualTo(401);
      assertThat(status(address + "/healthz", "")).isEqualTo(200);
      assertThatThrownBy(() -> status(address.replace("https", "http") + "/healthz", ""))
          .isInstanceOf(IOException.class);
      try (var stranger = HttpClient.newHttpClient()) {
        var request = HttpRequest.newBuilder(URI.create(address)).build();
        assertThatThrownBy(() -> stranger.send(request, HttpResponse.BodyHandlers.discarding()))
            .isInstanceOf(SSLHandshakeException.class);
      }
    }
  }

  @Test
  void hidesTheAgentsMetricsLikewise() throws Exception {
    var access = Access.of(store.toString(), Certificates.PASSWORD, token.toString());
    try (var page = new HealthPage(FREE, Optional::empty, Optional::empty, () -> "m 1\n", access)) {
      var address = "https://127.0.0.1:" + page.port();

      assertThat(status(address + "/metrics", "Bearer " + TOKEN)).isEqualTo(200);
      assertThat(status(address + "/metrics", "")).isEqualTo(401);
      assertThat(status(address + "/readyz", "")).isEqualTo(200);
    }
  }

  @Test
  void saysWhichFileCannotBeUsed() throws Exception {
    var shortToken = Files.writeString(folder.resolve("short"), "abc");

    assertThatThrownBy(() -> Access.of("", "", shortToken.toString()))
        .hasMessageContaining("at least 16");
    assertThatThrownBy(() -> Access.of("", "", "/nowhere"))
        .hasMessageContaining("http.tokenFile: /nowhere");
    assertThatThrownBy(() -> Access.of(store.toString(), "wrong", ""))
        .hasMessageContaining("http.keystore");
  }

  private static int status(String address, String authorization) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private static SSLContext trusting(Path authority) throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(authority)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
