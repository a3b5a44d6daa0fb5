package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.standalone.input.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One log of two hosts, whose GPUs have the same bus ids, and a recording of nvidia-smi on each.
class HostsOfOneLogTest {
  private static final LocalDateTime BEGIN = LocalDateTime.parse("2026-11-03T15:00:00");
  private static final List<String> BUSES = List.of("1B", "43");
  private static final int SECONDS = 120;

  @TempDir private Path folder;

  @BeforeEach
  void log() throws IOException {
    var lines = new ArrayList<String>();
    for (var phase : List.of("START", "COMPLETE")) {
      add(
          lines,
          1,
          rank ->
              "ncclCommInitRankConfig comm 0x55d%d rank %d nranks 4 cudaDev %d nvmlDev %d busId %s000 commId 0xabc - Init %s"
                  .formatted(
                      rank,
                      rank,
                      rank % 2,
                      rank % 2,
                      BUSES.get(rank % 2).toLowerCase(Locale.ROOT),
                      phase));
    }
    for (int call = 0; call * 10 < SECONDS; call++) {
      var text =
          "AllReduce: opCount %x sendbuff 0x7f recvbuff 0x7f count 1024 datatype 7 op 0 root 0 comm 0x55d%%d [nranks=4] stream 0x5580"
              .formatted(call);
      add(lines, 2 + 10 * call, rank -> text.formatted(rank));
    }
    Files.write(folder.resolve("train.log"), lines);
  }

  private static void add(List<String> lines, int second, IntFunction<String> message) {
    for (int rank = 0; rank < 4; rank++) {
      lines.add(
          "[%s] node-%d:%d:%d [%d] NCCL INFO %s"
              .formatted(
                  stamp("yyyy-MM-dd HH:mm:ss.SSSSSS", second),
                  1 + rank / 2,
                  100 + rank,
                  100 + rank,
                  rank % 2,
                  message.apply(rank)));
    }
  }

  @Test
  void givesReadingsToTheRanksOfTheirHost() throws Exception {
    recorded(1, -1);
    recorded(2, 1);

    var analysis =
        new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), 2)
            .analyze(
                Inputs.of(List.of(folder.toString())),
                new Labels("", "", ZoneOffset.UTC, null),
                new NoProgress());

    assertThat(analysis.runs()).hasSize(1);
    assertThat(analysis.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.GPU_ERROR);
              assertThat(finding.job()).isEqualTo("train");
              assertThat(finding.ranks()).containsExactly(3);
            });
  }

  /// @param broken index of the GPU whose memory has errors from the middle on, -1 if none
  private void recorded(int host, int broken) throws IOException {
    var lines = new ArrayList<String>();
    lines.add(
        "timestamp, index, pci.bus_id, utilization.gpu [%], ecc.errors.uncorrected.volatile.total");
    for (int second = 0; second < SECONDS; second++) {
      for (int gpu = 0; gpu < 2; gpu++) {
        lines.add(
            "%s, %d, 00000000:%s:00.0, 99 %%, %d"
                .formatted(
                    stamp("yyyy/MM/dd HH:mm:ss.SSS", second),
                    gpu,
                    BUSES.get(gpu),
                    gpu == broken && second > 60 ? 2 : 0));
      }
    }
    Files.write(folder.resolve("nvidia-smi-node-%d.csv".formatted(host)), lines);
  }

  private static String stamp(String pattern, int second) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(BEGIN.plusSeconds(second));
  }
}
