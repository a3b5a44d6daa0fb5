package io.ringside.streams.state;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/// A serde that compresses JSON: a store in memory holds the results of a month. Values that were
/// written uncompressed, as by older versions, are read as well.
///
/// @param inner writes values that do not begin with {@link #MARK}, as JSON
/// @param <T> what is written
public record CompressedSerde<T>(Serde<T> inner) implements Serde<T> {
  /// First byte of what is compressed. The rest is an LZ4 block with its length, see {@link Lz4}.
  private static final byte MARK = 'Z';

  @Override
  @SuppressWarnings("NullAway") // Kafka's own contract: null for no value
  public Serializer<T> serializer() {
    var writing = inner.serializer();
    return (topic, value) -> value == null ? null : packed(writing.serialize(topic, value));
  }

  private static byte[] packed(byte[] plain) {
    var block = Lz4.pack(plain);
    var marked = new byte[1 + block.length];
    marked[0] = MARK;
    System.arraycopy(block, 0, marked, 1, block.length);
    return marked;
  }

  @Override
  @SuppressWarnings("NullAway") // Kafka's own contract: null for no value
  public Deserializer<T> deserializer() {
    var reading = inner.deserializer();
    return (topic, bytes) -> bytes == null ? null : reading.deserialize(topic, plain(bytes));
  }

  private static byte[] plain(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != MARK) {
      return bytes;
    }
    try {
      return Lz4.unpack(bytes, 1);
    } catch (RuntimeException e) { // of a damaged block
      throw new SerializationException("cannot be decompressed: " + e.getMessage(), e);
    }
  }
}
