package io.ringside.shipper.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Writes lines with rising numbers, and rotates its file as a container runtime does.
final class NumberedWriter implements AutoCloseable {
  private final Path file;
  private OutputStream out;
  private int next;
  private int rotations;

  NumberedWriter(Path file) throws IOException {
    this.file = file;
    this.out = open();
  }

  private OutputStream open() throws IOException {
    return Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  int written() {
    return next;
  }

  void write(int lines) throws IOException {
    var text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append("llama-node-0-0:2676:2676 [0] NCCL INFO AllReduce: opCount 3f #")
          .append(next++)
          .append(" sendbuff 0x7f recvbuff 0x7f count 4096\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// Renames the file, goes on in the old one for a moment, then opens a new one.
  void rotate(int linesAfterRename) throws IOException {
    Files.move(file, file.resolveSibling("%s.%08d".formatted(file.getFileName(), ++rotations)));
    write(linesAfterRename);
    out.close();
    out = open();
  }

  /// Copies the file and empties it.
  void copyTruncate() throws IOException {
    Files.copy(file, file.resolveSibling("%s.%08d".formatted(file.getFileName(), ++rotations)));
    Files.newOutputStream(file, StandardOpenOption.TRUNCATE_EXISTING).close();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
