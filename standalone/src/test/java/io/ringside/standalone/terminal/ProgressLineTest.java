package io.ringside.standalone.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream terminal = new PrintStream(bytes, true, UTF_8);
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void drawsAtMostTenTimesASecondAndLeavesNothingBehind() {
    var line = new ProgressLine(terminal, nanos::get, true);
    line.draw("reading", 0.5);
    nanos.set(50_000_000);
    line.draw("reading", 0.6);
    nanos.set(100_000_000);
    line.draw("judging", 7);
    line.wipe();
    line.wipe();

    assertThat(bytes.toString(UTF_8))
        .isEqualTo(
            "\r\u001b[Kreading "
                + "█".repeat(15)
                + "░".repeat(15)
                + "  50 %"
                + "\r\u001b[Kjudging "
                + "█".repeat(30)
                + " 100 %"
                + "\r\u001b[K");
  }

  @Test
  void isGoneForGoodOnceItEnded() {
    var line = new ProgressLine(terminal, nanos::get, true);
    line.draw("reading", 0.5);
    line.end();
    nanos.set(200_000_000);
    line.draw("reading", 0.6);

    assertThat(bytes.toString(UTF_8)).endsWith("  50 %\r\u001b[K");
  }

  @Test
  void drawsNothingWhereNobodyLooks() {
    var line = new ProgressLine(terminal, nanos::get, false);
    line.draw("reading", 0.5);
    line.wipe();
    assertThat(bytes.size()).isZero();
  }
}
