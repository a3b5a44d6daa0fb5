package io.ringside.platform.http;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Trusts instances that present a certificate from this instance's own keystore, whatever name or
/// address they are reached by: all instances have the same keystore.
final class PeerTrust extends X509ExtendedTrustManager {
  private final Set<Certificate> own;

  private PeerTrust(Set<Certificate> own) {
    this.own = Set.copyOf(own);
  }

  /// @throws IOException if the keystore cannot be used
  static SSLContext context(Path keystore, char[] password) throws IOException {
    try (var in = Files.newInputStream(keystore)) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      var own = new HashSet<Certificate>();
      for (var aliases = store.aliases(); aliases.hasMoreElements(); ) {
        own.add(store.getCertificate(aliases.nextElement()));
      }
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PeerTrust(own)}, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException(
          "http.keystore: %s cannot be used (%s)".formatted(keystore, e.getMessage()), e);
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0 || !own.contains(chain[0])) {
      throw new CertificateException("not the certificate of this fleet's instances");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
