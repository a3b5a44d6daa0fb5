package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.NotJudged;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Logs that name a new communicator in each line, of 13 MB and less, within the heap of the build.
class ManyCommunicatorsTest {
  @ParameterizedTest
  @CsvSource({"66000, 256", "20000, 4096"})
  void judgesALogThatNamesTooManyAsFarAsItGoesAndSaysSo(int count, int processes) {
    var lines = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      int pid = i % processes;
      lines.add(
          "pod-0:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x%x rank %d nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x%x - Init START"
              .formatted(pid + 1, pid + 1, 0x1000 + i / processes, i % 16, 0xabc0000L + i));
    }

    var verdict = Recorded.of(Map.of("pod-0.log", lines)).judged();

    assertThat(verdict.runs())
        .flatExtracting(run -> run.notJudged())
        .extracting(NotJudged::what)
        .contains("log");
    assertThat(verdict.runs()).noneMatch(run -> run.failed());
  }

  @Test
  void takesInAllRanksThatALauncherGatheredInOneFile() {
    int ranks = 1_024;
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < ranks; rank++) {
      lines.add(
          "[1,%1$d]<stdout>:gpu-%2$d:%3$d:%3$d [%4$d] NCCL INFO ncclCommInitRank comm 0x5%1$x rank %1$d nranks %5$d cudaDev %4$d nvmlDev %4$d busId %6$d000 commId 0xabc - Init COMPLETE"
              .formatted(rank, rank / 8, 100 + rank, rank % 8, ranks, 1 + rank % 8));
    }

    assertThat(Recorded.of(Map.of("slurm-7.out", lines)).judged().runs())
        .singleElement()
        .satisfies(run -> assertThat(run.ranksSeen()).isEqualTo(ranks));
  }

  /// Lines of four files, each of a process of hundreds. How long it takes is measured by
  /// `lab/hostile.sh`, with nine times as many.
  @Test
  void takesInAJobThatBeginsWithAThousandRuns() {
    var files = new TreeMap<String, List<String>>();
    for (int file = 0; file < 4; file++) {
      var lines = new ArrayList<String>();
      for (int i = 0; i < 8_192; i++) {
        int pid = 1 + i % 256;
        lines.add(
            "pod-node-0-%d:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x%x rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId %x000 commId 0x%x - Init COMPLETE"
                .formatted(file, pid, pid, 0x1000 + i, pid, 0xabc0000L + (file << 16) + i));
      }
      files.put("pod-node-0-" + file + ".log", lines);
    }

    var verdict = Recorded.of(files).unfinished().judged();

    assertThat(verdict.runs())
        .hasSize(4 * 256)
        .allSatisfy(run -> assertThat(run.notJudged()).extracting(NotJudged::what).contains("log"));
  }
}
