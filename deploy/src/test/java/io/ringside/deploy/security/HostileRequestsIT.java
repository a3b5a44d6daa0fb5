package io.ringside.deploy.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Recordings;
import io.ringside.schemas.http.Access;
import io.ringside.shipper.observe.HealthPage;
import io.ringside.streams.publish.http.Response;
import io.ringside.streams.publish.http.WebServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is no honest request, at the doors of both programs, byte by byte. Afterwards an honest one is answered.
@Timeout(120)
class HostileRequestsIT {
  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /// More connections than the agent takes.
  private static final int MANY = 80;

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
      socket.setSoTimeout(2_000);
      try {
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      } catch (SocketException e) {
        return ""; // closed while we spoke
      }
      var answer = new StringBuilder();
      try {
        for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
          answer.append((char) c);
        }
      } catch (IOException e) {
        return answer.toString();
      }
      return answer.toString();
    }
  }
}
