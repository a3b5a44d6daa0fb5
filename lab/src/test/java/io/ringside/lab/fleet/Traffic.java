package io.ringside.lab.fleet;

import io.ringside.lab.simulate.Agents;
import io.ringside.lab.simulate.Framework;
import io.ringside.lab.simulate.GeneratedJob;
import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.lab.simulate.JobPlan;
import io.ringside.lab.simulate.Machine;
import io.ringside.lab.simulate.NcclVersion;
import io.ringside.lab.simulate.NetworkFault;
import io.ringside.lab.simulate.Noise;
import io.ringside.lab.simulate.Output;
import io.ringside.lab.simulate.Restarts;
import io.ringside.lab.simulate.Schedule;
import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;

/// What agents send: drawn jobs, whose records may be sent part by part, and small jobs in between
/// whose finding tells that somebody is there.
final class Traffic implements AutoCloseable {
  /// In the name of every job that only marks a moment.
  static final String MARKER = "marker-";

  private static final Duration CHUNK = Duration.ofMillis(200);
  private static final Instant BEGIN = Instant.parse("2026-11-20T00:00:00Z");

  private final Producer<String, byte[]> producer;
  private final KafkaPublisher publisher;

  Traffic(String bootstrapServers) {
    producer =
        ProducerSettings.producer(
            ProducerSettings.of(
                bootstrapServers,
                Map.of(
                    "retry.backoff.ms", "20",
                    "reconnect.backoff.ms", "20",
                    // an agent reads again what did not fit
                    "max.block.ms", "120000")));
    publisher = new KafkaPublisher(producer);
  }

  /// The records of some jobs, in the order in which they were sent.
  ///
  /// @param ending whether only jobs are drawn whose logs end: that another one goes on no more
  ///   shows after a minute
  static List<Sent> drawn(long seed, int jobs, boolean ending) {
    return IntStream.iterate(0, number -> number + 1)
        .mapToObj(number -> JobDraw.draw(seed, number, 16, 3_000))
        .map(plan -> JobGenerator.generate(plan, BEGIN, CHUNK))
        .filter(job -> !ending || ends(job))
        .limit(jobs)
        .flatMap(job -> job.records().stream())
        .sorted(Comparator.comparingLong(Sent::atNanos))
        .toList();
  }

  private static boolean ends(GeneratedJob job) {
    var ended = new HashMap<String, Boolean>();
    for (var sent : job.records()) {
      if (sent.event() instanceof LogChunk chunk) {
        ended.put(chunk.source().id(), chunk.end());
      }
    }
    return !ended.containsValue(false);
  }

  /// A job that falls back to sockets, and nothing more.
  static GeneratedJob marker(int number) {
    var plan =
        new JobPlan(
            77_000 + number,
            MARKER + number,
            Machine.P5,
            2,
            1,
            1,
            NcclVersion.V2_28,
            Schedule.recorded(),
            Framework.NONE,
            Restarts.NONE,
            1,
            0.5,
            Noise.NONE,
            Output.CONTAINER,
            new Agents(2, false, 0, 0),
            false,
            false,
            List.of(new NetworkFault.EfaFallback(NetworkFault.EfaFallback.Cause.NO_PROVIDER)));
    return JobGenerator.generate(plan, BEGIN, CHUNK);
  }

  /// Sends them spread over about this time.
  void send(List<Sent> records, Duration spread) throws InterruptedException {
    long begin = System.nanoTime();
    int sent = 0;
    for (var record : records) {
      send(record);
      long due = begin + spread.toNanos() * ++sent / records.size();
      if (due - System.nanoTime() > 2_000_000) {
        Thread.sleep(Duration.ofNanos(due - System.nanoTime()));
      }
    }
    publisher.flush();
  }

  void send(Stream<Sent> records) {
    records.forEach(this::send);
    publisher.flush();
  }

  private void send(Sent record) {
    publisher.send(record.event());
  }

  Producer<String, byte[]> producer() {
    return producer;
  }

  @Override
  public void close() {
    producer.close();
  }
}
