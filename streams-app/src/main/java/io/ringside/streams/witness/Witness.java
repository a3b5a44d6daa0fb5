package io.ringside.streams.witness;

import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.inspector.InspectorTimes;
import io.ringside.streams.parse.ras.RasAnswer;
import java.util.List;

/// One thing that was said of a run by another than its log.
public sealed interface Witness {
  /// A rank's dump of the flight recorder.
  record Dumped(Dump dump) implements Witness {}

  /// A file that would have been one.
  record Undumped(DumpReading.Refused refused) implements Witness {}

  /// What RAS answered, oldest first.
  ///
  /// @param damaged how many more answers were cut or cannot be read
  record RasSaid(List<RasAnswer> answers, int damaged) implements Witness {
    public RasSaid {
      answers = List.copyOf(answers);
    }
  }

  /// What a rank's Inspector measured.
  record Inspected(List<InspectorTimes> times) implements Witness {
    public Inspected {
      times = List.copyOf(times);
    }
  }
}
