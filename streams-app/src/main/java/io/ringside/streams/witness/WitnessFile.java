package io.ringside.streams.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.streams.parse.flightrecorder.DumpReader;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.inspector.InspectorFile;
import io.ringside.streams.parse.ras.RasAnswers;
import java.util.Optional;

/// The kinds of files that witnesses leave beside the logs, told apart by what is in them.
public enum WitnessFile {
  FLIGHT_RECORDER,
  RAS,
  INSPECTOR;

  /// What a file is that begins like this, if it is one of these.
  ///
  /// @param head its first bytes, some ten thousand of them
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

  /// Reads the file, or as many whole lines of it as there are. Never throws, whatever the bytes.
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
      case INSPECTOR -> new Witness.Inspected(InspectorFile.read(new String(bytes, UTF_8)));
    };
  }
}
