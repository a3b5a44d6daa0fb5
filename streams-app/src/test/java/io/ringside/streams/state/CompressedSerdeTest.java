package io.ringside.streams.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

class CompressedSerdeTest {
  private static final String JSON =
      "{\"rank\": 7, \"lines\": [%s]}".formatted("\"x\", ".repeat(500));

  private final CompressedSerde<String> serde = new CompressedSerde<>(Serdes.String());

  @Test
  void takesLittleRoomAndGivesBackWhatWasWritten() {
    var bytes = serde.serializer().serialize("runs", JSON);

    assertThat(bytes.length).isLessThan(JSON.length() / 10);
    assertThat(serde.deserializer().deserialize("runs", bytes)).isEqualTo(JSON);
    assertThat(serde.serializer().serialize("runs", null)).isNull();
    assertThat(serde.deserializer().deserialize("runs", null)).isNull();
  }

  @Test
  void readsWhatIsNotCompressed() {
    var bytes = JSON.getBytes(StandardCharsets.UTF_8);

    assertThat(serde.deserializer().deserialize("runs", bytes)).isEqualTo(JSON);
  }

  @Test
  void refusesWhatIsDamaged() {
    var bytes = serde.serializer().serialize("runs", JSON);
    var random = new Random(3);
    for (int length = 1; length < bytes.length; length += 3) {
      var cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> serde.deserializer().deserialize("runs", cut))
          .isInstanceOf(SerializationException.class);
    }
    for (int damage = 0; damage < 200; damage++) {
      var damaged = bytes.clone();
      damaged[1 + random.nextInt(3)] = (byte) random.nextInt(Byte.MIN_VALUE, 0);
      assertThatThrownBy(() -> serde.deserializer().deserialize("runs", damaged))
          .isInstanceOf(SerializationException.class);
    }
  }
}
