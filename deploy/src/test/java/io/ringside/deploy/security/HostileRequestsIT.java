package io.ringside.deploy.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Recordings;
import io.ringside.platform.http.Access;
import io.ringside.platform.http.Probes;
import io.ringside.shipper.observe.HealthPage;
import io.ringside.streams.publish.http.Response;
import io.ringside.streams.publish.http.WebServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is no honest request, at the doors of both programs, byte by byte. Afterwards an honest one
/// is answered.
@Timeout(120)
class HostileRequestsIT {
  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /// More connections than the agent takes.
  private static final int MANY = 80;

  /// More than either takes.
  private static final int IDLE = 600;

  private HealthPage agent;
  private WebServer service;
  private List<Integer> doors;

  @BeforeEach
  void open() throws IOException {
    agent = new HealthPage(FREE, Optional::empty, Optional::empty, () -> "m 1\n", Access.OPEN);
    service =
        WebServer.start(
            FREE,
            List.of(
                request ->
                    request.path().equals(List.of("metrics"))
                        ? Optional.of(Response.json(200, Map.of()))
                        : Optional.empty()),
            Access.OPEN);
    doors = List.of(agent.port(), service.address().getPort());
  }

  @AfterEach
  void close() {
    agent.close();
    service.close();
  }

  @Test
  void onlyReadsAreAnswered() throws IOException {
    for (int door : doors) {
      for (var method : List.of("POST", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT")) {
        assertThat(
                ask(door, method + " /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"))
            .as(method)
            .startsWith("HTTP/1.1 405 ");
      }
      assertThat(ask(door, "GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"))
          .startsWith("HTTP/1.1 413 ");
      assertThat(
              ask(
                  door,
                  "GET /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
          .startsWith("HTTP/1.1 413 ");
      assertThat(ask(door, "HEAD /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("\r\n\r\n");
      answersHonestRequests(door);
    }
  }

  @Test
  void strangeRequestsFindNothing() throws IOException {
    for (int door : doors) {
      for (var path :
          List.of(
              "/metricsandmore",
              "/metrics/../../etc/passwd",
              "/%2e%2e/%2e%2e/etc/passwd",
              "/\u0000",
              "http://evil.example/nothing",
              "*",
              "/healthz%0d%0aSet-Cookie:a=b")) {
        assertThat(ask(door, "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
            .as(path)
            .satisfiesAnyOf(
                answer -> assertThat(answer).isEmpty(),
                answer -> assertThat(answer).matches("(?s)HTTP/1.1 4\\d\\d .*"))
            .doesNotContain("Set-Cookie", "root:");
      }
      for (var garbage :
          List.of("\u0016\u0003\u0001\u0002\u0000", "GET", "\r\n\r\n\r\n", "é ü\r\n\r\n")) {
        assertThat(ask(door, garbage)).doesNotContain(" 200 ");
      }
      answersHonestRequests(door);
    }
  }

  @Test
  void headersWithoutEndAreCutOff() throws IOException {
    for (int door : doors) {
      var line = "GET /metrics HTTP/1.1\r\nHost: a\r\n";
      assertThat(ask(door, line + "A: " + "a".repeat(8 << 20) + "\r\n\r\n"))
          .doesNotContain(" 200 ");
      assertThat(ask(door, line + "A: b\r\n".repeat(100_000) + "\r\n")).doesNotContain(" 200 ");
      assertThat(ask(door, "GET /" + "a".repeat(8 << 20))).doesNotContain(" 200 ");
      answersHonestRequests(door);
    }
  }

  @Test
  void slowClientsHoldTheDoorForSecondsOnly() throws Exception {
    for (int door : doors) {
      var slow = new ArrayList<Socket>();
      try {
        for (int i = 0; i < MANY; i++) {
          var socket = new Socket(InetAddress.getLoopbackAddress(), door);
          slow.add(socket);
          try {
            // some have begun to speak
            socket
                .getOutputStream()
                .write(i % 4 == 0 ? new byte[0] : "GET /met".getBytes(ISO_8859_1));
          } catch (SocketException ignored) {
            // one too many
          }
        }
        Recordings.await(Duration.ofSeconds(45), () -> honest(door));
      } finally {
        for (var socket : slow) {
          socket.close();
        }
      }
    }
  }

  @Test
  void idleConnectionsKeepNobodyOut() throws Exception {
    try (var probes = Probes.open(FREE, Optional::empty, Optional::empty)) {
      for (int door :
          List.of(agent.port(), service.address().getPort(), probes.address().getPort())) {
        var path = door == probes.address().getPort() ? "/healthz" : "/metrics";
        var idle = new ArrayList<Socket>();
        try {
          for (int i = 0; i < IDLE; i++) {
            idle.add(connect("127.0.0." + (1 + i % 50), door));
          }
          for (int i = 0; i < 20; i++) {
            assertThat(honest("127.0.0.1", door, path)).as("%s of %d", path, i).isTrue();
            assertThat(honest("127.0.0.99", door, path)).as("%s of %d", path, i).isTrue();
          }
        } finally {
          close(idle);
        }
      }
    }
  }

  @Test
  void oneAddressTakesItsShareOfConnectionsOnly() throws Exception {
    for (int door : doors) {
      var slow = new ArrayList<Socket>();
      try {
        for (int i = 0; i < IDLE; i++) {
          var socket = connect("127.0.0.1", door);
          slow.add(socket);
          say(socket, "GET /met");
        }
        assertThat(honest("127.0.0.99", door, "/metrics")).isTrue();
      } finally {
        close(slow);
      }
    }
  }

  /// Each has had its answer and may ask again for half a minute, so none goes by itself.
  @Test
  void soManyConnectionsStayOpenInAllAndOfAnAddress() throws Exception {
    for (int door : doors) {
      int most = door == agent.port() ? 64 : 512;
      assertThat(stayingOpen(door, 5, most / 4)).isEqualTo(most);
      assertThat(stayingOpen(door, 1, most / 2)).isEqualTo(most / 4);
    }
  }

  /// Opens so many from so many addresses.
  private static int stayingOpen(int door, int addresses, int each) throws IOException {
    var sockets = new ArrayList<Socket>();
    try {
      for (int i = 0; i < addresses * each; i++) {
        var socket = connect("127.0.0." + (1 + i % addresses), door);
        sockets.add(socket);
        say(socket, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
        socket.setSoTimeout(20_000);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      int open = 0;
      for (var socket : sockets) {
        open += isOpen(socket) ? 1 : 0;
      }
      return open;
    } finally {
      close(sockets);
    }
  }

  private static boolean isOpen(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      socket.getInputStream().readAllBytes();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  @Test
  void slowRequestsAreCutAfterTwoSeconds() throws Exception {
    for (int door : doors) {
      try (var socket = connect("127.0.0.1", door)) {
        socket.setSoTimeout(20_000);
        long began = System.nanoTime();
        say(socket, "GET /metrics HTTP/1.1\r\nHost: a\r\n");
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .isBetween(Duration.ofMillis(1_500), Duration.ofSeconds(15)); // an idle one has 30 s
      }
    }
  }

  @Test
  void namesOfOthersAreNotAnsweredWithoutAToken() throws IOException {
    for (int door : doors) {
      for (var name :
          List.of("evil.example", "evil.example:" + door, "127.0.0.1.evil.example", "")) {
        assertThat(ask(door, "GET /metrics HTTP/1.1\r\nHost: " + name + "\r\n\r\n"))
            .as(name)
            .startsWith("HTTP/1.1 421 ");
      }
      for (var name :
          List.of(
              "localhost:" + door,
              "127.0.0.1:" + door,
              "[::1]:" + door,
              "ringside-streams:9095",
              "ringside-streams.ringside.svc",
              "ringside-streams.ringside.svc.cluster.local:9095")) {
        assertThat(
                ask(
                    door,
                    "GET /metrics HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n"))
            .as(name)
            .startsWith("HTTP/1.1 200 ");
      }
      assertThat(ask(door, "GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"))
          .startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void namesThatAreAddedAreAnsweredAndNoOthers() throws IOException {
    var access = Access.OPEN.under("Ringside.Example, tools.example").under("page.example");
    try (var page = new HealthPage(FREE, Optional::empty, Optional::empty, () -> "m 1\n", access)) {
      for (var name : List.of("ringside.example", "TOOLS.example:9405", "page.example")) {
        assertThat(status(page.port(), name)).as(name).isEqualTo(200);
      }
      for (var name : List.of("evil.example", "x.tools.example", "tools.example.evil.example")) {
        assertThat(status(page.port(), name)).as(name).isEqualTo(421);
      }
    }
  }

  /// What the metrics are answered with to whoever calls the program so.
  static int status(int door, String host) throws IOException {
    var asked = "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    return Integer.parseInt(ask(door, asked).substring(9, 12));
  }

  @Test
  void aConnectionServesSeveralRequests() throws IOException {
    for (int door : doors) {
      var twice = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
      var answer =
          ask(door, twice + "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertThat(answer.split("HTTP/1.1 200 ", -1)).hasSize(3);
    }
  }

  private static Socket connect(String from, int door) throws IOException {
    var socket = new Socket();
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress("127.0.0.1", door), 5_000);
    return socket;
  }

  private static void say(Socket socket, String text) throws IOException {
    try {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    } catch (SocketException ignored) {
      // one too many
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }

  private static boolean honest(String from, int door, String path) throws IOException {
    try (var socket = connect(from, door)) {
      socket.setSoTimeout(5_000);
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                  .getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1)
          .startsWith("HTTP/1.1 200 ");
    } catch (SocketException | SocketTimeoutException e) {
      return false;
    }
  }

  private static void answersHonestRequests(int door) {
    assertThat(honest(door)).isTrue();
  }

  private static boolean honest(int door) {
    try {
      return ask(door, "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
          .startsWith("HTTP/1.1 200 ");
    } catch (IOException e) {
      return false;
    }
  }

  /// Whatever comes back until the other side closes, or nothing comes for a while.
  private static String ask(int door, String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), door)) {
      socket.setSoTimeout(20_000);
      try {
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      } catch (SocketException e) {
        return ""; // closed while we spoke
      }
      var answer = new StringBuilder();
      try {
        for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
          answer.append((char) c);
          socket.setSoTimeout(2_000);
        }
      } catch (IOException e) {
        return answer.toString();
      }
      return answer.toString();
    }
  }
}
