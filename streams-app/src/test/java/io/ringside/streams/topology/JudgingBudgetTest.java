package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.topology.DueJobs.Due;
import io.ringside.streams.topology.JudgingBudget.Spent;
import io.ringside.streams.topology.RecordLag.Lag;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgingBudgetTest {
  private static final long NOW = 1_000_000;
  private static final Due ROUTINE = new Due("job", false, NOW, false, false);
  private static final Due NEWS = new Due("job", true, NOW, false, false);

  private static final Due CROWDED = new Due("crowd", true, NOW - 9, true, false);

  private final JudgingBudget budget = new JudgingBudget();

  @Test
  void halfOfWhatIsSavedIsForJobsWithNews() {
    waits("here", NOW, ROUTINE);
    took(50);

    assertThat(budget.lets("here", ROUTINE)).isFalse();
    assertThat(budget.lets("here", NEWS)).isTrue();
    took(50);
    spendItsOwn();
    assertThat(budget.lets("here", NEWS)).isFalse();
  }

  /// A routine judgement that takes seconds does not keep what is new waiting.
  @Test
  void newsHaveASixthOfTheTimeOfTheirOwn() {
    waits("here", NOW, NEWS);
    budget.took(ROUTINE, spent(2_000));

    assertThat(budget.lets("here", ROUTINE)).isFalse();
    assertThat(budget.lets("here", NEWS)).isTrue();
    took(400);
    waits("here", NOW + 1_800, NEWS);
    assertThat(budget.lets("here", NEWS)).isFalse();
    waits("here", NOW + 1_806, NEWS);
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  /// Whatever is new about them: there may be several that take seconds each.
  @Test
  void heavyJobsHaveNoShareInThat() {
    var heavy = new Due("heavy", true, NOW - 9, false, true);
    budget.waits("here", List.of(heavy, NEWS), Lag.IN_TIME, NOW);
    budget.took(heavy, spent(2_000));

    assertThat(budget.lets("here", heavy)).isFalse();
    assertThat(budget.lets("there", NEWS)).as("a heavy one waits longer").isTrue();
    budget.took(heavy, spent(2_000));
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  /// They pay from the common budget as long as it lasts, and their own stays.
  @Test
  void newsDrawOnTheirOwnLast() {
    waits("here", NOW, NEWS);
    took(99);
    took(2);
    assertThat(budget.lets("here", NEWS)).isTrue();
    took(100);
    assertThat(budget.lets("here", NEWS)).isFalse();
  }

  @Test
  void aThirdOfTheTimeIsForJudging() {
    waits("here", NOW, NEWS);
    took(1_100);
    spendItsOwn();

    waits("here", NOW + 3_000, NEWS);
    assertThat(budget.lets("here", NEWS)).isFalse();
    waits("here", NOW + 3_001, NEWS);
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  @Test
  void ofThatAThirdForRoutineOnceRecordsArriveLate() {
    budget.waits("here", List.of(ROUTINE), Lag.LATE, NOW);
    budget.took(ROUTINE, spent(200));

    budget.waits("here", List.of(ROUTINE), Lag.LATE, NOW + 900);
    assertThat(budget.lets("here", ROUTINE)).isFalse();
    assertThat(budget.lets("here", NEWS)).isTrue();
    budget.waits("here", List.of(ROUTINE), Lag.LATE, NOW + 910);
    assertThat(budget.lets("here", ROUTINE)).isTrue();
  }

  @Test
  void routineHasTheWholeBudgetWhileRecordsArriveInTime() {
    waits("here", NOW, ROUTINE);
    budget.took(ROUTINE, spent(200));

    waits("here", NOW + 450, ROUTINE);
    assertThat(budget.lets("here", ROUTINE)).isFalse();
    waits("here", NOW + 460, ROUTINE);
    assertThat(budget.lets("here", ROUTINE)).isTrue();
  }

  @Test
  void aTenthWhileAnyPartitionIsBehind() {
    budget.waits("here", List.of(NEWS), Lag.BEHIND, NOW);
    took(200);
    spendItsOwn();

    waits("there", NOW + 1_000, NEWS);
    assertThat(budget.lets("there", NEWS)).isFalse();
    waits("there", NOW + 1_001, NEWS);
    assertThat(budget.lets("there", NEWS)).isTrue();
  }

  /// On a machine where others use the processor, records wait for all of a judgement's time.
  @Test
  void whatRecordsWaitForCountsOnceTheyAreBehind() {
    waits("here", NOW, NEWS);
    budget.took(NEWS, new Spent(50_000_000, 400_000_000));
    assertThat(budget.lets("here", ROUTINE)).isFalse();
    assertThat(budget.lets("here", NEWS)).isTrue();

    budget.waits("here", List.of(NEWS), Lag.BEHIND, NOW);
    budget.waits("here", List.of(NEWS), Lag.BEHIND, NOW);
    budget.took(NEWS, new Spent(25_000_000, 200_000_000));
    spendItsOwn();
    waits("here", NOW + 1_500, NEWS);
    assertThat(budget.lets("here", NEWS)).as("150 ms in debt").isFalse();
    waits("here", NOW + 1_501, NEWS);
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  /// Jobs get facts of all partitions: those of one that is behind come late among others in time.
  @Test
  void aTenthWhileLogsAreReadLate() {
    waits("here", NOW, NEWS);
    took(200);
    spendItsOwn();

    budget.reads("logs", Lag.BEHIND, NOW);
    waits("here", NOW + 1_000, NEWS);
    assertThat(budget.lets("here", NEWS)).isFalse();
    budget.reads("logs", Lag.IN_TIME, NOW + 1_001);
    waits("here", NOW + 1_001, NEWS);
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  @Test
  void logsThatAreReadNoMoreAreBehindForFiveSeconds() {
    waits("here", NOW, NEWS);
    budget.reads("logs", Lag.BEHIND, NOW);
    took(1_000);
    spendItsOwn();

    waits("here", NOW + 5_000, NEWS); // half a second of it
    waits("here", NOW + 6_000, NEWS);
    assertThat(budget.lets("here", NEWS)).isFalse();
    waits("here", NOW + 6_300, NEWS);
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  @Test
  void aThreadThatGaveAllItsPartitionsAwayOwesNothing() {
    waits("here", NOW, NEWS);
    waits("there", NOW, NEWS);
    took(2_000);
    spendItsOwn();

    budget.leave("here");
    assertThat(budget.lets("there", NEWS)).isFalse();
    budget.leave("there");
    waits("new", NOW, NEWS);
    assertThat(budget.lets("new", NEWS)).isTrue();
  }

  @Test
  void crowdedJobsKeepNobodyElseWaiting() {
    waits("here", NOW, CROWDED);
    budget.took(CROWDED, spent(2_000));

    assertThat(budget.lets("here", CROWDED)).isFalse();
    assertThat(budget.lets("here", NEWS)).isTrue();
    assertThat(budget.lets("there", NEWS)).as("a crowded one waits longer").isTrue();

    waits("here", NOW + 22_800, CROWDED); // a twelfth of the time
    assertThat(budget.lets("here", CROWDED)).isFalse();
    waits("here", NOW + 22_812, CROWDED);
    assertThat(budget.lets("here", CROWDED)).isTrue();
  }

  @Test
  void crowdedJobsWaitForNobodyElse() {
    waits("here", NOW, NEWS);
    took(2_000);
    spendItsOwn();

    assertThat(budget.lets("here", NEWS)).isFalse();
    assertThat(budget.lets("here", CROWDED)).isTrue();
  }

  @Test
  void noMoreIsSavedThanOnePiece() {
    waits("here", NOW, NEWS);
    waits("here", NOW + 3_600_000, NEWS);
    took(100);
    took(100);

    assertThat(budget.lets("here", NEWS)).isFalse();
  }

  @Test
  void thePartitionWhoseJobWaitedLongestGoesFirst() {
    var older = new Due("older", false, NOW - 1, false, false);
    waits("there", NOW, older);
    waits("here", NOW, ROUTINE);

    assertThat(budget.lets("here", ROUTINE)).isFalse();
    assertThat(budget.lets("there", older)).isTrue();
    assertThat(budget.lets("here", NEWS)).as("news wait for no routine").isTrue();

    budget.waits("there", List.of());
    assertThat(budget.lets("here", ROUTINE)).isTrue();
  }

  @Test
  void aPartitionThatLeftIsNotWaitedFor() {
    waits("there", NOW, new Due("older", true, NOW - 1, false, false));
    waits("here", NOW, NEWS);
    budget.leave("there");

    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  @Test
  void norIsOneThatDoesNotAskAnyMore() {
    waits("there", NOW, new Due("older", true, NOW - 1, false, false));
    waits("here", NOW + 5_000, NEWS);
    assertThat(budget.lets("here", NEWS)).isFalse();

    waits("here", NOW + 5_001, NEWS);
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  @Test
  void aClockThatIsSetBackIsNotWaitedFor() {
    waits("here", NOW, NEWS);
    took(1_000);
    spendItsOwn();

    waits("here", NOW - 3_600_000, NEWS);
    assertThat(budget.lets("here", NEWS)).isTrue();
  }

  @Test
  void eachThreadHasItsOwn() throws InterruptedException {
    var here = JudgingBudget.ofThisThread();
    var elsewhere = new JudgingBudget[1];
    var other = Thread.ofPlatform().start(() -> elsewhere[0] = JudgingBudget.ofThisThread());
    other.join();

    assertThat(JudgingBudget.ofThisThread()).isSameAs(here).isNotSameAs(elsewhere[0]);
  }

  private void waits(String partition, long nowMillis, Due due) {
    budget.waits(partition, List.of(due), Lag.IN_TIME, nowMillis);
  }

  private void took(long millis) {
    budget.took(NEWS, spent(millis));
  }

  /// On a machine where nobody else uses the processor.
  private static Spent spent(long millis) {
    return new Spent(millis * 1_000_000, millis * 1_000_000);
  }

  /// What jobs with news have of their own, once the common budget is spent.
  private void spendItsOwn() {
    took(3_600_000);
  }
}
