package io.ringside.streams;

import io.ringside.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/// Copies records that cannot be read to the dead letter topic, whole if they fit. The copy also
/// says where the record came from and what was wrong, so it is larger than the record. A copy that
/// the topic refuses would stop the stream again at every start.
public final class DeadLetterHandlers {
  /// Bytes that Kafka adds to a batch of one record, rounded up.
  private static final int OVERHEAD = 1 << 10;

  private static final int MOST_OF_A_HEADER = 4 << 10;
  private static final int MOST_HEADERS = 32;

  private DeadLetterHandlers() {}

  /// Handles a record whose bytes cannot be decoded as its topic's type.
  public static final class Undecoded extends LogAndContinueExceptionHandler {
    @Override
    public Response handleError(
        ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception exception) {
      return Response.resume(
          fitting(super.handleError(context, record, exception).deadLetterQueueRecords()));
    }
  }

  /// Handles a record that a processing step failed on.
  public static final class Unprocessed extends LogAndContinueProcessingExceptionHandler {
    @Override
    public Response handleError(
        ErrorHandlerContext context, Record<?, ?> record, Exception exception) {
      return Response.resume(
          fitting(super.handleError(context, record, exception).deadLetterQueueRecords()));
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> fitting(
      List<ProducerRecord<byte[], byte[]>> letters) {
    return letters.stream().map(DeadLetterHandlers::fitting).toList();
  }

  /// The letter if it fits, otherwise a cut copy.
  static ProducerRecord<byte[], byte[]> fitting(ProducerRecord<byte[], byte[]> letter) {
    if (size(letter) <= Topic.MAX_MESSAGE_BYTES) {
      return letter;
    }
    var headers = new ArrayList<Header>();
    for (var header : letter.headers()) {
      if (headers.size() < MOST_HEADERS && header.key().length() <= MOST_OF_A_HEADER) {
        headers.add(new RecordHeader(header.key(), cut(header.value(), MOST_OF_A_HEADER)));
      }
    }
    return new ProducerRecord<>(
        letter.topic(),
        letter.partition(),
        letter.timestamp(),
        cut(letter.key(), MOST_OF_A_HEADER),
        cut(letter.value(), Topic.MAX_MESSAGE_BYTES / 2),
        headers);
  }

  private static int size(ProducerRecord<byte[], byte[]> letter) {
    long size = OVERHEAD;
    size += length(letter.key());
    size += length(letter.value());
    for (var header : letter.headers()) {
      size += 16L + 4L * header.key().length() + length(header.value());
    }
    return (int) Math.min(size, Integer.MAX_VALUE);
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static byte @Nullable [] cut(byte @Nullable [] bytes, int most) {
    return bytes == null || bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
  }
}
