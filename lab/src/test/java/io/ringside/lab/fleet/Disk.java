package io.ringside.lab.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A disk that can be full.
sealed interface Disk {
  /// From now on the process can write nothing more.
  void fill(Process writer) throws IOException, InterruptedException;

  /// There is room again, for whoever is started next.
  void free() throws IOException;

  /// A small file system, which is filled up.
  ///
  /// @param folder on it
  record Small(Path folder) implements Disk {
    private static final byte[] BLOCK = new byte[64 << 10];

    @Override
    public void fill(Process writer) throws IOException {
      var ballast = folder.resolve("ballast");
      for (int size = BLOCK.length; size > 0; size /= 2) {
        try (var out =
            Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
          while (true) {
            out.write(BLOCK, 0, size);
          }
        } catch (IOException full) {
          // smaller pieces may still fit
        }
      }
    }

    @Override
    public void free() throws IOException {
      Files.delete(folder.resolve("ballast"));
    }
  }

  /// The machine's, of which the kernel takes nothing more from that process (RLIMIT_FSIZE): its
  /// writes fail as on a full disk, with another word.
  record OfTheMachine() implements Disk {
    @Override
    public void fill(Process writer) throws IOException, InterruptedException {
      Signals.run(List.of("prlimit", "--pid", Long.toString(writer.pid()), "--fsize=1:"));
    }

    @Override
    public void free() {
      // the limit ended with the process
    }
  }
}
