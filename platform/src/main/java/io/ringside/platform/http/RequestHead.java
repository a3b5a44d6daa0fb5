package io.ringside.platform.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The lines of a request up to the empty one (RFC 9112), read byte by byte up to a limit.
/// Ambiguous input is refused: folded lines, names with blanks, and duplicate lengths or hosts.
///
/// @param persistent whether the connection stays open by default, as in HTTP/1.1
record RequestHead(ReceivedRequest asked, boolean persistent) {
  private static final int MOST_BYTES = 16 << 10;
  private static final Set<String> ONCE =
      Set.of("host", "content-length", "transfer-encoding", "authorization");

  /// The request is malformed; the response has this status.
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;
    private final int status;

    Malformed(int status, String reason) {
      super(reason);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  /// The next request; empty if the other side has closed the connection before it.
  ///
  /// @param begun called once the first byte has arrived
  static Optional<RequestHead> read(InputStream in, Runnable begun) throws IOException, Malformed {
    var head = new ByteArrayOutputStream(512);
    int lineLength = 0;
    while (true) {
      int next = in.read();
      if (next < 0) {
        return Optional.empty();
      }
      if (head.size() == 0) {
        begun.run();
        if (next == '\r' || next == '\n') {
          throw new Malformed(400, "a request begins with its method");
        }
      }
      head.write(next);
      if (next == '\n') {
        if (lineLength == 0) {
          return Optional.of(parse(head.toString(ISO_8859_1)));
        }
        lineLength = 0;
      } else if (next != '\r') {
        lineLength++;
      }
      if (head.size() >= MOST_BYTES) {
        throw new Malformed(431, "a request of more than " + MOST_BYTES + " bytes");
      }
    }
  }

  private static RequestHead parse(String text) throws Malformed {
    var lines = text.split("\r?\n");
    var first = lines[0].split(" ", -1);
    if (first.length != 3 || !isToken(first[0]) || !first[2].matches("HTTP/1\\.[01]")) {
      throw new Malformed(400, "this is not an HTTP/1.1 request");
    }
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon < 0 || !isToken(lines[i].substring(0, colon))) {
        throw new Malformed(400, "a header is its name, a colon and its value");
      }
      var name = lines[i].substring(0, colon).toLowerCase(java.util.Locale.ROOT);
      var value = lines[i].substring(colon + 1).strip();
      if (value.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 127)) {
        throw new Malformed(400, "a header's value is printable");
      }
      if (headers.putIfAbsent(name, value) != null && ONCE.contains(name)) {
        throw new Malformed(400, "this header is given twice: " + name);
      }
    }
    try {
      return new RequestHead(
          new ReceivedRequest(first[0], new URI(first[1]), headers), first[2].equals("HTTP/1.1"));
    } catch (URISyntaxException e) {
      throw new Malformed(400, "this is not a valid address");
    }
  }

  private static boolean isToken(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> c > ' ' && c < 127 && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0);
  }
}
