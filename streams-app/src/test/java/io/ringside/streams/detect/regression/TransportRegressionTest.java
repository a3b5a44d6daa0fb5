package io.ringside.streams.detect.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportRegressionTest {
  @ParameterizedTest
  @CsvSource({
    "P2P/CUMEM, SHM/direct/direct, WARNING, SHM/direct/direct instead of P2P/CUMEM",
    "P2P/CUMEM, NET/Socket/0, WARNING, NET/Socket instead of P2P/CUMEM",
    "P2P/CUMEM, P2P/CUMEM/read, WARNING, P2P/CUMEM/read instead of P2P/CUMEM",
  })
  void tellsOfATransportWorseThanInTheLastRun(
      String before, String after, Severity severity, String words) {
    var found = regressions(WrittenRun.of(1, 4, before), WrittenRun.of(2, 4, after));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().severity()).isEqualTo(severity);
    assertThat(found.getFirst().summary()).contains(words);
    assertThat(found.getFirst().expected()).contains("attempt 1");
    assertThat(found.getFirst().evidence())
        .extracting(line -> line.text())
        .anyMatch(text -> text.contains("via " + after))
        .as("the line of the good run as well")
        .anyMatch(text -> text.contains("via " + before));
  }

  @Test
  void saysNothingOfABetterOrAnEqualTransport() {
    assertThat(
            regressions(
                WrittenRun.of(1, 4, "SHM/direct/direct"),
                WrittenRun.of(2, 4, "P2P/CUMEM"),
                WrittenRun.of(3, 4, "P2P/CUMEM")))
        .isEmpty();
  }

  @Test
  void saysNothingOfARunOfAnotherSize() {
    assertThat(
            regressions(WrittenRun.of(1, 2, "P2P/CUMEM"), WrittenRun.of(2, 4, "SHM/direct/direct")))
        .isEmpty();
  }

  @Test
  void measuresByTheLastGoodRunNotByTheLastOne() {
    var found =
        regressions(
            WrittenRun.of(1, 4, "P2P/CUMEM"),
            WrittenRun.of(2, 4, "SHM/direct/direct"),
            WrittenRun.of(3, 4, "SHM/direct/direct"));

    assertThat(found).hasSize(2);
    assertThat(found).allMatch(finding -> finding.expected().contains("attempt 1"));
  }

  @Test
  void tellsOfFewerChannels() {
    var found =
        regressions(
            channels(WrittenRun.of(1, 4, "P2P/CUMEM"), 24),
            channels(WrittenRun.of(2, 4, "P2P/CUMEM"), 8));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().severity()).isEqualTo(Severity.WARNING);
    assertThat(found.getFirst().observed()).isEqualTo("8 channels");
    assertThat(found.getFirst().expected()).contains("24 channels");
  }

  @Test
  void beginsWithItsOwnRunAndNotWithTheOneBefore() {
    var verdict = Recorded.in(Path.of("..", "examples", "recordings", "restarted")).judged();

    assertThat(verdict.findings())
        .filteredOn(finding -> finding.kind() == FindingKind.TRANSPORT_REGRESSION)
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.since()).isAfterOrEqualTo(verdict.runs().getLast().since()));
  }

  @Test
  void namesWhatElseChanged() {
    var good = WrittenRun.of(1, 4, "P2P/CUMEM");
    var bad = WrittenRun.of(2, 4, "SHM/direct/direct");
    for (int rank = 0; rank < 4; rank++) {
      bad.nccl(0.15, rank, "NCCL_P2P_DISABLE set by environment to 1.");
    }

    var found = regressions(good, bad).getFirst();
    assertThat(found.cause()).isEqualTo("changed since: NCCL_P2P_DISABLE=1 is new");
    assertThat(found.severity())
        .as("the plain finding is a warning: P2P was forbidden")
        .isEqualTo(Severity.CRITICAL);
  }

  private static WrittenRun channels(WrittenRun run, int channels) {
    for (int rank = 0; rank < 4; rank++) {
      run.nccl(
          0.45,
          rank,
          "%d coll channels, %d collnet channels, 0 nvls channels, %d p2p channels, 2 p2p channels per peer"
              .formatted(channels, channels, channels));
    }
    return run;
  }

  private static List<Finding> regressions(WrittenRun... runs) {
    return WrittenRun.judged(runs).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.TRANSPORT_REGRESSION)
        .toList();
  }
}
