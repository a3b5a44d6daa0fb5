package io.ringside.standalone.analyze;

import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.shipper.source.log.recorded.Recording;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.InputSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/// Sends recorded files to the topics as each node's agent would: topologies, GPU samples, then all
/// logs in turns. Can be used once.
record InputShipping(
    Inputs inputs, Labels labels, KafkaPublisher publisher, LongConsumer progress) {
  /// Returns when the broker has everything.
  ///
  /// @throws IOException with the name of the log that cannot be read
  InputSummary ship() throws IOException {
    var read = new ReadFiles(inputs);
    var nodes = new NodeFiles(inputs, labels, progress);
    nodes.send(publisher::send, read);
    nodes.witnesses(publisher::send, read);
    logs(inputs.of(InputFile.Kind.LOG), read);
    publisher.flush();
    return read.summary();
  }

  private void logs(List<InputFile> files, ReadFiles read) throws IOException {
    List<RecordedLog> logs = new ArrayList<>();
    Map<String, Long> lines = new HashMap<>();
    for (InputFile file : files) {
      logs.add(LogTurns.log(file, labels));
    }
    Recording.ship(
        logs,
        chunk -> {
          publisher.send(chunk);
          lines.merge(chunk.source().id(), (long) chunk.lines(), Long::sum);
        },
        progress);
    for (int i = 0; i < files.size(); i++) {
      var source = logs.get(i).source();
      read.log(files.get(i).parts().getLast(), source, lines.getOrDefault(source.id(), 0L));
    }
  }
}
