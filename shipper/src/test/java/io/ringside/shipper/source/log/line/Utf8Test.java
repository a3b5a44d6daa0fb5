package io.ringside.shipper.source.log.line;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Utf8Test {
  @Test
  void agreesWithTheDecoderOfTheJdk() {
    var random = new SplittableRandom(3);
    int valid = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(5)];
      for (int k = 0; k < bytes.length; k++) {
        // mostly bytes that may belong to a sequence
        bytes[k] =
            (byte) (random.nextInt(4) == 0 ? random.nextInt(256) : 0x80 + random.nextInt(128));
      }
      boolean expected = decodes(bytes);
      valid += expected ? 1 : 0;
      assertThat(Utf8.isValid(bytes, 0, bytes.length)).isEqualTo(expected);
    }
    assertThat(valid).isGreaterThan(1_000);
  }

  @Test
  void takesEveryCharacter() {
    for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
      if (point < 0xd800 || point > 0xdfff) {
        byte[] bytes = ("12345678" + Character.toString(point) + "x").getBytes(UTF_8);
        if (!Utf8.isValid(bytes, 0, bytes.length)) {
          throw new AssertionError(Integer.toHexString(point));
        }
      }
    }
    assertThat(Utf8.isValid(new byte[] {'a', (byte) 0xe2, (byte) 0x96}, 0, 3)).isFalse();
  }

  private static boolean decodes(byte[] bytes) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
