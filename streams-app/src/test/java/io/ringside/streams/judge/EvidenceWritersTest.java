package io.ringside.streams.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.schemas.event.RunSummary.Waits;
import io.ringside.schemas.event.Severity;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Rank 6 is late by 121 ms on average.
class EvidenceWritersTest {
  private static final Map<EvidenceWriters.Writer, Integer> RANKS =
      Map.of(
          new EvidenceWriters.Writer("a", 10), 2,
          new EvidenceWriters.Writer("b", 20), 6,
          new EvidenceWriters.Writer("c", 30), 7);

  @Test
  void tellsRankAndHostOfEachLine() {
    var lines = signed(FindingKind.NCCL_ERROR, line("a:10", 0), line("x:10", 5));

    assertThat(lines).extracting(Evidence::rank).containsExactly(2, null);
    assertThat(lines).extracting(Evidence::host).containsExactly("a", "x");
    assertThat(lines).extracting(Evidence::after).containsOnlyNulls();
  }

  @Test
  void knowsTheRankThatPyTorchTells() {
    var line = new Evidence(null, "local", "p", "f", 0, "[rank12]:[E1120 20:30:39] Watchdog");

    assertThat(signed(FindingKind.HANG, line).getFirst().rank()).isEqualTo(12);
  }

  @Test
  void leavesSamplesAsTheyAre() {
    var sample = new Evidence(null, "local", "p", "nvidia-smi", -1, "GPU 1: 99 %");

    assertThat(signed(FindingKind.STRAGGLER, sample)).containsExactly(sample);
  }

  @Test
  void tellsALateCallByTheLastOneThatWaited() {
    var lines =
        signed(
            FindingKind.STRAGGLER,
            line("a:10", 0),
            line("c:30", 20),
            line("b:20", 121),
            line("a:10", 130));

    assertThat(lines).extracting(Evidence::after).filteredOn(each -> each != null).hasSize(1);
    var after = lines.get(2).after();
    assertThat(after).isNotNull();
    assertThat(after.rank()).isEqualTo(7);
    assertThat(after.seconds()).isCloseTo(0.101, within(1e-9));
  }

  /// Lines come in the order in which the detector found them.
  @Test
  void ordersLinesByTheirTimes() {
    var after = signed(FindingKind.STRAGGLER, line("b:20", 120), line("a:10", 0)).get(0).after();

    assertThat(after).isEqualTo(new Evidence.After(2, 0.12));
  }

  /// A machine's clock that is ahead or behind tells nothing else.
  @Test
  void saysNothingWhereStampsAreOfClocksThatDiffer() {
    assertThat(late(line("a:10", 0), line("b:20", 5_000))).isFalse();
    assertThat(late(line("a:10", 0), line("b:20", 1))).isFalse();
    assertThat(late(line("a:10", 100), line("b:20", 0))).isFalse();
    assertThat(late(line("a:10", 0), line("b:20", 120))).isTrue();
  }

  @Test
  void saysNothingOfWritersThatNobodyKnows() {
    assertThat(late(line("x:10", 0), line("b:20", 120))).isFalse();
  }

  private static boolean late(Evidence... evidence) {
    return signed(FindingKind.STRAGGLER, evidence).stream().anyMatch(each -> each.after() != null);
  }

  private static List<Evidence> signed(FindingKind kind, Evidence... evidence) {
    var finding =
        Findings.of(kind, Severity.WARNING, 6).with(its -> its.evidence = List.of(evidence));
    return EvidenceWriters.of(List.of(finding), RANKS, run()).getFirst().evidence();
  }

  private static RunSummary run() {
    var waits =
        Stream.of(2, 6)
            .map(
                rank ->
                    new RankWait(
                        rank,
                        "n",
                        "p",
                        null,
                        0,
                        rank == 6 ? 100 : 0,
                        rank == 6 ? 12.1 : 0,
                        null,
                        null))
            .toList();
    return RunSummary.of(
        new JobKey("", "", "job"),
        "0x1",
        1,
        its -> its.waits = new Waits(3_600, 100, 12.1, "container", waits));
  }

  private static Evidence line(String process, long millis) {
    var pid = process.substring(process.indexOf(':') + 1);
    return new Evidence(
        Findings.NOW.plusMillis(millis),
        "local",
        "pod",
        "0.log",
        millis,
        process + ":" + pid + " [0] NCCL INFO AllReduce: opCount 7a count 4194304");
  }
}
