package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ApiServerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir private Path folder;

  @Test
  void speaksToTheOneThatTheClustersCertificatesName() throws Exception {
    key("cluster", "dns:localhost");
    try (var answer = asked("cluster", "cluster", "token")) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().readAllBytes()).asString(UTF_8).isEqualTo("pods\n");
    }
  }

  @Test
  void tellsNobodyElseItsToken() throws Exception {
    key("cluster", "dns:localhost");
    key("other", "dns:localhost");
    key("elsewhere", "dns:elsewhere");
    assertThatThrownBy(() -> asked("other", "cluster", "token")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> asked("elsewhere", "elsewhere", "token"))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> asked("cluster", "cluster", "to\r\nken"))
        .hasMessageContaining("holds no token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\npods\n\r\n0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\npods\n",
        "HTTP/1.0 200 OK\r\n\r\npods\n"
      })
  void readsBodiesOfAnyKind(String said) throws Exception {
    try (var answer = said(said)) {
      assertThat(answer.body().readAllBytes()).asString(UTF_8).isEqualTo("pods\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SSH-2.0-x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npods\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\npods\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npods\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\npods\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\npods\n"
      })
  void refusesWhatIsCutOrIsNone(String said) {
    assertThatThrownBy(
            () -> {
              try (var answer = said(said)) {
                answer.body().readAllBytes();
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void hasNoEndOfLines() {
    assertThatThrownBy(() -> said("HTTP/1.1 200 OK\r\n" + "a: b\r\n".repeat(1000)))
        .hasMessage("endless head");
    assertThatThrownBy(() -> said("HTTP/1.1 200 " + "O".repeat(100_000)))
        .hasMessage("endless line");
  }

  /// A server that says this to whoever asks.
  private Answer said(String said) throws Exception {
    Files.writeString(folder.resolve("token"), "token");
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (var socket = server.accept()) {
                  socket.getInputStream().read();
                  socket.getOutputStream().write(said.getBytes(UTF_8));
                  socket.shutdownOutput();
                  socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                  // it left
                }
              });
      return new ApiServer(
              URI.create("http://localhost:" + server.getLocalPort()),
              folder.resolve("token"),
              folder.resolve("none"))
          .watch("pods", "spec.nodeName=gpu-1", "", MINUTE, MINUTE, System::nanoTime);
    }
  }

  private Answer asked(String own, String trusted, String token) throws Exception {
    Files.writeString(folder.resolve("token"), token);
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(own)));
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("pods\n".getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    try {
      return new ApiServer(
              URI.create("https://localhost:" + server.getAddress().getPort()),
              folder.resolve("token"),
              folder.resolve(trusted + ".pem"))
          .watch("pods", "spec.nodeName=gpu-1", "", MINUTE, MINUTE, System::nanoTime);
    } finally {
      Thread.ofVirtual().start(() -> server.stop(1));
    }
  }

  private SSLContext context(String name) throws Exception {
    var store =
        KeyStore.getInstance(folder.resolve(name + ".p12").toFile(), "secret".toCharArray());
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, "secret".toCharArray());
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private void key(String name, String names) throws Exception {
    var store = folder.resolve(name + ".p12").toString();
    keytool(
        "-genkeypair",
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "san=" + names,
        "-keystore",
        store);
    keytool(
        "-exportcert",
        "-rfc",
        "-file",
        folder.resolve(name + ".pem").toString(),
        "-keystore",
        store);
  }

  private static void keytool(String... arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", "own", "-storepass", "secret"));
    assertThat(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .isZero();
  }
}
