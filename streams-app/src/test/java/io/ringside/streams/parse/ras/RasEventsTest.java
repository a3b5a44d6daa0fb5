package io.ringside.streams.parse.ras;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RasEventsTest {
  private static final String TEXT =
      """
      RAS Monitor Mode - watching for peer changes (Ctrl+C to exit)...
      ================================================================
      [2026-11-22 08:32:55] PEER_NEW: Process 704 on node 192.0.2.2 managing GPU 4
      [2026-11-22 08:33:02] PEER_UNRESPONSIVE: Process 702 on node 192.0.2.2 managing GPU 2 peer not responding for 5s (connect timeout)
      [2026-11-22 08:33:08] PEER_DEAD: Process 703 on node 192.0.2.2 managing GPU 3
      Connection closed by the NCCL job.
      """;

  private static final String JSON =
      """
      {
        "timestamp": "2026-11-22 08:33:08",
        "group": "LIFECYCLE",
        "event": "PEER_DEAD",
        "peer": {
          "host": "192.0.2.2",
          "pid": 703,
          "cuda_devs": [3],
          "nvml_devs": [3]
        },
        "details": ""
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {TEXT, JSON})
  void tellsWhoIsDead(String text) {
    assertThat(RasAnswers.recognises(text)).isTrue();
    var read = RasAnswers.of(text);
    assertThat(read.damaged()).isZero();
    assertThat(read.answers())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.dead()).containsExactly(new RasAnswer.Dead(703, "192.0.2.2"));
              assertThat(it.atNanos() / 1_000_000_000)
                  .isEqualTo(Instant.parse("2026-11-22T08:33:08Z").getEpochSecond());
            });
  }

  @Test
  void newAndSlowPeersAreNotDead() {
    assertThat(RasAnswers.of(JSON.replace("PEER_DEAD", "PEER_NEW")).answers()).isEmpty();
    assertThat(RasAnswers.of(TEXT.replace("PEER_DEAD", "PEER_RECOVERED")).answers()).isEmpty();
  }

  @Test
  void anEventThatIsCutNamesNobody() {
    var cut = JSON.substring(0, JSON.indexOf("\"pid\""));
    assertThat(RasAnswers.of(cut + "\n\n\n\n\"pid\": 9,\n").answers()).isEmpty();
  }

  @Test
  void theWordAloneIsNoEvent() {
    assertThat(RasAnswers.recognises("we saw PEER_DEAD: yesterday\n")).isFalse();
    assertThat(RasAnswers.of("[x] PEER_DEAD: Process 7 on node a managing GPU 1\n").answers())
        .isEmpty();
  }
}
