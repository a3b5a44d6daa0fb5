package io.ringside.lab.lives;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Takes pictures of pages with Debian's headless Chromium.
///
/// @param folder where they are put
record Camera(Path folder) {
  private static final int PATIENCE_SECONDS = 120;

  /// @param name of the file, without its ending
  void picture(String name, String address) throws IOException, InterruptedException {
    var profile = Files.createTempDirectory(folder, "browser-");
    var process =
        new ProcessBuilder(
                List.of(
                    "chromium",
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-dev-shm-usage",
                    "--disable-gpu",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--hide-scrollbars",
                    "--window-size=1280,900",
                    "--virtual-time-budget=3000",
                    "--user-data-dir=" + profile,
                    "--screenshot=" + folder.resolve(name + ".png"),
                    address))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("browser.log").toFile())
            .start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the browser hangs");
    }
    try (var files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
