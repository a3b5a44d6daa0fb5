package io.ringside.deploy.observe;

import io.ringside.lab.simulate.Agents;
import io.ringside.lab.simulate.Fault;
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
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// The p4d nodes of two generated jobs, for what no recording shows. Ranks of one wait for a
/// different one each time, one starts late, a NIC does not reach its GPU, and its agents report a
/// hanging nvidia-smi and a loop that stands still. The other is well, as are its agents.
final class GeneratedNodes implements AutoCloseable {
  static final String JOB = "uneven";
  private static final String WELL = "well";

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

  private static JobPlan plan(
      int seed, String name, Framework framework, Noise noise, List<Fault> faults) {
    return new JobPlan(
        seed,
        name,
        Machine.P4D,
        2,
        1,
        Machine.P4D.gpus(),
        NcclVersion.V2_21,
        Schedule.recorded(),
        framework,
        Restarts.NONE,
        STEPS,
        STEP_SECONDS,
        noise,
        Output.CONTAINER,
        new Agents(2, true, 5, 0),
        false,
        false,
        faults);
  }

  private static final List<JobPlan> PLANS =
      List.of(
          plan(
              SEED,
              JOB,
              Framework.NONE,
              UNEVEN,
              List.of(
                  new NetworkFault.GdrLost(Machine.P4D.gpus()), new PaceFault.LateStart(3, 30))),
          plan(SEED + 1, WELL, Framework.DEEPSPEED, Noise.NONE, List.of()));

  private final KafkaProducer<String, byte[]> producer;
  private final KafkaPublisher publisher;
  private final TreeMap<String, Condition> nodes = new TreeMap<>();
  private final HashSet<String> ended = new HashSet<>();
  private List<List<Sent>> trained = List.of();

  /// What is the matter with a node's agent.
  private enum Condition {
    WELL,
    STUCK,
    BEHIND
  }

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
    trained =
        PLANS.stream()
            .map(plan -> JobGenerator.generate(plan, begin, Duration.ofMillis(200)).records())
            .toList();
    trained.forEach(job -> send(job.subList(0, most(job))));
    nodes.put("late", Condition.BEHIND);
  }

  /// Sends the rest, so that counters are seen to rise; only the well job ends.
  void trainOn() {
    trained.forEach(job -> send(job.subList(most(job), job.size())));
  }

  /// Nine tenths: enough to judge the job by.
  private static int most(List<Sent> records) {
    return records.size() * 9 / 10;
  }

  private void send(List<Sent> records) {
    for (var sent : records) {
      switch (sent.event()) {
        case LogChunk chunk -> {
          boolean well = chunk.source().job().equals(WELL);
          nodes.put(chunk.source().node(), well ? Condition.WELL : Condition.STUCK);
          if (!well && (chunk.end() || chunk.text().toString().contains("Destroy COMPLETE"))) {
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
    nodes.forEach((node, condition) -> report(node, condition, at));
    producer.flush();
  }

  /// Sends a report of an agent of which no more is heard.
  void reportOnce(String node, Instant at) {
    report(node, Condition.WELL, at);
  }

  private void report(String node, Condition condition, Instant at) {
    boolean stuck = condition == Condition.STUCK;
    boolean behind = condition == Condition.BEHIND;
    publisher.send(
        new NodeReport(
            "eu-1",
            node,
            at,
            5,
            new NodeReport.Agent(
                Build.current().version(),
                Instant.EPOCH,
                List.of("logs", "gpu"),
                stuck ? List.of("logs") : List.of()),
            stuck
                ? new GpuSensor(GpuSensor.State.STALLED, 40.0, 1, 0, 1, "nvidia-smi says nothing")
                : new GpuSensor(GpuSensor.State.OK, 0.5, 1, 0, 0, ""),
            new NodeReport.Logs(1, 4_096, behind ? 3_600 : 2.5, 1_000, behind ? 512 : 0),
            List.of(
                new NetworkInterface("rdmap16s27", 1, NetworkInterface.Kind.EFA, 0, 0, 1e9, 1e9),
                new NetworkInterface("eth0", 0, NetworkInterface.Kind.ETHERNET, 0, 0, 1e5, 1e5))));
  }

  @Override
  public void close() {
    producer.close();
  }
}
