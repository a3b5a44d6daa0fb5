package io.ringside.streams.state;

import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import org.apache.fory.logging.LoggerFactory;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/// Writes the service's own state and its repartition topic with Apache Fory. A form accepts and
/// creates only those classes of this product that its type can hold, and the JDK's collections.
/// Each value carries the names of its fields once, so that versions of the service understand each
/// other: an unknown field is skipped, and a missing one is 0 or null, or what the constructor
/// sets. The bytes begin with a version; bytes of another version are not interpreted.
///
/// Unlike the contracts, this format is private to the service. Thread-safe.
///
/// @param <T> what is written
public final class StateBytes<T> implements Serde<T> {
  static {
    LoggerFactory.useSlf4jLogging(true);
  }

  /// Number of threads that write or read at once; others wait for microseconds.
  private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

  /// First byte of versioned bytes. Bytes that begin otherwise were written before there were
  /// versions and count as version 1.
  private static final byte MARK = 'R';

  private static final byte UNMARKED = 1;

  /// Raise this when the meaning of fields changes, so that known fields would be misread, and when
  /// a class changes its name.
  private static final byte VERSION = 12;

  private final Class<T> type;
  private final ThreadSafeFory fory;

  public StateBytes(Class<T> type) {
    this.type = type;
    fory =
        Fory.builder()
            .withXlang(false)
            .withCompatible(true)
            // generated code saves 25 of 95 ns a line, but costs an instance that takes over ten
            // seconds
            .withCodegen(false)
            .serializeEnumByName(true)
            .requireClassRegistration(true)
            // shared objects are written twice, like values; no state has cycles
            .withRefTracking(false)
            // a job of 16,384 ranks needs more than the default limit of 128 MiB
            .withMaxGraphMemoryBytes(Long.MAX_VALUE)
            .buildThreadSafeForyPool(AT_ONCE);
    StateTypes.reachableFrom(type).forEach(own -> fory.register(own, StateTypes.name(own)));
  }

  public byte[] write(T value) {
    var bytes = fory.serialize(value);
    var marked = new byte[bytes.length + 2];
    marked[0] = MARK;
    marked[1] = VERSION;
    System.arraycopy(bytes, 0, marked, 2, bytes.length);
    return marked;
  }

  /// @throws StateVersionMismatch if the bytes are of another version
  /// @throws SerializationException if the bytes are not a value of this form
  public T read(byte[] bytes) {
    byte version = bytes.length >= 2 && bytes[0] == MARK ? bytes[1] : UNMARKED;
    if (version != VERSION) {
      throw new StateVersionMismatch(type.getSimpleName(), version, VERSION);
    }
    try {
      return type.cast(fory.deserialize(MemoryBuffer.fromByteArray(bytes, 2, bytes.length - 2)));
    } catch (RuntimeException | OutOfMemoryError e) {
      // foreign bytes cause exceptions of many kinds, and may claim any length
      throw new SerializationException(
          "no %s that this version understands: %s".formatted(type.getSimpleName(), e.getMessage()),
          e);
    }
  }

  /// A copy that shares nothing with the value.
  public T copy(T value) {
    return read(write(value));
  }

  @Override
  @SuppressWarnings("NullAway") // Kafka's own contract: null in, null out
  public Serializer<T> serializer() {
    return (topic, value) -> value == null ? null : write(value);
  }

  @Override
  @SuppressWarnings("NullAway") // Kafka's own contract: null in, null out
  public Deserializer<T> deserializer() {
    return (topic, bytes) -> bytes == null ? null : read(bytes);
  }
}
