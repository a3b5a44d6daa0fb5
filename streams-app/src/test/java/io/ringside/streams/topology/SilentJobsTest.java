package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SilentJobsTest {
  private static final long NOW = 1_000_000;
  private static final String JOB = "job";

  private final SilentJobs jobs = new SilentJobs(Duration.ofSeconds(10), _ -> Optional.empty());

  /// Its cost grows more slowly, seen as a whole, the longer it stands.
  @Test
  void aSilentJobIsJudgedLessOftenTheLongerItIsSilent() {
    jobs.speaks(JOB, NOW);

    assertThat(judged(Duration.ZERO, Duration.ofMinutes(3))).isBetween(32, 36);
    assertThat(judged(Duration.ofMinutes(4), Duration.ofMinutes(29))).isBetween(24, 26);
    assertThat(judged(Duration.ofMinutes(31), Duration.ofMinutes(131))).isBetween(19, 21);
  }

  @Test
  void aJobThatIsJudgedSeldomRestsInBetween() {
    jobs.speaks(JOB, NOW);
    judged(Duration.ZERO, Duration.ofMinutes(5));

    assertThat(jobs.rests(JOB, NOW + Duration.ofMinutes(2).toMillis())).isFalse();
    assertThat(jobs.rests(JOB, NOW + Duration.ofMinutes(4).toMillis())).isTrue();
    jobs.speaks(JOB, NOW + Duration.ofMinutes(5).toMillis());
    assertThat(jobs.rests(JOB, NOW + Duration.ofMinutes(5).toMillis())).isFalse();
  }

  @Test
  void aJobWhoseRunsAreOverIsJudgedNoMore() {
    jobs.speaks(JOB, NOW);
    judged(Duration.ZERO, Duration.ofMinutes(1));
    jobs.judged(JOB, true);

    assertThat(jobs.over(JOB)).isTrue();
    assertThat(judged(Duration.ofMinutes(1), Duration.ofHours(1))).isZero();
  }

  @Test
  void aJobThatSpeaksIsNotSilent() {
    jobs.speaks(JOB, NOW);
    judged(Duration.ZERO, Duration.ofMinutes(1));
    jobs.speaks(JOB, NOW + 60_000);

    assertThat(jobs.of(JOB, NOW + 60_000)).isNull();
    assertThat(judged(Duration.ofSeconds(61), Duration.ofSeconds(69))).isZero();
  }

  /// How often it is due between two moments after its last line.
  private int judged(Duration from, Duration to) {
    int times = 0;
    for (long at = NOW + from.toMillis(); at < NOW + to.toMillis(); at += 1_000) {
      times += jobs.begun(at).size() + jobs.due(at).size();
    }
    return times;
  }
}
