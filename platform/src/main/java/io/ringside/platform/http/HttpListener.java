package io.ringside.platform.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A listener for requests without bodies, with a virtual thread for each connection. Limits ensure
/// that no client can block others: connections in total and per address, and seconds for a request
/// to arrive and for its response to be taken. At a limit, the idle connection that has waited
/// longest is closed; if none is idle, the new one is.
///
/// The JDK's server has no limit per address, and closes the newest connection. Thread-safe.
public final class HttpListener implements AutoCloseable {
  private static final int BACKLOG = 512;
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final int MOST_DRAINED = 1 << 20;

  /// @param connections limit in total
  /// @param ofAddress limit per address; for IPv6 per network of 64 bits
  /// @param handshake time for the TLS handshake
  /// @param request time for a request to arrive, from the start of the connection or the request's
  ///     first byte
  /// @param idle time between two requests
  /// @param answer time for a response to be made and taken
  public record Bounds(
      int connections,
      int ofAddress,
      Duration handshake,
      Duration request,
      Duration idle,
      Duration answer) {
    /// The given limit in total and a quarter of it per address.
    public static Bounds of(int connections) {
      return new Bounds(
          connections,
          Math.max(1, connections / 4),
          Duration.ofSeconds(5),
          Duration.ofSeconds(2),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60));
    }
  }

  private final ServerSocket listener;
  private final @Nullable SSLContext tls;
  private final Bounds bounds;
  private final Function<ReceivedRequest, HttpAnswer> answers;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ringside-http-clock").factory());

  private HttpListener(
      ServerSocket listener,
      @Nullable SSLContext tls,
      Bounds bounds,
      Function<ReceivedRequest, HttpAnswer> answers) {
    this.listener = listener;
    this.tls = tls;
    this.bounds = bounds;
    this.answers = answers;
  }

  /// Starts to listen.
  ///
  /// @param tls null for no TLS
  /// @param answers called from many threads at once
  /// @throws IOException if the address is taken
  static HttpListener open(
      InetSocketAddress address,
      @Nullable SSLContext tls,
      Bounds bounds,
      Function<ReceivedRequest, HttpAnswer> answers)
      throws IOException {
    var listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(address, BACKLOG);
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
    var opened = new HttpListener(listener, tls, bounds, answers);
    Thread.ofPlatform().daemon().name("ringside-http").start(opened::listen);
    var _ =
        opened.clock.scheduleWithFixedDelay(
            opened::cutOff, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    return opened;
  }

  /// The address that it listens on, with the actual port.
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException _) {
      // it no longer listens in any case
    }
    clock.shutdownNow();
    open.forEach(Connection::cut);
    threads.shutdownNow();
  }

  private void listen() {
    while (!listener.isClosed()) {
      Socket socket;
      try {
        socket = listener.accept();
      } catch (IOException _) {
        // closed, or the process is out of file descriptors: the clock closes some connections soon
        LockSupport.parkNanos(LOOK.toNanos());
        continue;
      }
      var connection = new Connection(socket);
      if (makeRoom(connection)) {
        open.add(connection);
        threads.execute(connection::serve);
      } else {
        connection.cut();
      }
    }
  }

  private boolean makeRoom(Connection coming) {
    long ofAddress = open.stream().filter(other -> other.from.equals(coming.from)).count();
    if (ofAddress >= bounds.ofAddress()) {
      return cutOldestIdle(Optional.of(coming.from));
    }
    return open.size() < bounds.connections() || cutOldestIdle(Optional.empty());
  }

  private boolean cutOldestIdle(Optional<Origin> of) {
    var oldest =
        open.stream()
            .filter(connection -> connection.idle)
            .filter(connection -> of.isEmpty() || of.get().equals(connection.from))
            .min(Comparator.comparingLong(connection -> connection.since));
    oldest.ifPresent(Connection::cut);
    return oldest.isPresent();
  }

  private void cutOff() {
    long now = System.nanoTime();
    for (var connection : open) {
      if (now - connection.deadline > 0) {
        connection.cut();
      }
    }
  }

  /// One client.
  private final class Connection {
    private final Socket socket;
    private final Origin from;

    /// Whether no byte of a request has arrived. The connection's own thread writes it, others read
    /// it.
    private volatile boolean idle = true;

    private volatile long since = System.nanoTime();
    private volatile long deadline;

    Connection(Socket socket) {
      this.socket = socket;
      from = Origin.of(socket.getInetAddress());
      within(tls == null ? bounds.request() : bounds.handshake());
    }

    private void within(Duration time) {
      deadline = System.nanoTime() + time.toNanos();
    }

    void cut() {
      open.remove(this);
      try {
        socket.close();
      } catch (IOException _) {
        // it is of no use in any case
      }
    }

    private void serve() {
      try (var wire = secured()) {
        var in = new BufferedInputStream(wire.getInputStream(), 2 << 10);
        boolean more = true;
        while (more) {
          more = next(in, wire);
        }
      } catch (IOException _) {
        // the client went away or was cut off
      } finally {
        cut();
      }
    }

    private Socket secured() throws IOException {
      socket.setTcpNoDelay(true);
      if (tls == null) {
        return socket;
      }
      var secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, true);
      secured.setUseClientMode(false);
      secured.startHandshake();
      within(bounds.request());
      return secured;
    }

    /// @return whether another request may follow
    private boolean next(BufferedInputStream in, Socket wire) throws IOException {
      RequestHead head;
      try {
        var read = RequestHead.read(in, this::begun);
        if (read.isEmpty()) {
          return false;
        }
        head = read.get();
      } catch (RequestHead.Malformed e) {
        within(bounds.request());
        send(wire, HttpAnswer.text(e.status(), String.valueOf(e.getMessage())), true, false);
        drain(in, wire);
        return false;
      }
      within(bounds.answer());
      var answer = answers.apply(head.asked());
      boolean stays = head.asked().keepsAlive(head.persistent()) && answer.status() < 400;
      send(wire, answer, !head.asked().method().equals("HEAD"), stays);
      if (!stays) {
        within(bounds.request());
        drain(in, wire);
        return false;
      }
      since = System.nanoTime();
      idle = in.available() == 0;
      within(idle ? bounds.idle() : bounds.request());
      return true;
    }

    private void begun() {
      idle = false;
      within(bounds.request());
    }

    private void send(Socket wire, HttpAnswer answer, boolean withBody, boolean stays)
        throws IOException {
      var head = new StringBuilder(256);
      head.append("HTTP/1.1 ")
          .append(answer.status())
          .append(' ')
          .append(reason(answer.status()))
          .append("\r\n");
      answer
          .headers()
          .forEach(
              (name, value) ->
                  head.append(name).append(": ").append(printable(value)).append("\r\n"));
      if (answer.status() != 304) {
        head.append("Content-Length: ").append(answer.body().length).append("\r\n");
      }
      head.append(stays ? "\r\n" : "Connection: close\r\n\r\n");
      var out = wire.getOutputStream();
      var first = head.toString().getBytes(ISO_8859_1);
      if (!withBody || answer.status() == 304) {
        out.write(first);
      } else {
        var both = java.util.Arrays.copyOf(first, first.length + answer.body().length);
        System.arraycopy(answer.body(), 0, both, first.length, answer.body().length);
        out.write(both);
      }
      out.flush();
    }

    /// Reads the remaining bytes, because closing a connection with unread bytes can destroy the
    /// response.
    private void drain(BufferedInputStream in, Socket wire) throws IOException {
      wire.shutdownOutput();
      var rest = new byte[4 << 10];
      int drained = 0;
      int read = in.read(rest);
      while (read >= 0 && drained < MOST_DRAINED) {
        drained += read;
        read = in.read(rest);
      }
    }
  }

  private static String printable(String value) {
    return value.replaceAll("[\\x00-\\x1f\\x7f]", " ");
  }

  private static String reason(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 304 -> "Not Modified";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 406 -> "Not Acceptable";
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 421 -> "Misdirected Request";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "Status";
    };
  }
}
