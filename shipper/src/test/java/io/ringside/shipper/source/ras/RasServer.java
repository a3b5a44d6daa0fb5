package io.ringside.shipper.source.ras;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// RAS on loopback, as NCCL speaks it, and others that are worse.
public final class RasServer implements AutoCloseable {
  /// How it behaves.
  public enum Kind {
    /// NCCL 2.28.7 and later.
    NEW,
    /// Before: no `SET FORMAT`.
    OLD,
    /// Takes connections and says nothing.
    HANGS,
    /// Greets, and then sends a byte now and then for ever.
    TRICKLES,
    /// Something else listens there.
    HTTP,
    /// Greets and sends random bytes.
    GARBAGE,
    /// Sends without end.
    HUGE,
    /// Closes in the middle of an answer.
    CUTS
  }

  private final ServerSocket listening;
  private final Kind kind;
  private final String json;
  private final String text;

  /// The commands of all clients.
  final BlockingQueue<String> commands = new LinkedBlockingQueue<>();

  public RasServer(Kind kind, String json, String text) throws IOException {
    this(kind, json, text, 0);
  }

  /// @param port 0 for any that is free
  RasServer(Kind kind, String json, String text, int port) throws IOException {
    this.kind = kind;
    this.json = json;
    this.text = text;
    listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort());
  }

  public String name() {
    return "127.0.0.1:" + listening.getLocalPort();
  }

  private void serve() {
    while (!listening.isClosed()) {
      try {
        var client = listening.accept();
        Thread.ofVirtual().start(() -> speak(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void speak(Socket client) {
    try (client) {
      var out = client.getOutputStream();
      var in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
      boolean asJson = false;
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        commands.add(line);
        if (kind == Kind.HANGS) {
          continue;
        }
        if (kind == Kind.HTTP) {
          say(out, "HTTP/1.1 400 Bad Request\r\n\r\nsecret");
          return;
        }
        if (line.startsWith("CLIENT PROTOCOL")) {
          say(out, "SERVER PROTOCOL 2\n");
        } else if (line.startsWith("TIMEOUT ")) {
          say(out, "OK\n");
        } else if (line.startsWith("SET FORMAT ")) {
          asJson = kind != Kind.OLD && line.endsWith("json");
          say(out, kind == Kind.OLD ? "ERROR: Unknown command " + line + "\n" : "OK\n");
        } else if (line.equals("VERBOSE STATUS")) {
          status(out, asJson ? json : text);
          return;
        }
      }
    } catch (IOException e) {
      // the client had enough
    }
  }

  private void status(OutputStream out, String answer) throws IOException {
    switch (kind) {
      case NEW, OLD -> say(out, answer);
      case CUTS -> say(out, answer.substring(0, answer.length() / 2));
      case GARBAGE -> out.write(new byte[] {0, (byte) 0xff, '{', '\n', 7, 0, 0});
      case HUGE -> {
        while (true) {
          say(out, "{\"nccl_version\"".repeat(1_000));
        }
      }
      case TRICKLES -> {
        while (true) {
          say(out, "{");
          pause();
        }
      }
      case HANGS, HTTP -> throw new IllegalStateException("never asked");
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void say(OutputStream out, String words) throws IOException {
    out.write(words.getBytes(UTF_8));
    out.flush();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
