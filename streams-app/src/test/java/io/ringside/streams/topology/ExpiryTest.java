package io.ringside.streams.topology;

import static io.ringside.streams.publish.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.publish.Samples;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiryTest {
  @TempDir private Path folder;
  private KeyValueStore<String, RunSummary> store;
  private Expiry<RunSummary> expiry;
  private Duration aRecord = Duration.ofNanos(20_000);
  private long nanos;

  @BeforeEach
  void open() {
    store =
        org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore("runs"),
                Serdes.String(),
                Topics.RUNS.valueSerde())
            .withLoggingDisabled()
            .build();
    var context =
        new MockProcessorContext<Void, Void>(new Properties(), new TaskId(0, 0), folder.toFile());
    store.init(context.getStateStoreContext(), store);
    expiry = new Expiry<>(ResultKind.RUNS, store, () -> nanos += aRecord.toNanos());
  }

  @Test
  void goesThroughAllInPartsAndBeginsAgain() {
    putJobs(450);
    var later = T0.plus(Duration.ofDays(1));

    assertThat(next(later)).hasSize(200).first().isEqualTo("east|training|job-000|0x1");
    assertThat(next(later)).hasSize(200).first().isEqualTo("east|training|job-200|0x1");
    assertThat(next(later)).hasSize(50).last().isEqualTo("east|training|job-449|0x1");
    assertThat(next(later)).hasSize(200).first().isEqualTo("east|training|job-000|0x1");
  }

  /// Other jobs of the thread wait meanwhile.
  @Test
  void goesOnLaterWhereRecordsTakeLongToRead() {
    putJobs(30);
    aRecord = Duration.ofMillis(9);
    var later = T0.plus(Duration.ofDays(1));

    var first = next(later);
    assertThat(first).hasSizeBetween(1, 6).first().isEqualTo("east|training|job-000|0x1");
    assertThat(next(later)).first().isEqualTo("east|training|job-%03d|0x1".formatted(first.size()));

    aRecord = Duration.ofSeconds(1);
    assertThat(next(later)).hasSize(1);
    assertThat(next(later)).hasSize(1);
  }

  @Test
  void leavesWhatIsYoungAndJobsThatRun() {
    put("long-gone", 1);
    put("runs-again", 1);
    put("yesterday", 80);

    var found = expiry.next(Set.of("east|training|runs-again"), T0.plusSeconds(10_000));

    assertThat(found)
        .containsExactly(new Expiry.Old("east|training|long-gone", "east|training|long-gone|0x1"));
  }

  private void putJobs(int jobs) {
    for (int job = 0; job < jobs; job++) {
      put("job-%03d".formatted(job), 1);
    }
  }

  private void put(String job, int attempt) {
    store.put(
        "east|training|%s|0x1".formatted(job),
        Samples.run(job, "0x1", attempt, RunSummary.State.ENDED));
  }

  private List<String> next(Instant before) {
    var ids = new ArrayList<String>();
    expiry.next(Set.of(), before).forEach(one -> ids.add(one.id()));
    return ids;
  }
}
