package io.ringside.platform.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Controls who may send requests and whether the connection is encrypted: TLS with a certificate
/// from a PKCS12 file, a bearer token from a file, and further tokens that each allow one
/// namespace. All are optional. Probes need no token, since a kubelet has none. Only GET and HEAD
/// are answered, and bodies are not read. If no token is configured, any web page that a user opens
/// could send requests through the browser. So only requests to an address or to one of the
/// program's own names are answered, since any other name may have been pointed here by anyone (DNS
/// rebinding). Immutable.
public final class Access {
  /// Allows everyone, without TLS.
  public static final Access OPEN = new Access(null, null, null, NamespaceTokens.NONE, Set.of());

  private static final Set<String> PROBES = Set.of("/healthz", "/readyz");
  static final int SHORTEST_TOKEN = 16;

  /// Names of this machine and of containers, services and machines inside a cluster or network. A
  /// public name never has only one part or one of these endings.
  private static final Pattern INSIDE =
      Pattern.compile(
          "(?i)[a-z0-9_-]+|([a-z0-9_-]+\\.)+(localhost|local|internal|svc|lan|home\\.arpa)");

  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-fA-F:.%]+\\]");

  private final @Nullable SSLContext tls;
  private final @Nullable SSLContext peers;
  private final byte @Nullable [] header;
  private final NamespaceTokens namespaces;
  private final Set<String> names;

  private Access(
      @Nullable SSLContext tls,
      @Nullable SSLContext peers,
      byte @Nullable [] header,
      NamespaceTokens namespaces,
      Set<String> names) {
    this.tls = tls;
    this.peers = peers;
    this.header = header;
    this.namespaces = namespaces;
    this.names = names;
  }

  /// The same access with further names of this program.
  ///
  /// @param commaSeparated names without ports
  public Access under(String commaSeparated) {
    var all = new HashSet<>(names);
    for (var name : commaSeparated.split(",")) {
      if (!name.isBlank()) {
        all.add(name.strip().toLowerCase(Locale.ROOT));
      }
    }
    return new Access(tls, peers, header, namespaces, Set.copyOf(all));
  }

  /// The same access with further tokens, each limited to one namespace.
  ///
  /// @param file one line `namespace: token` for each token, empty for none; read once
  /// @throws IOException if the file cannot be used; the message names the file and the reason
  public Access opening(String file) throws IOException {
    if (file.isEmpty()) {
      return this;
    }
    if (header == null) {
      throw new IOException(
          "http.namespaceTokens needs http.tokenFile: without that everybody sees all namespaces");
    }
    var tokens = NamespaceTokens.of(Path.of(file), new String(header, StandardCharsets.UTF_8));
    return new Access(tls, peers, header, tokens, names);
  }

  /// Reads the files once; a new certificate or token needs a restart.
  ///
  /// @param keystore PKCS12, empty for none
  /// @param tokenFile one line, empty for none
  /// @throws IOException if a file cannot be used; the message names the file and the reason
  public static Access of(String keystore, String keystorePassword, String tokenFile)
      throws IOException {
    return new Access(
        keystore.isEmpty() ? null : tls(Path.of(keystore), keystorePassword.toCharArray()),
        keystore.isEmpty()
            ? null
            : PeerTrust.context(Path.of(keystore), keystorePassword.toCharArray()),
        tokenFile.isEmpty() ? null : header(Path.of(tokenFile)),
        NamespaceTokens.NONE,
        Set.of());
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
    if (!isToken(token)) {
      throw new IOException(
          "http.tokenFile: %s must hold one line of at least %d printable characters"
              .formatted(file, SHORTEST_TOKEN));
    }
    return ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
  }

  static boolean isToken(String text) {
    return text.length() >= SHORTEST_TOKEN && text.chars().allMatch(c -> c > ' ' && c < 127);
  }

  /// TLS for connections to other instances of the same configuration, empty for connections
  /// without TLS.
  public Optional<SSLContext> ofPeers() {
    return Optional.ofNullable(peers);
  }

  /// The authorization header for those connections, empty if no token is configured.
  public Optional<String> authorization() {
    return Optional.ofNullable(header).map(value -> new String(value, StandardCharsets.UTF_8));
  }

  /// Starts to listen.
  ///
  /// @param answers handles requests that are not refused
  /// @param refused makes the response to a refused request
  /// @throws IOException if the address is taken
  public HttpListener open(
      InetSocketAddress address,
      HttpListener.Bounds bounds,
      Function<ReceivedRequest, HttpAnswer> answers,
      Function<Refusal, HttpAnswer> refused)
      throws IOException {
    return HttpListener.open(
        address,
        tls,
        bounds,
        request -> refusal(request).map(refused).orElseGet(() -> answers.apply(request)));
  }

  /// Why a request is refused.
  ///
  /// @param header a header that the response must have, with its value
  public record Refusal(int status, String reason, Map<String, String> header) {}

  /// Checks a request before its target is looked at. Takes the same time for every wrong token.
  Optional<Refusal> refusal(ReceivedRequest request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return refused(
          405, "this method is not possible here, only GET and HEAD", Map.of("Allow", "GET, HEAD"));
    }
    if (request.header("Transfer-Encoding").isPresent()
        || !request.header("Content-Length").orElse("0").equals("0")) {
      return refused(413, "requests carry no body here", Map.of());
    }
    if (header == null && !request.header("Host").map(this::isOwn).orElse(true)) {
      return refused(
          421, "this name is not known here; http.names may tell further ones", Map.of());
    }
    if (!allows(request)) {
      return refused(401, "a bearer token is needed", Map.of("WWW-Authenticate", "Bearer"));
    }
    return Optional.empty();
  }

  private boolean isOwn(String host) {
    var name = host.replaceFirst(":\\d*$", "");
    return ADDRESS.matcher(name).matches()
        || INSIDE.matcher(name).matches()
        || names.contains(name.toLowerCase(Locale.ROOT));
  }

  private static Optional<Refusal> refused(int status, String reason, Map<String, String> header) {
    return Optional.of(new Refusal(status, reason, header));
  }

  private boolean allows(ReceivedRequest request) {
    if (header == null || PROBES.contains(request.path())) {
      return true;
    }
    var given = request.header("Authorization");
    return given.isPresent()
        && (MessageDigest.isEqual(header, given.get().getBytes(StandardCharsets.UTF_8))
            || namespace(request).isPresent());
  }

  /// The one namespace that the sender may see; empty for all.
  public Optional<String> namespace(ReceivedRequest request) {
    return request.header("Authorization").flatMap(namespaces::opened);
  }
}
