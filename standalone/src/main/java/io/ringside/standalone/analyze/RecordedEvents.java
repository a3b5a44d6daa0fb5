package io.ringside.standalone.analyze;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.shipper.source.log.recorded.Recording;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/// Recorded files as the records that their node's agent would send, without a broker.
public final class RecordedEvents {
  private RecordedEvents() {}

  /// All logs, GPU samples and witnesses' files of the inputs; logs come last.
  ///
  /// @throws IOException with the name of the file that cannot be read
  public static List<AgentEvent> of(Inputs inputs) throws IOException {
    var events = new ArrayList<AgentEvent>();
    var labels = new Labels("", "", ZoneOffset.UTC, null);
    for (var file : inputs.of(InputFile.Kind.GPU_SAMPLES)) {
      new GpuRecording(file, labels).forEach(events::add);
    }
    var jobs = new WitnessJobs(inputs, labels);
    for (var file : inputs.of(InputFile.Kind.WITNESS)) {
      new WitnessRecording(file, jobs).forEach(events::add);
    }
    jobs.withoutLogs().forEach(job -> events.add(WitnessRecording.closing(job)));
    var logs = inputs.of(InputFile.Kind.LOG).stream().map(it -> LogTurns.log(it, labels)).toList();
    Recording.ship(logs, events::add, _ -> {});
    return events;
  }
}
