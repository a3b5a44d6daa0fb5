package io.ringside.streams.publish.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Debian's headless Chromium, where it is installed.
///
/// @param program where it is
record Browser(Path program) {
  /// What a page became: its DOM after scripts ran, and what the browser complained about.
  record Seen(String dom, String console) {}

  static Optional<Browser> installed() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .flatMap(
            folder ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Browser::new);
  }

  /// Shows what is behind `#` of the page over recorded jobs; the test is left out where no browser
  /// is installed.
  static Seen ofRecorded(Path folder, String fragment) throws IOException, InterruptedException {
    var browser = installed();
    assumeTrue(browser.isPresent(), "no Chromium");
    try (var server = PagePreview.serve(0, PagePreview.views(List.of(folder)))) {
      return browser
          .get()
          .open("http://127.0.0.1:%d/#%s".formatted(server.address().getPort(), fragment));
    }
  }

  /// Opens the address and lets its scripts run for four seconds of their own time.
  Seen open(String address, String... options) throws IOException, InterruptedException {
    var scratch = Files.createTempDirectory("ringside-browser-");
    try {
      return open(address, scratch, List.of(options));
    } finally {
      remove(scratch);
    }
  }

  private Seen open(String address, Path scratch, List<String> options)
      throws IOException, InterruptedException {
    var dom = scratch.resolve("dom.html");
    var console = scratch.resolve("console.txt");
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            program.toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--virtual-time-budget=4000",
            "--user-data-dir=" + scratch.resolve("profile"),
            "--dump-dom"));
    command.addAll(options);
    command.add(address);
    var process =
        new ProcessBuilder(command)
            .redirectOutput(dom.toFile())
            .redirectError(console.toFile())
            .start();
    if (!process.waitFor(90, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new UncheckedIOException(new IOException("the browser hangs: " + read(console)));
    }
    var complaints = read(console).lines().filter(line -> line.contains(":CONSOLE")).toList();
    return new Seen(read(dom), String.join("\n", complaints));
  }

  /// As far as it goes: a last helper process of the browser may still be writing.
  private static void remove(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        file.toFile().delete();
      }
    } catch (UncheckedIOException gone) {
      folder.toFile().deleteOnExit();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
