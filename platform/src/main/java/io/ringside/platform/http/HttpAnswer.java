package io.ringside.platform.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// An HTTP response. The {@link HttpListener} adds its length and decides whether the connection
/// stays open.
///
/// @param headers by name
/// @param body not sent if only the headers are requested
@SuppressWarnings("ArrayRecordComponent") // the bytes are sent once and never compared
public record HttpAnswer(int status, Map<String, String> headers, byte[] body) {
  /// A line of text.
  public static HttpAnswer text(int status, String text) {
    return new HttpAnswer(
        status,
        Map.of(
            "Content-Type", "text/plain; charset=utf-8",
            "Cache-Control", "no-store",
            "X-Content-Type-Options", "nosniff"),
        text.getBytes(StandardCharsets.UTF_8));
  }
}
