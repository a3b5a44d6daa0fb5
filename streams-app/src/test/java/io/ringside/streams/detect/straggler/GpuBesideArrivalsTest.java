package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.straggler.Trace.Gpu;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Four ranks, steps of 0.2 s with two calls whose times can be trusted. From step 150 to 299
/// something is the matter with rank 2.
class GpuBesideArrivalsTest {
  private static final Gpu WORKS = new Gpu(99, 660, 12_000, 1980);
  private static final Gpu WAITS = new Gpu(99, 590, 12_000, 1980);
  private static final Gpu SHARED = new Gpu(99, 700, 18_000, 1980);

  /// What happens meanwhile.
  ///
  /// @param late seconds by which rank 2 comes later than the others
  /// @param longer seconds that steps take longer though all come together
  /// @param own its GPU's readings
  /// @param others those of the other GPUs
  /// @param after its GPU's readings afterwards
  /// @param rank whose trouble it is
  private record Trouble(double late, double longer, Gpu own, Gpu others, Gpu after, int rank) {
    Trouble(double late, double longer, Gpu own, Gpu others, Gpu after) {
      this(late, longer, own, others, after, 2);
    }
  }

  @Test
  void tellsAGpuThatIsSharedUnderAProgramThatDoesNotWaitForIt() {
    assertThat(stragglers(new Trouble(0, 0.1, SHARED, WAITS, WORKS)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isNotEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.cause()).isEqualTo("gpu-contended");
            });
  }

  /// All programs wait for the GPUs in each step, so all ranks call at the same time.
  @Test
  void tellsAGpuThatWorksOnWhileAllOthersWait() {
    var spins = new Gpu(99, 430, 12_000, 1980);
    assertThat(stragglers(new Trouble(0, 0.1, WORKS, spins, WORKS)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.witnesses())
                  .extracting(Finding.Witness::name)
                  .containsExactly("gpu-power");
            });
  }

  /// A longer batch on all ranks, or all GPUs at less power.
  @Test
  void accusesNobodyWhereAllGpusDrawLess() {
    var less = new Gpu(99, 430, 12_000, 1980);
    assertThat(stragglers(new Trouble(0, 0.1, less, less, WORKS))).isEmpty();
    assertThat(stragglers(new Trouble(0, 0.1, WORKS, WORKS, WORKS))).isEmpty();
  }

  /// Who is late by its program shows in arrivals: what they do not say, idling does not either.
  @Test
  void accusesNobodyWhoseGpuIdlesThoughAllComeTogether() {
    assertThat(stragglers(new Trouble(0, 0.1, new Gpu(40, 380, 12_000, 1980), WAITS, WORKS)))
        .isEmpty();
  }

  @Test
  void accusesNobodyForLongerStepsAndAnAllocatorThatGrew() {
    var grown = new Gpu(99, 590, 16_000, 1980);
    assertThat(stragglers(new Trouble(0, 0.1, grown, WAITS, grown))).isEmpty();
  }

  @Test
  void believesASmallDelayWhoseGpuIsShared() {
    assertThat(stragglers(new Trouble(0.016, 0, SHARED, WAITS, WORKS)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.cause()).isEqualTo("gpu-contended");
            });
  }

  @Test
  void leavesItANoteWhereNoGpuChanges() {
    assertThat(stragglers(new Trouble(0.016, 0, WORKS, WORKS, WORKS)))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
  }

  /// Data that are longer would keep it busy.
  @Test
  void believesASmallDelayWhileItsGpuHasNothingToDo() {
    assertThat(stragglers(new Trouble(0.016, 0, new Gpu(92, 640, 12_000, 1980), WAITS, WORKS)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.cause()).isEqualTo("host");
            });
  }

  /// Rank 0 logs, samples and writes, and its GPU has nothing to do meanwhile.
  @Test
  void leavesItANoteWhereRankZeroIdles() {
    var idler = new Gpu(92, 640, 12_000, 1980);
    assertThat(stragglers(new Trouble(0.016, 0, idler, WAITS, WORKS, 0)))
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.INFO));
  }

  /// A GPU that idles so much all the time, or together with the others, says nothing of the delay.
  @Test
  void leavesItANoteWhereItsGpuIdlesAsMuchAfterwardsOrAllDo() {
    var idler = new Gpu(92, 640, 12_000, 1980);
    assertThat(stragglers(new Trouble(0.016, 0, idler, WAITS, idler)))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
    assertThat(stragglers(new Trouble(0.016, 0, idler, idler, WORKS)))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
  }

  /// Longer sequences: more to do, more memory that the allocator keeps, and the others wait a
  /// little.
  @Test
  void leavesItANoteWhereItsDataAreLonger() {
    assertThat(
            stragglers(
                new Trouble(
                    0.016,
                    0,
                    new Gpu(99, 660, 16_000, 1980),
                    WAITS,
                    new Gpu(99, 660, 16_000, 1980))))
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.INFO));
  }

  private static List<Finding> stragglers(Trouble trouble) {
    var run = WrittenRun.of(1, 4, "P2P/CUMEM");
    var random = new Random(5);
    double at = 1.03;
    double since = 0;
    double until = 0;
    for (int step = 0; step < 450; step++) {
      if (step % 10 == 0) {
        run.line(at, "step %d/450 loss 2.3100".formatted(step));
      }
      boolean on = step >= 150 && step < 300;
      since = step == 150 ? at : since;
      until = step == 300 ? at : until;
      double late = on ? trouble.late() : 0;
      for (int rank = 0; rank < 4; rank++) {
        run.allReduce(
            at + 0.001 * random.nextDouble() + (rank == trouble.rank() ? late : 0), rank, 4096);
        run.allReduce(at + late + 0.01 + 0.001 * random.nextDouble(), rank, 1024);
      }
      at += 0.2 + late + (on ? trouble.longer() : 0);
    }
    double begun = since;
    double ended = until;
    Trace trace =
        (rank, second) -> {
          boolean on = second >= begun && second < ended;
          return rank == trouble.rank()
              ? on ? trouble.own() : second < begun ? WORKS : trouble.after()
              : on ? trouble.others() : WORKS;
        };
    return WrittenRun.recorded(run).with(trace.samples(4, 0, at)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
