package io.ringside.shipper.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.UnreachedWitness;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WitnessReachabilityTest {
  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");

  private Instant now = START;
  private final WitnessReachability reachability = new WitnessReachability(() -> now);
  private final WitnessReachability.Contact contact = reachability.contact(UnreachedWitness.RAS);

  @Test
  void saysNothingOfAWitnessThatNobodyHasAskedYet() {
    assertThat(reachability.unreached()).isEmpty();
  }

  @Test
  void tellsWhatFailedTwiceInARow() {
    fail("a did not answer");
    assertThat(reachability.unreached()).isEmpty();

    fail("a did not answer");
    assertThat(reachability.unreached())
        .containsExactly(
            new UnreachedWitness(
                "RAS", "a did not answer", false, 2, START, START.plusSeconds(60)));
  }

  @Test
  void saysNoMoreOnceItAnswers() {
    fail("a did not answer");
    fail("a did not answer");
    contact.reached();
    assertThat(reachability.unreached()).isEmpty();

    fail("a did not answer");
    assertThat(reachability.unreached()).isEmpty();
  }

  /// Before a job nobody listens, and then its RAS may be late once.
  @Test
  void aSingleTimeoutAfterARefusalSaysNothing() {
    contact.failed("nobody listens at a", true);
    contact.failed("nobody listens at a", true);
    assertThat(reachability.unreached()).singleElement().matches(UnreachedWitness::absent);

    fail("a did not answer");
    assertThat(reachability.unreached()).isEmpty();
  }

  @Test
  void countsToTenAndIsBounded() {
    for (int i = 0; i < 50; i++) {
      fail("x".repeat(10_000));
    }

    assertThat(reachability.unreached())
        .singleElement()
        .satisfies(
            said -> {
              assertThat(said.tries()).isEqualTo(10);
              assertThat(said.since()).isEqualTo(START);
              assertThat(said.last()).isEqualTo(START.plusSeconds(49 * 60));
              assertThat(said.why()).hasSize(200);
            });
  }

  private void fail(String why) {
    contact.failed(why);
    now = now.plusSeconds(60);
  }
}
