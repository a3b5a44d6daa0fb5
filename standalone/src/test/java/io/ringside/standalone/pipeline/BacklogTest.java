package io.ringside.standalone.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final TopicPartition LOGS = new TopicPartition("logs", 0);
  private static final TopicPartition GPU = new TopicPartition("gpu", 0);

  @Test
  void countsAPartitionWithoutCommitsFromItsBeginning() {
    var backlog = new Backlog(Map.of(LOGS, 4L), Map.of(LOGS, 10L, GPU, 3L));
    assertThat(backlog.behind()).isEqualTo(9);
    assertThat(backlog.done()).isEqualTo(4);
    assertThat(backlog.total()).isEqualTo(13);
  }

  @Test
  void isNothingWhenEverythingIsCommittedOrEmpty() {
    assertThat(new Backlog(Map.of(LOGS, 10L), Map.of(LOGS, 10L, GPU, 0L)).behind()).isZero();
  }
}
