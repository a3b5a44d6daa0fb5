package io.ringside.streams.state;

import io.ringside.streams.fact.JobInput;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/// An input that a node sends to a job, with its bytes, so that the job's journal can store the
/// bytes as they came.
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PackedInput(JobInput input, byte[] bytes) {
  private static final StateBytes<JobInput> FORM = new StateBytes<>(JobInput.class);

  public static PackedInput of(JobInput input) {
    return new PackedInput(input, FORM.write(input));
  }

  public static JobInput unpack(byte[] bytes) {
    return FORM.read(bytes);
  }

  /// Serde for the repartition topic.
  public static final class PackedSerde implements Serde<PackedInput> {
    @Override
    @SuppressWarnings("NullAway") // Kafka's own contract: null in, null out
    public Serializer<PackedInput> serializer() {
      return (topic, value) -> value == null ? null : value.bytes();
    }

    @Override
    @SuppressWarnings("NullAway") // Kafka's own contract: null in, null out
    public Deserializer<PackedInput> deserializer() {
      var inner = FORM.deserializer();
      return (topic, bytes) ->
          bytes == null ? null : new PackedInput(inner.deserialize(topic, bytes), bytes);
    }
  }
}
