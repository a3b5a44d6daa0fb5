package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.KeptSamples;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.state.JournaledStore;
import io.ringside.streams.state.PackedInput;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kafka Streams gives a task up whose transaction was aborted, and takes the same processor again
/// with the state of the last commit.
class RevivedTaskTest {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final String INFO = "n0:70:70 [0] NCCL INFO ";
  private static final String COMM =
      "comm 0x55d0aa00 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 1b000";

  @TempDir private Path folder;

  private final JudgingProcessor judge =
      new JudgingProcessor(new Judge(Expectations.builtIn()), ServicePace.FLEET);
  private Instant now = T0;

  /// Where its run is over, a job that is silent is not judged again by the clock.
  @Test
  void tellsAgainWhatTheAbortedTransactionTold() {
    var first = context();
    judge.init(first);
    var records = records(false);
    records.forEach(judge::process);
    pass(first, Duration.ofSeconds(15));
    var told = runs(first).getLast();
    assertThat(told.state()).isEqualTo(RunSummary.State.ENDED);

    judge.close();
    var second = context();
    commit(records, second);
    judge.init(second);
    pass(second, Duration.ofSeconds(15));

    assertThat(runs(second)).last().isEqualTo(told);
  }

  /// The former owner had put it off, for it had taken more than its share of the thread.
  @Test
  void tellsOfAJobThatEndedAndWasNotJudgedSince() {
    var context = context();
    commit(records(true), context);
    judge.init(context);
    pass(context, Duration.ofSeconds(1));

    assertThat(runs(context))
        .last()
        .extracting(RunSummary::state)
        .isEqualTo(RunSummary.State.ENDED);

    var next = context();
    commit(records(true), next);
    KeyValueStore<String, RunSummary> ledger = next.getStateStore(Stores.RUNS);
    var run = runs(context).getLast();
    ledger.put(records(true).getFirst().key() + "|" + run.run(), run);
    judge.init(next);
    pass(next, Duration.ofSeconds(1));

    assertThat(runs(next)).isEmpty();
  }

  private static void commit(
      List<Record<String, PackedInput>> records, MockProcessorContext<?, ?> context) {
    JournaledStore<?> jobs = context.getStateStore(Stores.JOBS);
    for (var record : records) {
      assertThat(jobs.get(record.key())).isNotNull(); // only what is held is written
      jobs.note(record.key(), record.value().bytes());
    }
    jobs.flushCache();
    jobs.clearCache();
  }

  /// A run of one rank that begins and ends well.
  ///
  /// @param end whether its file is gone
  private List<Record<String, PackedInput>> records(boolean end) {
    var log = new WrittenLog(new LogSource("c", "n0", "ns", "p", "u", "c", "job", "f"));
    long at = T0.getEpochSecond() * 1_000_000_000;
    log.add(at, INFO + "ncclCommInitRank " + COMM + " commId 0x1 - Init START");
    log.add(at + 1_000_000, INFO + "ncclCommInitRank " + COMM + " commId 0x1 - Init COMPLETE");
    log.add(at + 2_000_000, INFO + COMM + " - Destroy COMPLETE");
    var join = new NodeJoin();
    var source = new SourceState();
    var node = new NodeState();
    var samples = new KeptSamples(0);
    return log.cut(end).stream()
        .flatMap(chunk -> join.chunk(chunk, source, node, samples).stream())
        .map(to -> new Record<>(to.job(), PackedInput.of(to.input()), T0.toEpochMilli()))
        .toList();
  }

  private void pass(MockProcessorContext<String, Object> context, Duration time) {
    for (var end = now.plus(time); now.isBefore(end); ) {
      now = now.plusMillis(250);
      context.setCurrentSystemTimeMs(now.toEpochMilli());
      context.scheduledPunctuators().getFirst().getPunctuator().punctuate(now.toEpochMilli());
    }
  }

  private static List<RunSummary> runs(MockProcessorContext<String, Object> context) {
    return context.forwarded().stream()
        .map(forwarded -> forwarded.record().value())
        .flatMap(change -> change instanceof RunSummary run ? Stream.of(run) : Stream.empty())
        .toList();
  }

  private MockProcessorContext<String, Object> context() {
    var context =
        new MockProcessorContext<String, Object>(
            new Properties(), new TaskId(0, 0), folder.toFile());
    context.setCurrentSystemTimeMs(now.toEpochMilli());
    List.<StoreBuilder<? extends StateStore>>of(Stores.jobs(), Stores.findings(), Stores.runs())
        .forEach(
            builder -> {
              var store = builder.withLoggingDisabled().build();
              store.init(context.getStateStoreContext(), store);
              context.addStateStore(store);
            });
    return context;
  }
}
