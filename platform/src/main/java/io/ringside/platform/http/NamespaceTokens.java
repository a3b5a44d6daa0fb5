package io.ringside.platform.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Bearer tokens that each allow one namespace, from a file with a line `namespace: token` for
/// each. A namespace may have several tokens, so that one can replace another.
final class NamespaceTokens {
  static final NamespaceTokens NONE = new NamespaceTokens(List.of());

  private final List<Opens> all;

  private NamespaceTokens(List<Opens> all) {
    this.all = List.copyOf(all);
  }

  /// @param authorization value of the header with the token
  private record Opens(String namespace, String authorization) {}

  /// @param file empty lines and lines that begin with # are ignored
  /// @param authorization header value that allows all namespaces
  /// @throws IOException if the file cannot be used; the message contains the reason, but no token
  static NamespaceTokens of(Path file, String authorization) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new IOException("http.namespaceTokens: %s cannot be read".formatted(file), e);
    }
    var all = new ArrayList<Opens>();
    var taken = new HashSet<>(Set.of(authorization));
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      var said = "Bearer " + line.substring(colon + 1).strip();
      if (colon < 1 || !Access.isToken(said.substring("Bearer ".length()))) {
        throw wrong(file, i, "must be `namespace: token`, with %d printable characters at least");
      }
      if (!taken.add(said)) {
        throw wrong(file, i, "names a token that opens something else already");
      }
      all.add(new Opens(line.substring(0, colon).strip(), said));
    }
    return new NamespaceTokens(all);
  }

  private static IOException wrong(Path file, int index, String why) {
    return new IOException(
        "http.namespaceTokens: line %d of %s ".formatted(index + 1, file)
            + why.formatted(Access.SHORTEST_TOKEN));
  }

  /// The namespace that this header value allows, if any. Takes the same time for all values.
  Optional<String> opened(String authorization) {
    var given = authorization.getBytes(StandardCharsets.UTF_8);
    var opened =
        all.stream()
            .filter(
                each ->
                    MessageDigest.isEqual(
                        each.authorization().getBytes(StandardCharsets.UTF_8), given))
            .map(Opens::namespace)
            .collect(Collectors.toSet());
    return opened.stream().findFirst();
  }
}
