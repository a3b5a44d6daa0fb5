package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/// An HTTP/1.1 response: its status, and its body as it arrives. It has a time limit, however
/// slowly the server sends.
final class Answer implements AutoCloseable {
  private static final int LONGEST_LINE = 8 * 1024;
  private static final int MOST_LINES = 128;

  /// Most hexadecimal digits of a chunk's length; real chunks are shorter.
  private static final int LONGEST_LENGTH = 8;

  private final Socket socket;
  private final InputStream in;
  private final long deadline;
  private final LongSupplier ticker;
  private final int status;
  private final boolean chunked;

  /// Bytes left of the chunk or the body, -1 for a body that lasts until the connection ends.
  private long left;

  private boolean begun;
  private boolean over;

  private Answer(Socket socket, Duration whole, LongSupplier ticker) throws IOException {
    this.socket = socket;
    this.ticker = ticker;
    this.deadline = ticker.getAsLong() + whole.toNanos();
    this.in = new BufferedInputStream(new Patient(), LONGEST_LINE);
    int code;
    long length;
    boolean chunks;
    do { // a status below 200 means that another response follows
      code = code(line());
      length = -1;
      chunks = false;
      int lines = 0;
      for (var line = line(); !line.isEmpty(); line = line()) {
        if (++lines > MOST_LINES) {
          throw new IOException("endless head");
        }
        var lower = line.toLowerCase(Locale.ROOT);
        chunks |= lower.startsWith("transfer-encoding:") && lower.endsWith("chunked");
        if (lower.startsWith("content-length:")) {
          length = number(lower.substring(lower.indexOf(':') + 1).strip(), 10);
        }
      }
    } while (code < 200);
    this.status = code;
    this.chunked = chunks;
    this.left = chunks ? 0 : length;
  }

  /// Reads the head. From then on the response owns the socket.
  ///
  /// @param whole time limit for the whole response
  static Answer of(Socket socket, Duration whole, LongSupplier ticker) throws IOException {
    return new Answer(socket, whole, ticker);
  }

  int status() {
    return status;
  }

  /// The body, without the chunk lengths. If the connection breaks off, reading throws an
  /// exception.
  InputStream body() {
    return new Body();
  }

  /// Ends a blocked read as well.
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // already closed
    }
  }

  private static int code(String line) throws IOException {
    if (!line.startsWith("HTTP/1.") || line.length() < 12) {
      throw new IOException("no HTTP");
    }
    return (int) number(line.substring(9, 12), 10);
  }

  private static long number(String text, int radix) throws IOException {
    try {
      return Long.parseUnsignedLong(text, radix);
    } catch (NumberFormatException e) {
      throw new IOException("no length", e);
    }
  }

  private String line() throws IOException {
    var line = new byte[LONGEST_LINE];
    int length = 0;
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("cut");
      }
      if (length == line.length) {
        throw new IOException("endless line");
      }
      line[length++] = (byte) b;
    }
    return new String(line, 0, length, US_ASCII).strip();
  }

  /// Reads the head of the next chunk.
  private void chunk() throws IOException {
    if (begun && !line().isEmpty()) {
      throw new IOException("no end of a chunk");
    }
    begun = true;
    var length = line().split(";", 2)[0].strip();
    if (length.length() > LONGEST_LENGTH) {
      throw new IOException("endless chunk");
    }
    left = number(length, 16);
    over = left == 0;
  }

  /// Implements single-byte reads by block reads.
  private abstract static class Blocks extends InputStream {
    private final byte[] one = new byte[1];

    @Override
    public int read() throws IOException {
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] bytes, int from, int length) throws IOException;
  }

  private final class Body extends Blocks {
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      if (chunked && !over && left == 0) {
        chunk();
      }
      if (over || left == 0) {
        return -1;
      }
      int read = in.read(bytes, from, (int) (left < 0 ? length : Math.min(length, left)));
      if (read < 0 && left > 0) {
        throw new EOFException("cut");
      }
      left -= left > 0 ? read : 0;
      return read;
    }
  }

  /// Limits each read to the time that is left.
  private final class Patient extends Blocks {
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      long millis = (deadline - ticker.getAsLong()) / 1_000_000;
      if (millis <= 0) {
        throw new SocketTimeoutException("no time left");
      }
      socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, millis));
      return socket.getInputStream().read(bytes, from, length);
    }
  }
}
