package io.ringside.shipper.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaPublisherTest {
  private final MockProducer<String, byte[]> producer = mock();
  private final KafkaPublisher publisher = new KafkaPublisher(producer);
  private final LogChunk chunk =
      new LogChunk(
          new LogSource("c", "node-7", "ns", "p", "u", "t", "j", "/f.log"),
          1,
          2,
          3,
          9,
          Instant.EPOCH,
          true,
          false,
          Text.of("a\nb"),
          new int[] {0, 2},
          5,
          new long[] {0, 1},
          new int[0]);

  @Test
  void sendsWithTheNodeAsKeyAndCountsTheAnswer() {
    var answer = publisher.send(chunk);
    var _ = publisher.send(new GpuSample("c", "node-7", Instant.EPOCH, List.of()));
    assertThat(producer.history())
        .extracting(r -> r.topic() + " " + r.key())
        .containsExactly("ringside.logs.v1 node-7", "ringside.gpu.v1 node-7");
    assertThat(
            Topics.LOGS
                .valueSerde()
                .deserializer()
                .deserialize("ringside.logs.v1", producer.history().getFirst().value()))
        .isEqualTo(chunk);
    assertThat(answer).isNotDone();
    producer.completeNext();
    assertThat(answer).isCompleted();
    assertThat(publisher.counts().acked.sum()).isEqualTo(1);
  }

  @Test
  void flushTellsThatSomethingWasRefused() {
    var answer = publisher.send(chunk);
    producer.errorNext(new TopicAuthorizationException("not yours"));
    assertThat(answer).isCompletedExceptionally();
    assertThatThrownBy(publisher::flush).hasMessageContaining("not yours");
    publisher.flush();
    assertThat(publisher.counts().failed.sum()).isEqualTo(1);
  }

  @Test
  void aProducerThatFailedForGoodIsReplaced() {
    var next = mock();
    var producers = new ArrayDeque<>(List.of(producer, next));
    var slot = ProducerSlot.renewing(producers::remove, System::nanoTime);
    var renewing = new KafkaPublisher(slot, new PublishCounts(), Instant::now);
    var answer = renewing.send(chunk);
    producer.errorNext(new ClusterAuthorizationException("no idempotent writes for you"));
    assertThat(answer).isCompletedExceptionally();
    while (!producer.closed()) {
      Thread.onSpinWait();
    }
    var again = renewing.send(chunk);
    next.completeNext();
    assertThat(again).isCompleted();
    assertThat(slot.renewals().sum()).isEqualTo(1);
  }

  @Test
  void aClockThatIsAheadMakesNoNewProducers() {
    var producers = new ArrayDeque<>(List.of(producer));
    var slot = ProducerSlot.renewing(producers::remove, System::nanoTime);
    var renewing = new KafkaPublisher(slot, new PublishCounts(), Instant::now);
    for (int i = 0; i < 100; i++) {
      var answer = renewing.send(chunk);
      producer.errorNext(new InvalidTimestampException("two hours ahead"));
      assertThat(answer).isCompletedExceptionally();
    }
    assertThat(producer.closed()).isFalse();
    assertThat(renewing.counts().failed.sum()).isEqualTo(100);
  }

  @Test
  void renewalsEndWithTheSlot() throws Exception {
    var asked = new CountDownLatch(1);
    var made = new AtomicInteger();
    var slot =
        ProducerSlot.renewing(
            () -> {
              if (made.getAndIncrement() > 0) {
                asked.countDown();
              }
              return made.get() == 1 ? producer : mock();
            },
            System::nanoTime);
    var renewing = new KafkaPublisher(slot, new PublishCounts(), Instant::now);
    var onTheWay = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 100; i++) {
      onTheWay.add(renewing.send(chunk));
    }
    slot.close(Duration.ZERO);
    for (int i = 0; i < onTheWay.size(); i++) {
      producer.errorNext(new ClusterAuthorizationException("no more"));
    }
    assertThat(asked.await(300, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(made).hasValue(1);
  }

  @Test
  void aProducerThatThrowsAnswersLikeOneThatRefuses() {
    producer.close();
    assertThat(publisher.send(chunk)).isCompletedExceptionally();
    assertThat(publisher.counts().failed.sum()).isEqualTo(1);
  }

  @Test
  void whatConcernsOneRecordOrHealsWithTimeLeavesTheProducer() {
    assertThat(ProducerSlot.isFatal(new RecordTooLargeException("large"))).isFalse();
    assertThat(ProducerSlot.isFatal(new TopicAuthorizationException("topic"))).isFalse();
    assertThat(ProducerSlot.isFatal(new TimeoutException("no metadata"))).isFalse();
    assertThat(ProducerSlot.isFatal(new InvalidTimestampException("two hours ahead"))).isFalse();
    assertThat(ProducerSlot.isFatal(new SslAuthenticationException("expired"))).isTrue();
    assertThat(ProducerSlot.isFatal(new OutOfOrderSequenceException("lost"))).isTrue();
  }

  private static MockProducer<String, byte[]> mock() {
    return new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
  }

  @Test
  void aRecordThatIsTooLargeBecomesADeadLetterAndHoldsNothingUp() throws Exception {
    var answer = publisher.send(chunk);
    producer.errorNext(new RecordTooLargeException("too large"));
    assertThat(answer).isNotDone();
    while (producer.history().size() < 2) {
      Thread.onSpinWait();
    }
    producer.completeNext();
    assertThat(answer.get(5, TimeUnit.SECONDS)).isNull();
    var record = producer.history().getLast();
    assertThat(record.topic()).isEqualTo(Topics.DEAD_LETTER.name());
    var letter =
        Topics.DEAD_LETTER.valueSerde().deserializer().deserialize(record.topic(), record.value());
    assertThat(letter.head()).startsWith("{");
    assertThat(letter.sha256()).hasSize(64);
    assertThat(letter.bytes()).isEqualTo(producer.history().getFirst().value().length);
    publisher.flush();
  }
}
