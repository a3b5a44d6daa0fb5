package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Finding;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.state.StateBytes;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A service that is killed between any two records and restored from its stores goes on as if
/// nothing had been, in whatever order the records of different files come.
class RestoredStateTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final int KILLS = 5;

  @ParameterizedTest
  @ValueSource(
      strings = {"slowcoll", "dscollslow", "jitter", "hang", "late", "pods1gpu", "hog", "buffered"})
  void findsTheSameAfterKillsBetweenAnyRecords(String folder) {
    long seed = ThreadLocalRandom.current().nextLong();
    var recorded = Recorded.in(Path.of("..", "examples", "recordings", folder));
    var straight = judged(inOrder(recorded), List.of());
    var random = new Random(seed);
    var order = mixed(recorded, random);
    var kills = new ArrayList<Integer>();
    for (int i = 0; i < KILLS; i++) {
      kills.add(random.nextInt(order.size()));
    }
    assertThat(straight).as(folder).isNotEmpty();
    assertThat(judged(order, kills)).as("seed %d", seed).isEqualTo(straight);
  }

  private static List<AgentEvent> inOrder(Recorded recorded) {
    var order = new ArrayList<AgentEvent>();
    recorded.logs().forEach(file -> order.add(file.getFirst()));
    recorded.logs().forEach(file -> order.addAll(file.subList(1, file.size())));
    order.addAll(recorded.samples());
    return order;
  }

  /// Each file's records in their order, those of different files in any.
  private static List<AgentEvent> mixed(Recorded recorded, Random random) {
    var turns = new ArrayList<Integer>();
    var queues = new ArrayList<List<AgentEvent>>();
    recorded.logs().forEach(file -> queues.add(new ArrayList<>(file.subList(1, file.size()))));
    queues.add(new ArrayList<>(recorded.samples()));
    for (int queue = 0; queue < queues.size(); queue++) {
      turns.addAll(Collections.nCopies(queues.get(queue).size(), queue));
    }
    Collections.shuffle(turns, random);
    var order = new ArrayList<AgentEvent>(recorded.logs().stream().map(List::getFirst).toList());
    turns.forEach(queue -> order.add(queues.get(queue).removeFirst()));
    return order;
  }

  /// As another process reads it, which has written none.
  private static <T> T elsewhere(Class<T> type, T state) {
    return new StateBytes<>(type).read(new StateBytes<>(type).write(state));
  }

  private static List<Finding> judged(List<AgentEvent> records, List<Integer> killedBefore) {
    var service = new Replay();
    for (int i = 0; i < records.size(); i++) {
      if (killedBefore.contains(i)) {
        service.restore(
            state -> elsewhere(NodeState.class, state),
            state -> elsewhere(SourceState.class, state),
            state -> elsewhere(JobState.class, state));
      }
      service.add(records.get(i));
    }
    var judge = new Judge(Expectations.builtIn());
    return service.jobs().values().stream()
        .flatMap(job -> judge.judge(job, NOW).findings().stream())
        .toList();
  }
}
