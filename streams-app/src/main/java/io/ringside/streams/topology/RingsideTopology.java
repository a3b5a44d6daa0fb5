package io.ringside.streams.topology;

import static org.apache.kafka.streams.kstream.Consumed.with;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.suspect.Blame;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.state.PackedInput;
import io.ringside.streams.state.StateBytes;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;

/// The topology: parse and join by node, judge by job, publish. README.md has the picture.
///
/// ```text
/// logs ──────────► read-logs ──────┐
/// gpu ───────────► place-gpus ─────┼─► by-job ─► judge ─┬─► findings
/// node-topology ─► place-topology ─┤                    ├─► runs
/// node-reports ──► place-reports ──┘                    └─► blames-by-node ─► remember-blames
/// ```
public final class RingsideTopology {
  private RingsideTopology() {}

  /// Builds the topology of the whole service.
  ///
  /// @param judge decides on findings
  public static Topology build(StreamsConfig config, Judge judge, ServicePace pace) {
    var builder = new StreamsBuilder(new TopologyConfig(config));
    var join = new NodeJoin(pace.callsPerSecond());
    builder.addStateStore(Stores.sources(join));
    builder.addStateStore(Stores.told());
    builder.addStateStore(Stores.nodes());
    builder.addStateStore(Stores.samples());
    builder.addStateStore(Stores.jobs());
    builder.addStateStore(Stores.findings());
    builder.addStateStore(Stores.runs());
    builder.addStateStore(Stores.nodeMemory());
    builder.addStateStore(Stores.agents());

    var lines = readLogs(builder, join, pace); //                 job → statements of its lines
    var gpus =
        placeGpus(builder, join, pace); //                 job → GPU readings of its processes
    var nodes = placeTopology(builder, join); //             job → how its nodes' GPUs are linked
    var reports = placeReports(builder, join, pace); //      job → reports of its nodes' agents
    var byJob = rekey(lines, gpus, nodes, reports); //                all of a job on one partition
    var verdicts = judge(byJob, judge, pace); //             job|id → finding or run
    publish(verdicts);
    remember(verdicts, judge); //                            node → what it was blamed for
    return builder.build();
  }

  private static KStream<String, PackedInput> readLogs(
      StreamsBuilder builder, NodeJoin join, ServicePace pace) {
    return stream(builder, Topics.LOGS, Steps.LOGS)
        .process(
            () -> new LogProcessor(join, pace),
            Named.as(Steps.READ_LOGS),
            Stores.SOURCES,
            Stores.TOLD,
            Stores.NODES,
            Stores.SAMPLES);
  }

  private static KStream<String, PackedInput> placeGpus(
      StreamsBuilder builder, NodeJoin join, ServicePace pace) {
    return stream(builder, Topics.GPU, Steps.GPU)
        .process(
            () -> new GpuProcessor(join, pace),
            Named.as(Steps.PLACE_GPUS),
            Stores.NODES,
            Stores.SAMPLES);
  }

  private static KStream<String, PackedInput> placeTopology(StreamsBuilder builder, NodeJoin join) {
    return stream(builder, Topics.TOPOLOGY, Steps.NODE_TOPOLOGY)
        .process(() -> new TopologyProcessor(join), Named.as(Steps.PLACE_TOPOLOGY), Stores.NODES);
  }

  private static KStream<String, PackedInput> placeReports(
      StreamsBuilder builder, NodeJoin join, ServicePace pace) {
    return stream(builder, Topics.NODE, Steps.NODE_REPORTS)
        .process(
            () -> new ReportProcessor(join, pace.forget()),
            Named.as(Steps.PLACE_REPORTS),
            Stores.NODES,
            Stores.AGENTS);
  }

  private static KStream<String, PackedInput> rekey(
      KStream<String, PackedInput> lines,
      KStream<String, PackedInput> gpus,
      KStream<String, PackedInput> nodes,
      KStream<String, PackedInput> reports) {
    return lines
        .merge(gpus, Named.as(Steps.LOGS_AND_GPU))
        .merge(nodes, Named.as(Steps.WITH_TOPOLOGY))
        .merge(reports, Named.as(Steps.FACTS))
        .repartition(
            Repartitioned.<String, PackedInput>as(Steps.BY_JOB)
                .withKeySerde(Serdes.String())
                .withValueSerde(new PackedInput.PackedSerde()));
  }

  private static KStream<String, Object> judge(
      KStream<String, PackedInput> facts, Judge judge, ServicePace pace) {
    return facts.process(
        () -> new JudgingProcessor(judge, pace),
        Named.as(Steps.JUDGE),
        Stores.JOBS,
        Stores.FINDINGS,
        Stores.RUNS);
  }

  /// The judge forwards each change to the step that it names; null deletes a finding or a run.
  private static void publish(KStream<String, Object> verdicts) {
    verdicts
        .mapValues(Finding.class::cast, Named.as(Steps.FINDINGS))
        .to(Topics.FINDINGS.name(), produced(Topics.FINDINGS, Steps.TO_FINDINGS));
    verdicts
        .mapValues(RunSummary.class::cast, Named.as(Steps.RUNS))
        .to(Topics.RUNS.name(), produced(Topics.RUNS, Steps.TO_RUNS));
  }

  private static void remember(KStream<String, Object> verdicts, Judge judge) {
    verdicts
        .mapValues(Blame.class::cast, Named.as(Steps.BLAMES))
        .repartition(
            Repartitioned.<String, Blame>as(Steps.BLAMES_BY_NODE)
                .withKeySerde(Serdes.String())
                .withValueSerde(new StateBytes<>(Blame.class)))
        .process(
            () -> new BlameProcessor(judge::expectations),
            Named.as(Steps.REMEMBER_BLAMES),
            Stores.NODE_MEMORY);
  }

  private static <T> Produced<String, T> produced(Topic<T> topic, String step) {
    return Produced.with(topic.keySerde(), topic.valueSerde()).withName(step);
  }

  /// Values are decoded by a step of their own, not by the source. A source decodes a record ahead
  /// of its turn, so the dead letter of one that cannot be read could be committed before the
  /// record's offset was, and was written again after a crash in between (Kafka Streams 4.3,
  /// `RecordQueue.updateHead`).
  private static <T> KStream<String, T> stream(
      StreamsBuilder builder, Topic<T> topic, String step) {
    var decoder = topic.valueSerde().deserializer();
    return builder.stream(topic.name(), with(topic.keySerde(), Serdes.ByteArray()).withName(step))
        .mapValues(
            bytes -> decoder.deserialize(topic.name(), bytes), Named.as(Steps.DECODE + step));
  }
}
