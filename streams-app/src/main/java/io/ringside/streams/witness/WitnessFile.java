package io.ringside.streams.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.streams.parse.flightrecorder.DumpReader;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.inspector.InspectorFile;
import io.ringside.streams.parse.ras.RasAnswers;
import java.util.Optional;

/// The kinds of files that witnesses leave beside the logs, recognized by their contents.
public enum WitnessFile {
  FLIGHT_RECORDER,
  RAS,
  INSPECTOR;

  private static final String MEANS =
      "these are the Inspector's means over many calls, which name no rank: without NCCL_INSPECTOR_PROM_DUMP it writes each call";

  /// The kind of a file that begins like this, if it is one of these.
  ///
  /// @param head the first bytes of the file, about ten thousand
  public static Optional<WitnessFile> of(byte[] head) {
    if (DumpReader.recognises(head)) {
      return Optional.of(FLIGHT_RECORDER);
    }
    var text = new String(head, UTF_8);
    if (RasAnswers.recognises(text)) {
      return Optional.of(RAS);
    }
    return InspectorFile.recognises(text) ? Optional.of(INSPECTOR) : Optional.empty();
  }

  /// Reads the file, or its complete lines. Never throws, whatever the bytes are.
  ///
  /// @param file its path
  public Witness read(String file, byte[] bytes) {
    return switch (this) {
      case FLIGHT_RECORDER ->
          switch (DumpReader.read(file, bytes)) {
            case DumpReading.Read(var dump) -> new Witness.Dumped(dump.trimmed());
            case DumpReading.Refused refused -> new Witness.Undumped(refused);
          };
      case RAS -> {
        var read = RasAnswers.of(new String(bytes, UTF_8));
        yield new Witness.RasSaid(read.answers(), read.damaged());
      }
      case INSPECTOR -> {
        var text = new String(bytes, UTF_8);
        var times = InspectorFile.read(text);
        yield times.isEmpty() && InspectorFile.means(text)
            ? new Witness.Undumped(new DumpReading.Refused(file, -1, MEANS))
            : new Witness.Inspected(times);
      }
    };
  }
}
