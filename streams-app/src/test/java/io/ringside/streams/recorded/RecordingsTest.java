package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.Judge;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Recorded jobs of `examples/recordings`, whose truth is known, judged without Kafka.
class RecordingsTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seed-g6e-efa-fallback  | CRITICAL efa-fallback [0]; INFO late-start [1]",
        "seed-p4d-four-pods-efa | INFO split-placement [0]; WARNING gdr-disagreement [0]; INFO nic-shortfall [0]",
        "healthy                | ''",
        "noplugin               | ''",
        "p2pread                | WARNING p2p-read [0, 1, 2, 3]",
        "shm                    | WARNING shm-fallback [0, 1, 2, 3]",
        "badif                  | CRITICAL job-failed []; CRITICAL nccl-error []",
        "netlocal               | INFO socket-transport [0, 1, 2, 3]",
        "pods1gpu               | WARNING socket-transport [0, 1, 2, 3]; INFO split-placement [0, 1, 2, 3]",
        "pods2gpu               | WARNING socket-transport [0, 1, 2, 3]; INFO split-placement [0, 1, 2, 3]",
        "collok                 | INFO timing-unreliable [0, 1, 2, 3]",
        "collslow               | WARNING straggler [2]; INFO timing-unreliable [0, 1, 2, 3]",
        "collslowpods           | WARNING socket-transport [0, 1, 2, 3]; INFO split-placement [0, 1, 2, 3]; INFO timing-unreliable [0, 1, 2, 3]",
        "late                   | WARNING socket-transport [0, 1, 2, 3]; INFO split-placement [0, 1, 2, 3]; INFO late-start [3]",
        "hang                   | WARNING socket-transport [0, 1, 2, 3]; INFO split-placement [0, 1, 2, 3]; CRITICAL hang [2]",
        "hog                    | WARNING straggler [1]; INFO timing-unreliable [0, 1, 2, 3]",
        "slowcoll               | INFO socket-transport [0, 1, 4, 5]; WARNING split-placement [0, 1, 4, 5]; WARNING straggler [6]; INFO step-regression []",
        "dscollslow             | WARNING straggler [1]",
        "jitter                 | INFO socket-transport [0, 1, 2, 3]; WARNING split-placement [0, 1, 2, 3]",
        "dscoll                 | ''",
        "ds                     | CRITICAL job-failed [0, 1, 2, 3]",
        "dsnocomms              | WARNING socket-transport [0, 1, 2, 3]; INFO split-placement [0, 1, 2, 3]",
        "dsslow                 | CRITICAL job-failed [0, 1, 2, 3]; WARNING socket-transport [0, 1, 2, 3]; INFO split-placement [0, 1, 2, 3]; WARNING straggler [1]; INFO step-regression []",
        "nccltests              | ''",
        "nccltests-shm          | WARNING bandwidth-below-expected []",
        "groups                 | CRITICAL straggler [3]",
        "twolate                | CRITICAL straggler [1, 2]; INFO step-regression []",
        "checkpoints            | ''",
        "restarted              | WARNING shm-fallback [0, 1, 2, 3]; CRITICAL transport-regression [0, 1, 2, 3]",
        "stamped                | CRITICAL straggler [0]",
        "always                 | INFO socket-transport [0, 1, 2, 3]; WARNING split-placement [0, 1, 2, 3]; WARNING straggler [0]",
        "alternating            | ''",
        "drift                  | CRITICAL straggler [2]",
        "mild                   | WARNING straggler [1]; INFO step-regression []",
        "groupshang             | INFO hang [2]",
        "watchdoggroups         | CRITICAL hang [2]",
        "sporadic               | CRITICAL straggler [3]",
        "silent                 | INFO socket-transport [0, 1, 2, 3]; WARNING split-placement [0, 1, 2, 3]; INFO hang [1]",
        "killed                 | INFO hang [2]",
        "buffered               | INFO timing-unreliable [0, 1, 2, 3]",
        "pods1                  | INFO socket-transport [0, 1, 2, 3, 4, 5, 6, 7]; WARNING split-placement [0, 1, 2, 3, 4, 5, 6, 7]",
      })
  void isJudgedAsItWas(String folder, String expected) {
    assertThat(String.join("; ", words(recorded(folder).judged()))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"seed-g6e-efa-fallback", "pods1gpu", "slowcoll", "jitter", "hog", "late", "hang"})
  void isJudgedTheSameInWhateverOrderItsFilesAreRead(String folder) {
    var recorded = recorded(folder);
    var straight = recorded.judgedFileByFile(false, true);
    assertThat(recorded.judgedFileByFile(true, false)).isEqualTo(straight);
    assertThat(recorded.judged()).isEqualTo(straight);
    assertThat(Recorded.judged(shuffled(recorded, 7))).isEqualTo(straight);
  }

  @ParameterizedTest
  @CsvSource({"slowcoll, 50", "slowcoll, -50", "jitter, 50", "jitter, -50"})
  void isJudgedTheSameWhenThePodsClockIsWrong(String folder, int millis) {
    var recorded = recorded(folder);
    for (int file = 0; file < recorded.logs().size(); file++) {
      var moved = recorded.shifted(file, Duration.ofMillis(millis).toNanos()).judged();
      assertThat(words(moved)).isEqualTo(words(recorded.judged()));
    }
  }

  @Test
  void saysWhenAStragglerBeganAndEnded() {
    var straggler = only(recorded("slowcoll").judged(), FindingKind.STRAGGLER);
    // start and end of steps 120 and 219 as rank 6 noted them itself
    assertThat(straggler.since())
        .isBetween(Instant.parse("2026-11-20T20:42:32Z"), Instant.parse("2026-11-20T20:42:37.9Z"));
    assertThat(straggler.until())
        .isBetween(
            Instant.parse("2026-11-20T20:42:47.5Z"), Instant.parse("2026-11-20T20:42:53.4Z"));
    assertThat(straggler.state()).isEqualTo(Finding.State.CLEARED);
    assertThat(straggler.cost().gpuSeconds()).isBetween(70.0, 100.0);
  }

  @Test
  void provesTheFallbackWithItsChain() {
    var fallback = only(recorded("seed-g6e-efa-fallback").judged(), FindingKind.EFA_FALLBACK);
    assertThat(fallback.evidence())
        .extracting(line -> line.text().replaceFirst("^.*NCCL (INFO|WARN) ", ""))
        .containsExactly(
            "NET/OFI No eligible providers were found",
            "NET/OFI Unable to find a protocol that worked.  Failing initialization.",
            "NET/OFI aws-ofi-nccl initialization failed",
            "NET/OFI Initializing plugin failed",
            "Using network Socket",
            "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0");
    assertThat(fallback.cause()).contains("no usable EFA provider");
  }

  @Test
  void saysWhyTimesAreUnreliable() {
    assertThat(only(recorded("buffered").judged(), FindingKind.TIMING_UNRELIABLE).cause())
        .contains("PYTHONUNBUFFERED=1");
    assertThat(only(recorded("collok").judged(), FindingKind.TIMING_UNRELIABLE).cause())
        .contains("NCCL_DEBUG_TIMESTAMP_FORMAT");
    assertThat(only(recorded("hog").judged(), FindingKind.STRAGGLER).cause())
        .isEqualTo("gpu-contended");
  }

  /// Chunks of each file in order, files and samples mixed at random.
  private static List<AgentEvent> shuffled(Recorded recorded, long seed) {
    var turns = new ArrayList<Integer>();
    var queues = new ArrayList<List<AgentEvent>>();
    for (var file : recorded.logs()) {
      queues.add(new ArrayList<>(file.subList(1, file.size())));
    }
    queues.add(new ArrayList<>(recorded.samples()));
    for (int queue = 0; queue < queues.size(); queue++) {
      turns.addAll(Collections.nCopies(queues.get(queue).size(), queue));
    }
    Collections.shuffle(turns, new Random(seed));
    var order = new ArrayList<AgentEvent>(recorded.logs().stream().map(List::getFirst).toList());
    turns.forEach(queue -> order.add(queues.get(queue).removeFirst()));
    return order;
  }

  private static Recorded recorded(String folder) {
    return Recorded.in(RECORDINGS.resolve(folder));
  }

  private static Finding only(Judge.Verdict verdict, FindingKind kind) {
    return verdict.findings().stream().filter(f -> f.kind() == kind).findFirst().orElseThrow();
  }

  private static List<String> words(Judge.Verdict verdict) {
    return verdict.findings().stream()
        .flatMap(f -> Stream.of(f.severity() + " " + f.kind().label() + " " + f.ranks()))
        .toList();
  }

  @Test
  void neverGoesAboveInfoOnHealthyJobs() {
    for (var folder : List.of("healthy", "noplugin", "collok", "dscoll", "buffered")) {
      assertThat(recorded(folder).judged().findings())
          .as(folder)
          .allMatch(finding -> finding.severity() == Severity.INFO);
    }
  }
}
