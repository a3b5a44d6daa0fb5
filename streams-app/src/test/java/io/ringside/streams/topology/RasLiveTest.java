package io.ringside.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.event.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What agents hear from RAS while a job lives that prints no calls.
class RasLiveTest {
  private static final String COMM = "0xaa00bdab65740a8d";
  private static final int RANKS = 4;

  @TempDir private Path stateDir;
  private LiveJob job;
  private long answers;
  private long launched = 10;

  @BeforeEach
  void begin() {
    job = new LiveJob(stateDir);
    job.start(COMM, 100, "llama-0@n0", "llama-1@n1", "llama-2@n2", "llama-3@n3").init("NET/IB/0");
    job.pass(5);
  }

  @AfterEach
  void end() {
    job.close();
  }

  @Test
  void namesWhoIsBehindWithin30SecondsAndIsGraveAfterAMinute() {
    goesOn(3);

    standsBehind(2, 3);
    assertThat(hang())
        .hasValueSatisfying(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.INFO);
              assertThat(hang.ranks()).containsExactly(2);
              assertThat(hang.nodes()).containsExactly("n2");
              assertThat(hang.witnesses())
                  .singleElement()
                  .satisfies(witness -> assertThat(witness.name()).isEqualTo("ras"));
              assertThat(hang.evidence().getFirst().file()).isEqualTo("ras 127.0.0.1:28028");
            });

    standsBehind(2, 8);
    assertThat(hang().orElseThrow().severity()).isEqualTo(Severity.CRITICAL);

    goesOn(3);
    job.pass(60);
    assertThat(hang()).isEmpty();
  }

  @Test
  void saysNothingOnceNobodyAnswers() {
    goesOn(3);
    standsBehind(0, 3);
    assertThat(hang()).isPresent();

    for (int i = 0; i < 20; i++) {
      job.start(COMM, 100, "llama-0@n0").line(0, "a line that says nothing");
      job.pass(10);
    }

    assertThat(hang()).isEmpty();
  }

  @Test
  void isQuietAboutRanksThatLeaveAtTheEnd() {
    goesOn(3);
    for (int i = 0; i < 12; i++) {
      answer(COMM, List.of(launched, launched, launched + 1), List.of(3));
      job.pass(10);
    }

    assertThat(hang()).map(Finding::severity).isNotEqualTo(Optional.of(Severity.CRITICAL));
  }

  /// With the GPUs of the others spinning it is a hang, and grave after a minute.
  @Test
  void ranksThatLeaveOthersSpinningAreAwaited() {
    goesOn(3);
    for (int i = 0; i < 9; i++) {
      answer(COMM, List.of(launched, launched, launched), List.of(3));
      for (int second = 0; second < 10; second++) {
        job.gpus(100, 100, 100, 0);
        job.pass(1);
      }
    }

    assertThat(hang())
        .hasValueSatisfying(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(3);
              assertThat(hang.witnesses())
                  .extracting(Finding.Witness::name)
                  .containsExactly("ras", "gpu-power");
            });
  }

  @Test
  void takesNothingOfAnotherJob() {
    for (int i = 0; i < 12; i++) {
      answer("0xbb00bdab65740a8d", List.of(5L, 9L, 9L, 9L), List.of());
      job.pass(10);
    }

    assertThat(hang()).isEmpty();
  }

  @Test
  void survivesWhatIsNoAnswer() {
    var random = new Random(11);
    for (int i = 0; i < 50; i++) {
      var bytes = new byte[random.nextInt(2_000)];
      random.nextBytes(bytes);
      tell(new String(bytes, UTF_8));
    }
    tell("### 99999999999 json 0s\n{\"nccl_version\": 1, \"communicators\": [{\"ranks\": 7}]}");
    goesOn(2);

    assertThat(job.findings()).isEmpty();
  }

  private Optional<Finding> hang() {
    return job.found(FindingKind.HANG, COMM)
        .filter(finding -> finding.state() == Finding.State.ACTIVE);
  }

  private void goesOn(int minutes) {
    for (int i = 0; i < minutes; i++) {
      launched += 60;
      answer(COMM, List.of(launched, launched, launched, launched), List.of());
      job.pass(60);
    }
  }

  private void standsBehind(int rank, int answersLong) {
    for (int i = 0; i < answersLong; i++) {
      var counts = new ArrayList<Long>();
      for (int each = 0; each < RANKS; each++) {
        counts.add(each == rank ? launched - 1 : launched);
      }
      answer(COMM, counts, List.of());
      job.pass(10);
    }
  }

  private void answer(String comm, List<Long> counts, List<Integer> missing) {
    var ranks = new ArrayList<String>();
    for (int rank = 0; rank < counts.size(); rank++) {
      ranks.add(
          "{\"rank\": %d, \"host\": \"192.0.2.%d\", \"pid\": 100, \"collective_counts\": {\"AllReduce\": %d}}"
              .formatted(rank, rank, counts.get(rank)));
    }
    tell(
        "### %d.000 json 0.002s\n{\"nccl_version\": \"2.28.9\", \"communicators_count\": 1, \"communicators\": [{\"hash\": \"%s\", \"size\": %d, \"ranks\": [%s], \"missing_ranks\": [%s]}]}"
            .formatted(
                job.now().getEpochSecond(),
                comm,
                RANKS,
                String.join(", ", ranks),
                String.join(
                    ", ",
                    missing.stream()
                        .map(rank -> String.format(Locale.ROOT, "{\"rank\": %d}", rank))
                        .toList())));
  }

  private void tell(String said) {
    job.tell(
        new LogChunk(
            LogSource.ofNode("", "n0", "ras 127.0.0.1:28028"),
            0,
            answers,
            answers,
            ++answers,
            job.now(),
            true,
            false,
            Text.of(PackedWitness.line(PackedWitness.RAS, said.getBytes(UTF_8)).orElseThrow()),
            new int[] {0},
            0,
            new long[0],
            new int[0]));
  }
}
