package io.ringside.streams.detect.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.fact.PortFacts;
import io.ringside.streams.job.hardware.PortHistory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ports minute by minute. Usual shares are spread as those of real ones: most lie around one in a
/// million, some at one in ten thousand.
class PortSuspicionTest {
  private static final Thresholds.Hardware LIMIT = Expectations.builtIn().thresholds().hardware();
  private static final int NODES = 8;
  private static final int PORTS = 4;

  private final Map<String, PortHistory> ports = new LinkedHashMap<>();

  /// Constant small rates, minutes without traffic, one-minute storms at one port, storms of ten
  /// minutes at all.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void isQuietAboutHealthyNoise(long seed) {
    var random = new SplittableRandom(seed);
    var usual = new LinkedHashMap<String, Double>();
    eachPort(name -> usual.put(name, Math.pow(10, -6 + 2 * random.nextDouble())));
    for (int minute = 0; minute < 300; minute++) {
      boolean paused = minute % 60 == 59;
      double fabric = minute % 90 < 10 ? 300 : 1;
      var stormy = "node-%d/%d".formatted(random.nextInt(NODES), random.nextInt(PORTS));
      boolean storm = minute % 7 == 0;
      for (var port : usual.entrySet()) {
        long packets = paused ? random.nextInt(100) : 20_000_000L + random.nextInt(60_000_000);
        double share =
            port.getValue() * fabric * (storm && port.getKey().equals(stormy) ? 3_000 : 1);
        look(port.getKey(), minute, packets, poisson(random, Math.min(0.2, share) * packets));
      }
      assertNobody(minute);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = PortErrorKind.class,
      names = {"RETRANSMITS", "TIMEOUTS", "DAMAGED", "DROPS"})
  void namesThePortThatGoesBadWithinThreeLooksAndForAnHour(PortErrorKind trouble) {
    var random = new SplittableRandom(5);
    for (int minute = 0; minute < 90; minute++) {
      boolean bad = minute >= 30;
      long at = minute;
      eachPort(
          name -> {
            long packets = 50_000_000;
            double share = name.equals("node-3/1") && bad ? 0.01 : 1e-7;
            look(name, at, packets, trouble, poisson(random, share * packets));
          });
      if (minute >= 32) {
        assertThat(suspicions(trouble))
            .as("minute %d", minute)
            .singleElement()
            .satisfies(
                port -> {
                  assertThat(port.node()).isEqualTo("node-3");
                  assertThat(port.device()).isEqualTo("1");
                  assertThat(port.share()).isBetween(0.005, 0.02);
                });
      } else {
        assertNobody(minute);
      }
    }
  }

  @Test
  void leavesOutThoseWhoSeeTheWorstFromTheOtherEnd() {
    for (int minute = 0; minute < 40; minute++) {
      long at = minute;
      eachPort(
          name -> {
            long events =
                at < 30
                    ? 50
                    : name.equals("node-3/1") ? 500_000 : name.startsWith("node-4") ? 90_000 : 50;
            look(name, at, 50_000_000, events);
          });
    }

    assertThat(suspicions(PortErrorKind.RETRANSMITS))
        .extracting(PortSuspicion::node)
        .containsExactly("node-3");
  }

  @Test
  void namesAPortThatIsBadFromTheFirstLookOn() {
    for (int minute = 0; minute < 4; minute++) {
      long at = minute;
      eachPort(name -> look(name, at, 50_000_000, name.equals("node-0/0") ? 500_000 : 50));
    }

    assertThat(suspicions(PortErrorKind.RETRANSMITS))
        .extracting(PortSuspicion::node)
        .containsExactly("node-0");
  }

  @Test
  void judgesNobodyWithoutPeers() {
    for (int minute = 0; minute < 40; minute++) {
      look("node-0/0", minute, 50_000_000, minute < 30 ? 50 : 500_000);
      look("node-1/0", minute, 50_000_000, 50);
    }

    assertThat(suspicions(PortErrorKind.RETRANSMITS)).isEmpty();
  }

  private void eachPort(java.util.function.Consumer<String> action) {
    for (int node = 0; node < NODES; node++) {
      for (int port = 0; port < PORTS; port++) {
        action.accept("node-%d/%d".formatted(node, port));
      }
    }
  }

  private void look(String name, long minute, long packets, long events) {
    look(name, minute, packets, PortErrorKind.RETRANSMITS, events);
  }

  private void look(String name, long minute, long packets, PortErrorKind trouble, long events) {
    var all = new ArrayList<>(Collections.nCopies(PortErrorKind.values().length, 0L));
    all.set(trouble.ordinal(), events);
    ports
        .computeIfAbsent(name, _ -> new PortHistory())
        .add(minute * 60_000_000_000L, new PortFacts(name, packets, all, ""));
  }

  private void assertNobody(int minute) {
    for (var trouble : PortErrorKind.values()) {
      assertThat(suspicions(trouble)).as("minute %d", minute).isEmpty();
    }
  }

  private List<PortSuspicion> suspicions(PortErrorKind trouble) {
    var all = new ArrayList<PortSuspicion.Port>();
    ports.forEach(
        (name, history) -> {
          var parts = name.split("/", -1);
          all.add(new PortSuspicion.Port(parts[0], parts[1], history, history.recent()));
        });
    return PortSuspicion.of(trouble, all, LIMIT);
  }

  private static long poisson(RandomGenerator random, double mean) {
    if (mean > 50) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    double limit = Math.exp(-mean);
    long count = 0;
    for (double product = random.nextDouble(); product > limit; product *= random.nextDouble()) {
      count++;
    }
    return count;
  }
}
