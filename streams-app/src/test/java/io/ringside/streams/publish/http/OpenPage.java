package io.ringside.streams.publish.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.serde.EventJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A page in a headless Chromium with a reader at the keyboard, over the DevTools protocol.
final class OpenPage implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Map<String, Integer> CODES =
      Map.of(
          "Tab",
          9,
          "Enter",
          13,
          "Escape",
          27,
          "ArrowRight",
          39,
          "ArrowDown",
          40,
          "+",
          187,
          "-",
          189);

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final LinkedBlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
  private final WebSocket socket;
  private int last;

  private OpenPage(Process process, Path profile) throws IOException, InterruptedException {
    this.process = process;
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(address(port(profile))), new Listener())
            .join();
  }

  /// @param profile an empty folder for the browser
  static OpenPage open(Browser browser, String address, Path profile)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                browser.program().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                address)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return new OpenPage(process, profile);
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static String port(Path profile) throws IOException, InterruptedException {
    var file = profile.resolve("DevToolsActivePort");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      if (Files.exists(file) && Files.readString(file, UTF_8).contains("\n")) {
        return Files.readString(file, UTF_8).lines().findFirst().orElseThrow();
      }
      Thread.sleep(50);
    }
    throw new IOException("the browser does not start");
  }

  private String address(String port) throws IOException, InterruptedException {
    var list = URI.create("http://127.0.0.1:" + port + "/json/list");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      var pages = client.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body();
      for (var page : EventJson.MAPPER.readTree(pages)) {
        if (page.get("type").asString().equals("page")) {
          return page.get("webSocketDebuggerUrl").asString();
        }
      }
      Thread.sleep(50);
    }
    throw new IOException("the browser opens no page");
  }

  /// What the expression gives, as text; a promise is waited for.
  String value(String expression) throws InterruptedException {
    var answer =
        call(
            "Runtime.evaluate",
            Map.of(
                "expression",
                "(async () => String(await (" + expression + ")))()",
                "awaitPromise",
                true));
    var thrown = answer.at("/result/exceptionDetails/exception/description").asString("");
    if (!thrown.isEmpty()) {
      throw new AssertionError(expression.lines().findFirst().orElse("") + ": " + thrown);
    }
    return answer.at("/result/result/value").asString("");
  }

  /// Waits until the expression is true.
  void await(String expression) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!value(expression).equals("true")) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(expression + " stays " + value(expression));
      }
      Thread.sleep(50);
    }
  }

  /// Presses the key on an element, again and again, until the expression is true: a page that is
  /// drawn anew between focus and key loses it.
  void press(String key, String element, String until) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!value(until).equals("true")) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(until + " stays " + value(until));
      }
      value("document.getElementById('" + element + "').focus()");
      press(key);
      Thread.sleep(200);
    }
  }

  void press(String key) throws InterruptedException {
    // what follows a link is the character, not the key
    var text = key.equals("Enter") ? "\r" : key.length() == 1 ? key : "";
    for (var type : new String[] {"keyDown", "keyUp"}) {
      call(
          "Input.dispatchKeyEvent",
          Map.of(
              "type",
              type,
              "key",
              key,
              "code",
              key,
              "text",
              text,
              "windowsVirtualKeyCode",
              CODES.get(key)));
    }
  }

  /// Runs a script as it is.
  void run(String script) throws InterruptedException {
    call("Runtime.evaluate", Map.of("expression", script));
  }

  /// Goes to another address of the same or another page.
  void go(String address) throws InterruptedException {
    call("Page.navigate", Map.of("url", "about:blank"));
    await("document.readyState === 'complete' && location.href === 'about:blank'");
    call("Page.navigate", Map.of("url", address));
    await(
        "document.readyState === 'complete' && (document.getElementById('main')?.childElementCount ?? 0) > 0");
  }

  /// Makes the window so wide, for a reader who likes it dark or light.
  void look(int width, String theme) throws InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
  }

  /// Drags over the element from one place in it to another, pixels from its left and top edge.
  void drag(String selector, int from, int to, int height) throws InterruptedException {
    var at = corner(selector);
    mouse("mousePressed", at[0] + from, at[1] + height);
    mouse("mouseMoved", at[0] + to, at[1] + height);
    mouse("mouseReleased", at[0] + to, at[1] + height);
  }

  /// Holds the mouse's button down at a place in the element.
  void press(String selector, int across, int down) throws InterruptedException {
    var at = corner(selector);
    mouse("mousePressed", at[0] + across, at[1] + down);
  }

  /// Lets go of it.
  void release(String selector, int across, int down) throws InterruptedException {
    var at = corner(selector);
    mouse("mouseReleased", at[0] + across, at[1] + down);
  }

  /// Points at the first element of these.
  void point(String selector) throws InterruptedException {
    var at = corner(selector);
    mouse("mouseMoved", at[0] + 3, at[1] + 3);
  }

  /// Where it is in the window, scrolled into it.
  private double[] corner(String selector) throws InterruptedException {
    var element = "document.querySelector('" + selector + "')";
    run(element + ".scrollIntoView({ block: 'center' })");
    value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    return new double[] {
      Double.parseDouble(value(element + ".getBoundingClientRect().left")),
      Double.parseDouble(value(element + ".getBoundingClientRect().top"))
    };
  }

  private void mouse(String type, double x, double y) throws InterruptedException {
    call(
        "Input.dispatchMouseEvent",
        Map.of("type", type, "x", x, "y", y, "button", "left", "buttons", 1, "clickCount", 1));
  }

  /// What a screen reader is given.
  String accessibilityTree() throws InterruptedException {
    return call("Accessibility.getFullAXTree", Map.of()).toString();
  }

  private JsonNode call(String method, Map<String, Object> parameters) throws InterruptedException {
    int id = ++last;
    var text =
        EventJson.MAPPER.writeValueAsString(
            Map.of("id", id, "method", method, "params", parameters));
    socket.sendText(text, true).join();
    while (true) {
      var answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (answer == null) {
        throw new AssertionError("no answer to " + method);
      }
      if (answer.path("id").asInt(-1) == id) {
        return answer;
      }
    }
  }

  @Override
  public void close() {
    socket.abort();
    client.shutdownNow();
    process.destroy();
    process.onExit().join();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean whole) {
      text.append(part);
      if (whole) {
        answers.add(EventJson.MAPPER.readTree(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
