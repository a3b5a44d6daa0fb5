package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.topology.DueJobs.Due;
import java.util.List;
import org.junit.jupiter.api.Test;

class DueJobsTest {
  private static final long NOW = 1_000_000;

  /// Nodes of a large job.
  private static final int MANY = 1_000;

  private final DueJobs due = new DueJobs();

  @Test
  void whoWaitedLongestIsFirst() {
    due.changed("b", false, NOW);
    due.changed("a", false, NOW + 1);
    due.changed("b", false, NOW + 2);

    assertThat(ready(NOW + 2)).containsExactly("b", "a");
  }

  @Test
  void jobsWithNewsGoBeforeThem() {
    due.changed("old", false, NOW);
    due.changed("news", true, NOW + 5);
    due.changed("newer", true, NOW + 6);

    assertThat(ready(NOW + 6)).containsExactly("news", "newer", "old");
  }

  @Test
  void newsMakeAJobThatWaitsOneWithNews() {
    due.changed("a", false, NOW);
    due.changed("b", false, NOW);
    due.changed("b", true, NOW + 3);
    due.changed("b", false, NOW + 4);

    assertThat(due.ready(NOW + 4))
        .containsExactly(
            new Due("b", true, NOW + 3, false, false), new Due("a", false, NOW, false, false));
  }

  @Test
  void whatIsJudgedIsDueNoMore() {
    due.changed("a", true, NOW);
    due.take("a");

    assertThat(ready(NOW)).isEmpty();
  }

  @Test
  void aShortJudgementRestsTenTimesAsLongAsItTook() {
    restsUntil(20, NOW + 220);
  }

  @Test
  void aLongerOneRestsHalfASecond() {
    restsUntil(200, NOW + 700);
  }

  @Test
  void aJobThatClaimsMoreRunsThanTheLedgerHoldsRestsForLonger() {
    due.took("a", 30_000_000, true, MANY, NOW);
    due.changed("a", true, NOW);

    assertThat(ready(NOW + 1_829)).isEmpty();
    assertThat(ready(NOW + 1_830)).containsExactly("a");
  }

  @Test
  void aCrowdedJobComesLastUntilItIsCrowdedNoMore() {
    due.took("a", 0, true, MANY, NOW);
    due.changed("a", true, NOW);
    due.changed("b", false, NOW + 1);
    assertThat(ready(NOW + 1)).containsExactly("b", "a");

    due.take("a");
    due.took("a", 0, false, MANY, NOW + 1);
    due.changed("a", true, NOW + 1);
    assertThat(ready(NOW + 1)).containsExactly("a", "b");
  }

  @Test
  void aJobIsHeavyWhileItsLastJudgementTookLong() {
    due.took("a", 101_000_000, false, MANY, NOW);
    due.changed("a", true, NOW);
    assertThat(due.ready(NOW + 3_600_000)).singleElement().matches(Due::heavy);

    due.take("a");
    due.took("a", 100_000_000, false, MANY, NOW);
    due.changed("a", true, NOW);
    assertThat(due.ready(NOW + 3_600_000)).singleElement().matches(each -> !each.heavy());
  }

  @Test
  void theLongestRestsTwiceAsLongAsItTook() {
    restsUntil(4_000, NOW + 12_000);
  }

  /// One pod may say what takes long to judge, in each line.
  @Test
  void aJobTakesATwentiethOfTheTimeForEachOfItsNodesInTheLongRun() {
    assertThat(takenInAnHour(1)).isBetween(170_000L, 200_000L);
    assertThat(takenInAnHour(2)).isBetween(340_000L, 380_000L);
    assertThat(takenInAnHour(MANY)).isGreaterThan(900_000);
  }

  /// Milliseconds that judging takes, if it takes 300 each time.
  private long takenInAnHour(int nodes) {
    long taken = 0;
    for (long now = NOW; now < NOW + 3_600_000; now += 50) {
      due.changed("a", true, now);
      if (!ready(now).isEmpty()) {
        due.take("a");
        due.took("a", 300_000_000, false, nodes, now);
        taken += 300;
      }
    }
    due.forget("a");
    return taken;
  }

  @Test
  void aClockThatIsSetBackIsNotWaitedFor() {
    due.took("a", 20_000_000, false, MANY, NOW);
    due.changed("a", true, NOW);
    due.ready(NOW);

    assertThat(ready(NOW - 3_600_000)).containsExactly("a");
  }

  @Test
  void whatIsForgottenIsNeitherDueNorRests() {
    due.took("a", 4_000_000_000L, false, MANY, NOW);
    due.changed("a", true, NOW);
    due.forget("a");

    assertThat(ready(NOW + 60_000)).isEmpty();
    due.changed("a", true, NOW);
    assertThat(ready(NOW)).containsExactly("a");
  }

  private void restsUntil(long tookMillis, long millis) {
    due.took("a", tookMillis * 1_000_000, false, MANY, NOW);
    due.changed("a", true, NOW + tookMillis);

    assertThat(ready(millis - 1)).isEmpty();
    assertThat(ready(millis)).containsExactly("a");
  }

  private List<String> ready(long nowMillis) {
    return due.ready(nowMillis).stream().map(Due::job).toList();
  }
}
