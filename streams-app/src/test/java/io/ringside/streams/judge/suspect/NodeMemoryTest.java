package io.ringside.streams.judge.suspect;

import static io.ringside.schemas.event.FindingKind.EFA_FALLBACK;
import static io.ringside.schemas.event.FindingKind.GPU_THROTTLED;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.Severity.CRITICAL;
import static io.ringside.schemas.event.Severity.INFO;
import static io.ringside.schemas.event.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.streams.judge.Findings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeMemoryTest {
  private static final Instant NOW = Findings.NOW;

  @Test
  void suspectsANodeThatTwoRunsBlame() {
    var once = NodeMemory.of("east", "node-0").with(blame("a", "run-1", "f1"), 8);
    assertThat(once.suspect(2)).isFalse();
    assertThat(once.with(blame("a", "run-1", "f2"), 8).suspect(2)).isFalse();

    var twice = once.with(blame("b", "run-9", "f1"), 8);
    assertThat(twice.suspect(2)).isTrue();
    assertThat(twice.jobs()).extracting(JobKey::job).containsExactly("a", "b");
    assertThat(twice.runsByGpu()).isEqualTo(Map.of("0000:01:00.0", 2));
  }

  /// The job puts the same heavy rank there each time, or the node makes whoever runs there late.
  @ParameterizedTest
  @CsvSource({
    "a, 3, a, 3, false",
    "a, 3, a, 11, true",
    "a, 3, b, 3, true",
  })
  void suspectsANodeOnlyIfLatenessStaysThereAndRanksOrJobsDoNot(
      String firstJob, int first, String secondJob, int second, boolean suspect) {
    var memory =
        NodeMemory.of("east", "node-0")
            .with(late(firstJob, "run-1", first), 8)
            .with(late(secondJob, "run-2", second), 8);

    assertThat(memory.suspect(2)).isEqualTo(suspect);
    assertThat(memory.runsByGpu()).isEqualTo(Map.of("0000:01:00.0", suspect ? 2 : 1));
  }

  @Test
  void twoLateRanksOfOneRunAreOneRun() {
    var once =
        NodeMemory.of("east", "node-0")
            .with(late("a", "run-1", 3), 8)
            .with(late("a", "run-1", 4), 8);
    assertThat(once.runs()).isEqualTo(1);
    assertThat(once.with(late("a", "run-2", 4), 8).runs()).isEqualTo(1);
    assertThat(once.with(late("a", "run-2", 5), 8).runs()).isEqualTo(2);
  }

  @Test
  void whatIsNoRanksWorkCountsInEachRun() {
    var memory = NodeMemory.of("east", "node-0").with(late("a", "run-1", 3), 8);
    var throttled = blame("training", "a", "run-1", "hot", GPU_THROTTLED, List.of());
    assertThat(memory.with(throttled, 8).runs()).isEqualTo(1);

    var again = blame("training", "a", "run-2", "hot again", GPU_THROTTLED, List.of());
    assertThat(memory.with(again, 8).runs()).isEqualTo(2);
  }

  /// A GPU that stands apart from its peers is not slow because of its rank's work.
  @Test
  void remembersRanksOnlyWhereTheirWorkMayBeTheReason() {
    var straggler = Findings.of(STRAGGLER, WARNING, 0);
    assertThat(ranks(straggler.with(its -> its.cause = "unknown"))).isEqualTo(straggler.ranks());
    assertThat(ranks(straggler.with(its -> its.cause = "gpu-clock"))).isEmpty();
    assertThat(ranks(Findings.of(EFA_FALLBACK, CRITICAL, 0))).isEmpty();
  }

  private static List<Integer> ranks(Finding of) {
    return BlamedNodes.of(of, 8, NOW).firstEntry().getValue().ranks();
  }

  private static Blame late(String job, String run, int rank) {
    return blame("training", job, run, run + " rank " + rank, STRAGGLER, List.of(rank));
  }

  @Test
  void keepsJobsOfOneNameInTwoNamespacesApart() {
    var memory =
        NodeMemory.of("east", "node-0")
            .with(blame("team-a", "llama", "0x1", "f"), 8)
            .with(blame("team-b", "llama", "0x1", "f"), 8);

    assertThat(memory.runs()).isEqualTo(2);
    assertThat(memory.jobs()).extracting(JobKey::namespace).containsExactly("team-a", "team-b");
    assertThat(memory.with(blame("team-a", "llama", "0x1", "f").withdraw(), 8).jobs())
        .containsExactly(new JobKey("east", "team-b", "llama"));
  }

  @Test
  void setsAsideWhatAnOlderVersionSaidOfAJobInAnyNamespace() {
    var older = blame(null, "llama", "0x1", "f");
    var memory = new NodeMemory("east", "node-0", List.of(older));

    assertThat(memory.blames()).isEmpty();
    assertThat(memory.with(blame("team-a", "llama", "0x1", "f"), 8).runs()).isEqualTo(1);
  }

  @Test
  void forgetsWhatIsOldOrWithdrawnAndKeepsABound() {
    var memory = NodeMemory.of("east", "node-0");
    for (int i = 0; i < 100; i++) {
      memory = memory.with(blame("a", "run-" + i, "f" + i), 8);
    }
    assertThat(memory.blames()).hasSize(8);
    assertThat(memory.with(blame("a", "run-99", "f99").withdraw(), 8).runs()).isEqualTo(7);
    assertThat(memory.since(NOW.plusSeconds(3600), Duration.ofHours(24)).runs()).isEqualTo(8);
    assertThat(memory.since(NOW.plus(Duration.ofHours(26)), Duration.ofHours(24)).blames())
        .isEmpty();
  }

  @Test
  void blamesNoNodeForWhatMostOfThemShareNorForNotesAndEffects() {
    var fallback = Findings.of(EFA_FALLBACK, CRITICAL, 0);
    assertThat(BlamedNodes.of(fallback, 8, NOW)).containsOnlyKeys("node-0");
    assertThat(BlamedNodes.of(fallback, 1, NOW)).isEmpty();
    assertThat(BlamedNodes.of(across(fallback, List.of("a", "b", "c")), 4, NOW)).isEmpty();

    var straggler = Findings.of(STRAGGLER, WARNING, 0);
    assertThat(BlamedNodes.of(straggler, 1, NOW)).containsOnlyKeys("node-0");
    assertThat(BlamedNodes.of(straggler.following("other"), 1, NOW)).isEmpty();
    assertThat(BlamedNodes.of(Findings.of(GPU_THROTTLED, INFO, 0), 1, NOW)).isEmpty();
    assertThat(BlamedNodes.of(null, 1, NOW)).isEmpty();
  }

  private static Finding across(Finding of, List<String> nodes) {
    return of.with(its -> its.nodes = nodes);
  }

  private static Blame blame(String job, String run, String finding) {
    return blame("training", job, run, finding);
  }

  private static Blame blame(@Nullable String namespace, String job, String run, String finding) {
    return blame(namespace, job, run, finding, STRAGGLER, List.of());
  }

  private static Blame blame(
      @Nullable String namespace,
      String job,
      String run,
      String finding,
      FindingKind kind,
      List<Integer> ranks) {
    return new Blame(
        "east",
        "node-0",
        namespace,
        job,
        run,
        finding,
        kind,
        WARNING,
        List.of("0000:01:00.0"),
        ranks,
        NOW,
        false);
  }
}
