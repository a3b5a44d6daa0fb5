package io.ringside.streams.parse.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineProbeTest {
  private final LineProbe glance = new LineProbe();

  @Test
  void endsALineAtItsFeedWhereverItStands() {
    for (var length = 0; length < 40; length++) {
      var line = "x".repeat(length);
      assertThat(end(line + "\nL|\r")).isEqualTo(length);
      assertThat(end(line)).isEqualTo(length);
    }
  }

  @Test
  void seesWhatMatchesAndNothingBehindTheNextEightBytes() {
    for (var before = 0; before < 20; before++) {
      for (var after = 0; after < 20; after++) {
        end("x".repeat(before) + "L" + "y".repeat(after) + "\n12345678|\r");
        assertThat(glance.mayHoldL()).isTrue();
        assertThat(glance.mayHoldBar()).isFalse();
        assertThat(glance.mayHoldReturn()).isFalse();
        end("x".repeat(before) + "|" + "y".repeat(after) + "\n12345678L\r");
        assertThat(glance.mayHoldL()).isFalse();
        assertThat(glance.mayHoldBar()).isTrue();
        end("x".repeat(before) + "\r" + "y".repeat(after));
        assertThat(glance.mayHoldReturn()).isTrue();
        assertThat(glance.mayHoldL()).isFalse();
      }
    }
  }

  @Test
  void seesWhetherAllIsAscii() {
    for (var before = 0; before < 20; before++) {
      end("x".repeat(before) + "━" + "y".repeat(before));
      assertThat(glance.mayHoldBeyondAscii()).isTrue();
      end("x".repeat(before) + "|y\r" + "\n12345678━");
      assertThat(glance.mayHoldBeyondAscii()).isFalse();
    }
  }

  @Test
  void seesNoLAndNoBarInBlocks() {
    end(" 48%" + "█".repeat(20) + "▋");
    assertThat(glance.mayHoldL()).isFalse();
    assertThat(glance.mayHoldBar()).isFalse();
    end(" 48%|" + "█".repeat(20) + "▋");
    assertThat(glance.mayHoldL()).isFalse();
    assertThat(glance.mayHoldBar()).isTrue();
  }

  /// Control characters and bytes beyond ASCII must not pass for the end, nor hide it.
  @Test
  void neverMissesWhatIsThere() {
    var random = new Random(1);
    for (var i = 0; i < 100_000; i++) {
      var line = new byte[random.nextInt(40)];
      for (var at = 0; at < line.length; at++) {
        var any = "\t\n\r L|\u0001\u000e\u007f".charAt(random.nextInt(9));
        line[at] = (byte) (random.nextInt(5) == 0 ? any : random.nextInt(256));
      }
      var text = Text.of(line);
      var end = end(text);
      var feed = text.indexOf('\n', 0, line.length);
      assertThat(end).isEqualTo(feed < 0 ? line.length : feed);
      assertThat(glance.mayHoldL() || text.indexOf('L', 0, end) < 0).isTrue();
      assertThat(glance.mayHoldBar() || text.indexOf('|', 0, end) < 0).isTrue();
      assertThat(glance.mayHoldReturn() || text.indexOf('\r', 0, end) < 0).isTrue();
    }
  }

  @Test
  void knowsNothingOfARangeThatHoldsAFeed() {
    var text = Text.of("one\ntwo L|\r");
    glance.within(text, 0, 0, text.length());
    assertThat(glance.is(0, text.length())).isTrue();
    assertThat(glance.mayHoldL()).isTrue();
    assertThat(glance.mayHoldBar()).isTrue();
    assertThat(glance.mayHoldReturn()).isTrue();
  }

  private int end(String text) {
    return end(Text.of(text));
  }

  private int end(Text text) {
    return glance.over(text, 0, 0, text.length());
  }
}
