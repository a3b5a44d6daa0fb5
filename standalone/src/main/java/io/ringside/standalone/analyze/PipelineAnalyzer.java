package io.ringside.standalone.analyze;

import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.standalone.report.InputSummary;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.ServicePace;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/// Runs the production path over recorded files: a broker, the agent's reader and publisher, and
/// the streams service; reads its views once everything is judged.
final class PipelineAnalyzer implements Analyzer {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final HttpConfig ANY_PORT = new HttpConfig("127.0.0.1", 0);

  @Override
  public Analysis analyze(Inputs inputs, Labels labels, Progress progress)
      throws IOException, InterruptedException {
    var pipeline = LocalPipeline.start(ANY_PORT, ServicePace.RECORDING, labels.expectations());
    try {
      var input = ship(inputs, labels, pipeline, progress);
      pipeline.awaitJudged(PATIENCE, backlog -> progress.judged(backlog.done(), backlog.total()));
      var look = pipeline.look();
      return new Analysis(input.reading(look.runs()), look.runs(), look.findings());
    } finally {
      // nothing of it is needed any more, so close it in the background
      Thread.ofPlatform().name("pipeline-closing").daemon().start(pipeline::close);
    }
  }

  private static InputSummary ship(
      Inputs inputs, Labels labels, LocalPipeline pipeline, Progress progress) throws IOException {
    long all = inputs.bytes();
    long[] read = {0};
    var settings = ProducerSettings.of(pipeline.bootstrapServers(), Map.of());
    try (var producer = ProducerSettings.producer(settings)) {
      return new InputShipping(
              inputs,
              labels,
              new KafkaPublisher(producer),
              bytes -> {
                read[0] += bytes;
                progress.read(read[0], all);
              })
          .ship();
    }
  }
}
