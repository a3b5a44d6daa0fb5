package io.ringside.streams.witness;

import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.inspector.InspectorTimes;
import io.ringside.streams.parse.ras.RasAnswer;
import java.util.List;

/// One statement about a run from a source other than its log.
public sealed interface Witness {
  /// A rank's dump of the flight recorder.
  record Dumped(Dump dump) implements Witness {}

  /// A file that looks like a dump but cannot be read.
  record Undumped(DumpReading.Refused refused) implements Witness {}

  /// RAS's answers, oldest first.
  ///
  /// @param damaged number of further answers that were cut or cannot be read
  record RasSaid(List<RasAnswer> answers, int damaged) implements Witness {
    public RasSaid {
      answers = List.copyOf(answers);
    }
  }

  /// Times that a rank's Inspector measured.
  record Inspected(List<InspectorTimes> times) implements Witness {
    public Inspected {
      times = List.copyOf(times);
    }
  }
}
