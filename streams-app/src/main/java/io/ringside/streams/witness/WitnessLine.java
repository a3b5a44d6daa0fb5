package io.ringside.streams.witness;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.streams.parse.flightrecorder.DumpName;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// A witness's file as one line of a chunk, as it travels from a node: packed, so that whoever reads the file need not
/// understand it.
///
/// `ringside-witness 1 RAS H4sIA…`: the kind, and the bytes packed and in base 64.
public final class WitnessLine {
  private static final Pattern LINE =
      Pattern.compile("ringside-witness 1 ([A-Z_]{3,20}) ([A-Za-z0-9+/=]+)");

  private static final String START = "ringside-witness 1 ";

  /// What a line may hold once unpacked.
  public static final int LARGEST = 32 * 1024 * 1024;

  /// What it may have packed: a record of Kafka carries about a megabyte.
  public static final int LARGEST_PACKED = 600_000;

  private WitnessLine() {}

  /// The line, nothing if it would be too long to travel.
  public static Optional<String> of(WitnessFile kind, byte[] bytes) {
    if (bytes.length > LARGEST) {
      return Optional.empty();
    }
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return packed.size() > LARGEST_PACKED
        ? Optional.empty()
        : Optional.of(
            START + kind + " " + Base64.getEncoder().encodeToString(packed.toByteArray()));
  }

  /// Whether a line is one.
  public static boolean is(String line) {
    return line.startsWith(START);
  }

  /// What the witness says, nothing if the line is none.
  ///
  /// @param file where it was read from
  public static Optional<Witness> read(String line, String file) {
    var matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    for (var kind : WitnessFile.values()) {
      if (kind.name().equals(matcher.group(1))) {
        return Optional.of(unpack(kind, matcher.group(2), file));
      }
    }
    return Optional.empty();
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
