package io.ringside.standalone.analyze;

import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.config.JobPattern;
import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.shipper.source.log.recorded.Recording;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/// Recorded files as their node's agent would send them, without a broker.
public final class RecordedEvents {
  private RecordedEvents() {}

  /// All logs and GPU samples of the inputs; samples first.
  ///
  /// @throws IOException names the file that cannot be read
  public static List<TelemetryEvent> of(Inputs inputs) throws IOException {
    var events = new ArrayList<TelemetryEvent>();
    for (var file : inputs.of(InputFile.Kind.GPU_SAMPLES)) {
      new GpuRecording(file, new Labels("", "", ZoneOffset.UTC, null)).forEach(events::add);
    }
    var logs = new ArrayList<RecordedLog>();
    for (var file : inputs.of(InputFile.Kind.LOG)) {
      var identity = new Identity("", file.node(), "", "", JobPattern.DEFAULTS);
      logs.add(new RecordedLog(file.path(), identity.sourceOf(file.path())));
    }
    Recording.ship(logs, events::add, _ -> {});
    return events;
  }
}
