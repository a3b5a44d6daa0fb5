package io.ringside.streams.state;

import java.util.Arrays;
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import org.apache.fory.logging.LoggerFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/// The service's own state and its repartition topic, as Apache Fory writes them. A form takes and
/// makes classes of this product that its type can hold, and the JDK's collections, nothing else.
/// It tells the names of fields once a value, so that versions of the service understand each
/// other: a field that one of them does not know is skipped, one that is missing is 0 or null, or
/// as the constructor leaves it. A version goes before all: what is of another one is not guessed
/// at.
///
/// Unlike the contracts this is private to the service. Thread-safe.
///
/// @param <T> what is written
public final class StateBytes<T> implements Serde<T> {
  static {
    LoggerFactory.useSlf4jLogging(true);
  }

  /// So many threads write or read at once; others wait for microseconds.
  private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

  /// What begins with another byte was written before there were versions, and is of the first.
  private static final byte MARK = 'R';

  private static final byte UNMARKED = 1;

  /// To be raised where the meaning of fields changes, so that fields that are known say something
  /// else.
  private static final byte VERSION = 10;

  private final Class<T> type;
  private final ThreadSafeFory fory;

  public StateBytes(Class<T> type) {
    this.type = type;
    fory =
        Fory.builder()
            .withXlang(false)
            .withCompatible(true)
            // generated code saves 25 of 95 ns a line, and takes ten seconds of an instance that
            // takes over
            .withCodegen(false)
            .serializeEnumByName(true)
            .requireClassRegistration(true)
            // shared objects are written twice, as values are; no state has cycles
            .withRefTracking(false)
            // a job of 16,384 ranks is more than the 128 MiB that are allowed
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

  /// @throws AnotherVersion if they are of a version that cannot be understood
  /// @throws SerializationException if these are no such bytes
  public T read(byte[] bytes) {
    byte version = bytes.length >= 2 && bytes[0] == MARK ? bytes[1] : UNMARKED;
    if (version != VERSION) {
      throw new AnotherVersion(type.getSimpleName(), version, VERSION);
    }
    try {
      return type.cast(fory.deserialize(Arrays.copyOfRange(bytes, 2, bytes.length)));
    } catch (RuntimeException | OutOfMemoryError e) {
      // of many kinds, for bytes that are none of this form: they may name any length
      throw new SerializationException(
          "no %s that this version understands: %s".formatted(type.getSimpleName(), e.getMessage()),
          e);
    }
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
