package io.ringside.streams.publish.http;

import io.ringside.platform.http.ReceivedRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A client's request, decoded.
///
/// @param path segments: `/api/jobs` is `["api", "jobs"]`, and so is `/api/v1/jobs`, since paths of
///     the first version of the API had no version
/// @param query parameters, each at most once
/// @param accept the Accept header, empty if absent
/// @param etag the If-None-Match header, empty if absent
/// @param only the only namespace that the client may see, empty for all
public record Request(
    List<String> path,
    Map<String, String> query,
    String accept,
    String etag,
    Optional<String> only) {
  private static final int MAX_URI = 2_048;
  private static final String NAMESPACE = "namespace";

  public Request {
    path =
        path.size() > 1 && path.getFirst().equals("api") && path.get(1).equals("v1")
            ? Stream.concat(Stream.of("api"), path.stream().skip(2)).toList()
            : List.copyOf(path);
  }

  /// A request of a client that may see everything.
  public Request(List<String> path, Map<String, String> query, String accept, String etag) {
    this(path, query, accept, etag, Optional.empty());
  }

  /// The same for a client that may see one namespace: requests for all namespaces become requests
  /// for that one.
  ///
  /// @throws RefusedRequest if another namespace is requested
  Request within(String namespace) {
    if (!query.getOrDefault(NAMESPACE, namespace).equals(namespace)) {
      throw new RefusedRequest(403, "this token opens namespace '%s' alone".formatted(namespace));
    }
    var asked = new LinkedHashMap<>(query);
    asked.put(NAMESPACE, namespace);
    return new Request(path, asked, accept, etag, Optional.of(namespace));
  }

  /// Requires that the client may see all namespaces.
  ///
  /// @throws RefusedRequest if it may not
  public void needsAllNamespaces() {
    if (only.isPresent()) {
      throw new RefusedRequest(
          403, "this is of all namespaces, and this token opens '%s' alone".formatted(only.get()));
    }
  }

  /// @throws RefusedRequest if the request cannot be decoded
  static Request of(ReceivedRequest asked) {
    var uri = asked.uri();
    if (uri.toString().length() > MAX_URI) {
      throw new RefusedRequest(414, "the address is longer than " + MAX_URI + " characters");
    }
    return new Request(
        path(asked.path()),
        query(uri.getRawQuery()),
        asked.header("Accept").orElse(""),
        asked.header("If-None-Match").orElse(""));
  }

  /// The parameter, if it was given.
  Optional<String> parameter(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /// Refuses unknown parameters, which would otherwise silently do nothing.
  void allowOnly(Set<String> names) {
    for (var name : query.keySet()) {
      if (!names.contains(name)) {
        throw new RefusedRequest(
            400,
            names.isEmpty()
                ? "no parameter is known here, got '%s'".formatted(name)
                : "unknown parameter '%s', known: %s"
                    .formatted(name, String.join(", ", names.stream().sorted().toList())));
      }
    }
  }

  private static List<String> path(String raw) {
    return Arrays.stream(raw.split("/", -1))
        .filter(part -> !part.isEmpty())
        .map(part -> decode(part.replace("+", "%2B")))
        .toList();
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return query;
    }
    for (var pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw new RefusedRequest(400, "parameter '%s' has no value".formatted(decode(pair)));
      }
      var name = decode(pair.substring(0, equals));
      if (query.put(name, decode(pair.substring(equals + 1))) != null) {
        throw new RefusedRequest(400, "parameter '%s' is given twice".formatted(name));
      }
    }
    return query;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new RefusedRequest(400, "the address is not valid percent-encoding");
    }
  }
}
