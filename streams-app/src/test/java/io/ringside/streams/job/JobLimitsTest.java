package io.ringside.streams.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// How many communicators and ranks a job can claim, by the numbers that SECURITY.md states.
class JobLimitsTest {
  private final JobState job = new JobState();

  @Test
  void aFileFounds4096Communicators() {
    assertThat(founded("a.log", 4_096)).isEqualTo(4_096);

    assertThat(job.admits("one more", 2, "a.log")).isFalse();
    assertThat(job.leftOut()).isEqualTo(1);
    assertThat(job.admits("one more", 2, "b.log")).isTrue();
  }

  @Test
  void aJobHas131072Communicators() {
    int all = 0;
    for (int file = 0; file < 32; file++) {
      all += founded(file + ".log", 4_096);
    }

    assertThat(all).isEqualTo(131_072);
    assertThat(job.admits("one more", 2, "32.log")).isFalse();
  }

  @Test
  void aCommunicatorHas131072Ranks() {
    assertThat(job.admits("large", 131_072, "a.log")).isTrue();
    assertThat(job.admits("larger", 131_073, "a.log")).isFalse();
    assertThat(job.takeSeats(131_073)).isFalse();
  }

  @Test
  void theCommunicatorsOfAJobHaveAMillionRanks() {
    for (int large = 0; large < 8; large++) {
      assertThat(job.takeSeats(131_072)).isTrue();
    }

    assertThat(job.takeSeats(1)).isFalse();
  }

  @Test
  void theStatementsOfANodeTake128MiB() {
    job.grow("node-1", (128 << 20) - 1);
    assertThat(job.keepsMoreOf("node-1")).isTrue();
    job.grow("node-1", 1);

    assertThat(job.keepsMoreOf("node-1")).isFalse();
    assertThat(job.unkept()).isEqualTo(1);
    assertThat(job.keepsMoreOf("node-2")).isTrue();
  }

  private int founded(String file, int communicators) {
    int admitted = 0;
    for (int comm = 0; comm < communicators; comm++) {
      admitted += job.admits(file + comm, 2, file) ? 1 : 0;
    }
    return admitted;
  }
}
