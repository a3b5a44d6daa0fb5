package io.ringside.streams.witness;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.PackedWitness;
import io.ringside.streams.parse.flightrecorder.DumpName;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// A witness's statement as one line of a chunk, see {@link PackedWitness}, and its decoding.
public final class WitnessLine {
  /// Most bytes of a line after unpacking.
  public static final int LARGEST = PackedWitness.LARGEST;

  private WitnessLine() {}

  /// The line for these bytes, empty if it would be too long to send.
  public static Optional<String> of(WitnessFile kind, byte[] bytes) {
    return PackedWitness.line(kind.name(), bytes);
  }

  /// Whether a line is a witness line.
  public static boolean is(String line) {
    return line.startsWith(PackedWitness.START);
  }

  /// The witness's statement, empty if the line is not a witness line.
  ///
  /// @param file the file that it came from
  public static Optional<Witness> read(String line, String file) {
    if (!is(line)) {
      return Optional.empty();
    }
    for (var kind : WitnessFile.values()) {
      var head = PackedWitness.START + kind.name() + " ";
      if (line.startsWith(head) && isBase64(line, head.length())) {
        return Optional.of(unpack(kind, line.substring(head.length()), file));
      }
    }
    return Optional.empty();
  }

  /// A loop, because a line has hundreds of kilobytes, for each of which a regular expression would
  /// take many times as long.
  private static boolean isBase64(String line, int from) {
    for (int i = from; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
      if (!letter && !(c >= '0' && c <= '9') && c != '+' && c != '/' && c != '=') {
        return false;
      }
    }
    return line.length() > from;
  }

  private static Witness unpack(WitnessFile kind, String base64, String file) {
    try (var in =
        new GZIPInputStream(
            new ByteArrayInputStream(Base64.getDecoder().decode(base64.getBytes(ISO_8859_1))))) {
      return kind.read(file, in.readNBytes(LARGEST));
    } catch (IOException | IllegalArgumentException e) {
      return kind == WitnessFile.FLIGHT_RECORDER
          ? new Witness.Undumped(
              new DumpReading.Refused(file, DumpName.rank(file), "it came damaged"))
          : kind.read(file, "".getBytes(UTF_8));
    }
  }
}
