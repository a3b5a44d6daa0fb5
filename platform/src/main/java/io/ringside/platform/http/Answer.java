package io.ringside.platform.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// What goes back over HTTP. Its length and whether the connection stays open are the door's to
/// say.
///
/// @param headers by name
/// @param body left out where only the headers are asked for
@SuppressWarnings("ArrayRecordComponent") // the bytes go out once and are never compared
public record Answer(int status, Map<String, String> headers, byte[] body) {
  /// A line of text.
  public static Answer text(int status, String text) {
    return new Answer(
        status,
        Map.of(
            "Content-Type", "text/plain; charset=utf-8",
            "Cache-Control", "no-store",
            "X-Content-Type-Options", "nosniff"),
        text.getBytes(StandardCharsets.UTF_8));
  }
}
