package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.scan.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The messages that NCCL and aws-ofi-nccl can print, taken from the format strings of all their
/// releases (`known-lines.tsv` beside this class). They identify messages that no family reads and
/// that can be ignored.
final class KnownLines {

  private KnownLines() {}

  static List<Shape<NcclMessage>> shapes() {
    try (var in = KnownLines.class.getResourceAsStream("known-lines.tsv")) {
      if (in == null) {
        throw new IllegalStateException("known-lines.tsv is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("# "))
          .map(KnownLines::shape)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Shape<NcclMessage> shape(String line) {
    var fields = line.split("\t", 3);
    var versions = fields[0].equals(fields[1]) ? fields[0] : fields[0] + " to " + fields[1];
    return Shape.ignored(fields[2], versions);
  }
}
