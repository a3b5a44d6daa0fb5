package io.ringside.shipper.source.ras;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Makes one query to NCCL's RAS: `CLIENT PROTOCOL 2`, then the collection timeout, the format and
/// `VERBOSE STATUS` (src/ras/client.cc and client_support.cc, NCCL 2.24.3 to 2.30). RAS answers
/// each command with a line, then sends the full status and closes. Versions before 2.28.7 do not
/// know `SET FORMAT`: they answer with an error line and send text.
///
/// @param connect time limit for the connection
/// @param whole time limit for the whole query
/// @param collect seconds that RAS itself may wait for its peers
/// @param most limit of the bytes read
record RasClient(Duration connect, Duration whole, int collect, int most, LongSupplier ticker) {
  private static final String HELLO = "CLIENT PROTOCOL 2\n";
  private static final String GREETING = "SERVER PROTOCOL ";
  private static final int LONGEST_GREETING = 64;

  /// @param json whether to request JSON
  RasReply ask(InetSocketAddress address, boolean json) {
    long deadline = ticker.getAsLong() + whole.toNanos();
    try (var socket = new Socket()) {
      socket.connect(address, (int) connect.toMillis());
      var out = socket.getOutputStream();
      out.write(HELLO.getBytes(US_ASCII));
      var in = socket.getInputStream();
      if (!greeting(socket, in, deadline).startsWith(GREETING)) {
        return new RasReply.None(Failure.GARBAGE);
      }
      out.write(
          "TIMEOUT %d\n%sVERBOSE STATUS\n"
              .formatted(collect, json ? "SET FORMAT json\n" : "")
              .getBytes(US_ASCII));
      return rest(socket, in, deadline);
    } catch (SocketTimeoutException e) {
      return new RasReply.None(
          ticker.getAsLong() < deadline && String.valueOf(e.getMessage()).startsWith("Connect")
              ? Failure.ABSENT
              : Failure.TIMEOUT);
    } catch (ConnectException | NoRouteToHostException | java.net.UnknownHostException e) {
      return new RasReply.None(Failure.ABSENT);
    } catch (IOException e) {
      return new RasReply.None(Failure.GARBAGE);
    }
  }

  private String greeting(Socket socket, InputStream in, long deadline) throws IOException {
    var line = new StringBuilder();
    while (line.length() < LONGEST_GREETING) {
      patience(socket, deadline);
      int c = in.read();
      if (c < 0 || c == '\n') {
        break;
      }
      line.append((char) c);
    }
    return line.toString();
  }

  private RasReply rest(Socket socket, InputStream in, long deadline) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var buffer = new byte[16 * 1024];
    while (true) {
      patience(socket, deadline);
      int read = in.read(buffer);
      if (read < 0) {
        break;
      }
      if (bytes.size() + read > most) {
        return new RasReply.None(Failure.TOO_LARGE);
      }
      bytes.write(buffer, 0, read);
    }
    return answer(bytes.toString(UTF_8));
  }

  /// Limits each read to the time that is left, so that a server that sends a byte a second does
  /// not get more time.
  private void patience(Socket socket, long deadline) throws IOException {
    long left = (deadline - ticker.getAsLong()) / 1_000_000;
    if (left <= 0) {
      throw new SocketTimeoutException("no time left");
    }
    socket.setSoTimeout((int) left);
  }

  /// Removes the replies to the commands. Text that does not look like RAS is rejected, since any
  /// service may listen at the address.
  private static RasReply answer(String said) {
    int at = 0;
    while (said.startsWith("OK\n", at) || said.startsWith("ERROR: ", at)) {
      int end = said.indexOf('\n', at);
      if (end < 0) {
        break;
      }
      at = end + 1;
    }
    var body = said.substring(at).strip();
    boolean json =
        body.startsWith("{")
            && body.endsWith("}")
            && body.contains("\"nccl_version\"")
            && body.contains("\"communicators\"");
    boolean text = body.startsWith("NCCL version ") && body.contains("Communicators...");
    return json || text ? new RasReply.Answer(json, body) : new RasReply.None(Failure.GARBAGE);
  }
}
