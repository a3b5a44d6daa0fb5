package io.ringside.platform.http;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// An HTTP request without a body.
///
/// @param method as it was sent
/// @param uri the target
/// @param headers by name, ignoring case; the first of several with the same name
public record ReceivedRequest(String method, URI uri, Map<String, String> headers) {
  public ReceivedRequest {
    var anyCase = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /// Path of the target, percent-encoded as it was sent.
  public String path() {
    return Optional.ofNullable(uri.getRawPath()).orElse("");
  }

  boolean keepsAlive(boolean byDefault) {
    return header("Connection")
        .map(
            said ->
                byDefault ? !said.equalsIgnoreCase("close") : said.equalsIgnoreCase("keep-alive"))
        .orElse(byDefault);
  }
}
