package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Where Kubernetes is asked. It follows no redirect: the token is for this address alone.
///
/// @param url such as `https://kubernetes.default.svc`
/// @param token a file with the service account's token, read anew for each question since the kubelet renews it
/// @param certificate a file with the certificates of who may answer
public record ApiServer(URI url, Path token, Path certificate) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LONGEST_TOKEN = 64 * 1024;

  /// Asks what happens to a node's pods.
  ///
  /// @param since the version that was seen last; empty for all that there are, then what changes
  HttpResponse<InputStream> watch(HttpClient client, String node, String since, Duration length)
      throws IOException, InterruptedException {
    var path =
        "/api/v1/pods?fieldSelector=%s&watch=true&allowWatchBookmarks=true&timeoutSeconds=%d%s"
            .formatted(
                URLEncoder.encode("spec.nodeName=" + node, UTF_8),
                length.toSeconds(),
                since.isEmpty() ? "" : "&resourceVersion=" + URLEncoder.encode(since, UTF_8));
    var request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(PATIENCE)
            .header("Accept", "application/json")
            .header("Authorization", "Bearer " + secret())
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
  }

  private String secret() throws IOException {
    try (var in = Files.newInputStream(token)) {
      return new String(in.readNBytes(LONGEST_TOKEN), UTF_8).strip();
    }
  }

  HttpClient client() throws IOException {
    var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(PATIENCE);
    return "https".equals(url.getScheme()) ? client.sslContext(trust()).build() : client.build();
  }

  /// Trusts the cluster's certificates and no others.
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
