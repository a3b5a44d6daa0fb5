package io.ringside.schemas.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Who may ask and whether the wire is protected: TLS with a certificate from a PKCS12 file, a bearer
/// token from a file. Both optional. Probes need no token, for a kubelet has none. Whoever asks, only GET and
/// HEAD are answered, and bodies are not read. Immutable.
public final class Access {
  /// Everybody, in clear.
  public static final Access OPEN = new Access(null, null, null);

  private static final Set<String> PROBES = Set.of("/healthz", "/readyz");
  private static final int SHORTEST_TOKEN = 16;

  /// Seconds for a request to come in, and for an answer to be taken.
  private static final int REQUEST_SECONDS = 10;

  private static final int ANSWER_SECONDS = 60;

  private final @Nullable SSLContext tls;
  private final @Nullable SSLContext peers;
  private final byte @Nullable [] header;

  private Access(@Nullable SSLContext tls, @Nullable SSLContext peers, byte @Nullable [] header) {
    this.tls = tls;
    this.peers = peers;
    this.header = header;
  }

  /// Reads the files once; a new certificate or token needs a restart.
  ///
  /// @param keystore PKCS12, empty for none
  /// @param tokenFile one line, empty for none
  /// @throws IOException if a file cannot be used; the message says which and why
  public static Access of(String keystore, String keystorePassword, String tokenFile)
      throws IOException {
    return new Access(
        keystore.isEmpty() ? null : tls(Path.of(keystore), keystorePassword.toCharArray()),
        keystore.isEmpty()
            ? null
            : PeerTrust.context(Path.of(keystore), keystorePassword.toCharArray()),
        tokenFile.isEmpty() ? null : header(Path.of(tokenFile)));
  }

  private static SSLContext tls(Path file, char[] password) throws IOException {
    try (var in = Files.newInputStream(file)) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException(
          "http.keystore: %s cannot be used (%s)".formatted(file, e.getMessage()), e);
    }
  }

  private static byte[] header(Path file) throws IOException {
    String token;
    try {
      token = Files.readString(file).strip();
    } catch (IOException e) {
      throw new IOException("http.tokenFile: %s cannot be read".formatted(file), e);
    }
    if (token.length() < SHORTEST_TOKEN || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IOException(
          "http.tokenFile: %s must hold one line of at least %d printable characters"
              .formatted(file, SHORTEST_TOKEN));
    }
    return ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
  }

  /// How to reach other instances of the same configuration, empty for in clear.
  public Optional<SSLContext> ofPeers() {
    return Optional.ofNullable(peers);
  }

  /// What to say to them, empty where nothing is asked for.
  public Optional<String> authorization() {
    return Optional.ofNullable(header).map(value -> new String(value, StandardCharsets.UTF_8));
  }

  /// A server that is not started yet. Its bounds are the JDK's, which reads them once, when the first server of a
  /// process is made; -D on the command line wins.
  ///
  /// @param connections at once; further ones are closed as they come
  public HttpServer server(InetSocketAddress address, int backlog, int connections)
      throws IOException {
    bound("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
    bound("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
    bound("jdk.httpserver.maxConnections", connections);
    if (tls == null) {
      return HttpServer.create(address, backlog);
    }
    var server = HttpsServer.create(address, backlog);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private static void bound(String property, int value) {
    System.getProperties().putIfAbsent(property, Integer.toString(value));
  }

  /// Why a request is not answered.
  ///
  /// @param header one that the answer must have, with its value
  public record Refusal(int status, String reason, Map<String, String> header) {}

  /// What is wrong with this request, before anybody looks at what it asks for. Takes equally long for every wrong
  /// token.
  public Optional<Refusal> refusal(HttpExchange exchange) {
    var method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return refused(
          405, "this method is not possible here, only GET and HEAD", Map.of("Allow", "GET, HEAD"));
    }
    var headers = exchange.getRequestHeaders();
    var length = headers.getFirst("Content-Length");
    if (headers.containsKey("Transfer-Encoding") || (length != null && !length.equals("0"))) {
      return refused(413, "requests carry no body here", Map.of());
    }
    if (!allows(exchange)) {
      return refused(401, "a bearer token is needed", Map.of("WWW-Authenticate", "Bearer"));
    }
    return Optional.empty();
  }

  private static Optional<Refusal> refused(int status, String reason, Map<String, String> header) {
    return Optional.of(new Refusal(status, reason, header));
  }

  private boolean allows(HttpExchange exchange) {
    if (header == null || PROBES.contains(exchange.getRequestURI().getPath())) {
      return true;
    }
    var given = exchange.getRequestHeaders().getFirst("Authorization");
    return given != null && MessageDigest.isEqual(header, given.getBytes(StandardCharsets.UTF_8));
  }
}
