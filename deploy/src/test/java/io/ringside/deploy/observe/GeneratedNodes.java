package io.ringside.deploy.observe;

import io.ringside.lab.simulate.Agents;
import io.ringside.lab.simulate.Framework;
import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.lab.simulate.JobPlan;
import io.ringside.lab.simulate.Machine;
import io.ringside.lab.simulate.NcclVersion;
import io.ringside.lab.simulate.NetworkFault;
import io.ringside.lab.simulate.Noise;
import io.ringside.lab.simulate.Output;
import io.ringside.lab.simulate.PaceFault;
import io.ringside.lab.simulate.Restarts;
import io.ringside.lab.simulate.Schedule;
import io.ringside.platform.build.Build;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.publish.KafkaPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Two p4d nodes of a generated job, for what no recording shows: ranks that wait for a different
/// one each time, one that starts late, a NIC that does not reach its GPU, and agents that report a
/// hanging nvidia-smi and a loop that stands still.
final class GeneratedNodes implements AutoCloseable {
  static final String JOB = "uneven";

  private static final int SEED = 7;

  /// Waits fill more than thirty seconds, wherever windows begin.
  private static final int STEPS = 330;

  private static final double STEP_SECONDS = 0.06;

  /// Every tenth step of a rank takes longer, often several times as long.
  private static final Noise UNEVEN =
      new Noise(
          new Noise.Unevenness(0.1, 0, 0.1, 1.5, 1.5, 0, 0, 10),
          Noise.NONE.pauses(),
          Noise.NONE.duties(),
          Noise.NONE.clocks(),
          0,
          0);

  private static final JobPlan PLAN =
      new JobPlan(
          SEED,
          JOB,
          Machine.P4D,
          2,
          1,
          Machine.P4D.gpus(),
          NcclVersion.V2_21,
          Schedule.recorded(),
          Framework.NONE,
          Restarts.NONE,
          STEPS,
          STEP_SECONDS,
          UNEVEN,
          Output.CONTAINER,
          new Agents(2, true, 5, 0),
          false,
          false,
          List.of(new NetworkFault.GdrLost(Machine.P4D.gpus()), new PaceFault.LateStart(3, 30)));

  private final KafkaProducer<String, byte[]> producer;
  private final KafkaPublisher publisher;
  private final TreeSet<String> nodes = new TreeSet<>();
  private final HashSet<String> ended = new HashSet<>();
  private List<Sent> trained = List.of();

  GeneratedNodes(String bootstrapServers) {
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringSerializer(),
            new ByteArraySerializer());
    publisher = new KafkaPublisher(producer);
  }

  /// Sends most of what the agents sent while the job trained.
  void train(Instant begin) {
    trained = JobGenerator.generate(PLAN, begin, Duration.ofMillis(200)).records();
    send(trained.subList(0, most()));
  }

  /// Sends the rest, so that counters are seen to rise; the job has not ended yet.
  void trainOn() {
    send(trained.subList(most(), trained.size()));
  }

  /// Nine tenths: enough to judge the job by.
  private int most() {
    return trained.size() * 9 / 10;
  }

  private void send(List<Sent> records) {
    for (var sent : records) {
      switch (sent.event()) {
        case LogChunk chunk -> {
          nodes.add(chunk.source().node());
          if (chunk.end() || chunk.text().toString().contains("Destroy COMPLETE")) {
            ended.add(chunk.source().id());
          }
          if (!ended.contains(chunk.source().id())) {
            publisher.send(chunk);
          }
        }
        case GpuSample _, NodeTopology _, NodeReport _ -> publisher.send(sent.event());
      }
    }
    producer.flush();
  }

  /// Sends what no reader understands.
  void sendNonsense() {
    producer.send(
        new ProducerRecord<>(Topics.NODE.name(), "n9", "{".getBytes(StandardCharsets.UTF_8)));
  }

  /// Sends a report of each agent.
  void report(Instant at) {
    nodes.forEach(node -> reportFrom(node, at));
  }

  /// Sends a report of this node's agent.
  void reportFrom(String node, Instant at) {
    publisher.send(
        new NodeReport(
            "eu-1",
            node,
            at,
            5,
            new NodeReport.Agent(
                Build.current().version(), Instant.EPOCH, List.of("logs", "gpu"), List.of("logs")),
            new GpuSensor(GpuSensor.State.STALLED, 40.0, 1, 0, 1, "nvidia-smi says nothing"),
            new NodeReport.Logs(1, 4_096, 2.5, 1_000, 0),
            List.of(
                new NetworkInterface("rdmap16s27", 1, NetworkInterface.Kind.EFA, 0, 0, 1e9, 1e9),
                new NetworkInterface("eth0", 0, NetworkInterface.Kind.ETHERNET, 0, 0, 1e5, 1e5))));
    producer.flush();
  }

  @Override
  public void close() {
    producer.close();
  }
}
