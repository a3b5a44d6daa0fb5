package io.ringside.streams.publish.http;

import io.ringside.schemas.serde.EventJson;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A response.
///
/// @param headers in addition to Content-Type and the security headers of every response
@SuppressWarnings("ArrayRecordComponent") // the bytes are sent once and never compared
public record Response(int status, String contentType, Map<String, String> headers, byte[] body) {

  /// Any object as JSON, written by the mapper of the contracts.
  public static Response json(int status, Object value) {
    return new Response(
        status,
        "application/json",
        Map.of("Cache-Control", "no-store"),
        EventJson.MAPPER.writeValueAsBytes(value));
  }

  /// A refusal with its reason, as JSON.
  static Response error(int status, String reason) {
    return json(status, new ErrorBody(status, reason));
  }

  static Response text(int status, String text) {
    return new Response(
        status,
        "text/plain; charset=utf-8",
        Map.of("Cache-Control", "no-store"),
        (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /// The JSON of every error.
  record ErrorBody(int status, String error) {}
}
