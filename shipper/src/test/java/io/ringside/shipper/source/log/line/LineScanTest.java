package io.ringside.shipper.source.log.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineScanTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "a\nb",
        "\n\n\n\n\n\n\n\n",
        "\n\u000b\n\u000b\n\u000b\n\u000b\n\u000b",
        "x\u008a\n\u008ay\n\u00ff\u0000z\n\n end"
      })
  void countsEachByteAndNoneOfItsNeighbours(String text) {
    var bytes = text.getBytes(ISO_8859_1);
    for (int from = 0; from <= bytes.length; from++) {
      for (int to = from; to <= bytes.length; to++) {
        long breaks = text.substring(from, to).chars().filter(c -> c == '\n').count();

        assertEquals(breaks, LineScan.count(bytes, (byte) '\n', from, to));
      }
    }
  }

  @Test
  void countsBytesBeyondAscii() {
    byte[] bytes = {(byte) 0xff, 0x7f, (byte) 0xff, 0, (byte) 0xff, 1, 2, 3, (byte) 0xff};

    assertEquals(4, LineScan.count(bytes, (byte) 0xff, 0, bytes.length));
  }
}
