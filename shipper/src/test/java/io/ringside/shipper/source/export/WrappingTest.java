package io.ringside.shipper.source.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pastes from a terminal that cut its lines, and what only looks so.
class WrappingTest {
  private static final List<String> LOG =
      List.of(
          "node-0:152:510 [0] NCCL INFO NET/OFI Initializing aws-ofi-nccl 1.16.2",
          "node-0:152:510 [0] NCCL INFO NET/OFI Using Libfabric version 2.1",
          "node-0:152:510 [0] NCCL INFO ncclCommInitRankConfig comm 0x55d0a1b2c3d0 rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xaa00bdab65740a8d - Init START",
          "node-0:152:510 [0] NCCL INFO Channel 00/0 : 3[3] -> 4[4] [send] via NET/Libfabric/0/GDRDMA",
          "node-0:152:510 [0] NCCL INFO Connected all rings",
          "[rank4]:[E1120 20:30:39.754865337 ProcessGroupNCCL.cpp:689] [Rank 4] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=91, OpType=ALLREDUCE, NumelIn=17433600, NumelOut=17433600, Timeout(ms)=600000) ran for 600044 milliseconds before timing out.",
          "[rank4]:[E1120 20:30:39.755026511 ProcessGroupNCCL.cpp:2268] [PG ID 0 PG GUID 0(default_pg) Rank 4] failure detected by watchdog at work sequence id: 91 PG status: last enqueued work: 93, last completed work: 90",
          "node-0:152:510 [0] NCCL INFO comm 0x55d0a1b2c3d0 rank 0 nranks 16 - Abort COMPLETE");

  @ParameterizedTest
  @ValueSource(ints = {80, 100, 120, 132})
  void putsLinesTogetherThatATerminalCut(int width) throws IOException {
    assertThat(read(cut(LOG, width))).containsExactlyElementsOf(LOG);
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 116})
  void putsLinesTogetherThatWereFilledWithBlanks(int width) throws IOException {
    var filled = cut(LOG, width).stream().map(it -> it + " ".repeat(width - it.length())).toList();

    assertThat(read(filled).stream().map(String::stripTrailing)).containsExactlyElementsOf(LOG);
  }

  @Test
  void twoLinesAreEnoughWhereAllWereFilledWithBlanks() throws IOException {
    var two = List.of(LOG.get(5), LOG.get(6));
    var filled = cut(two, 116).stream().map(it -> it + " ".repeat(116 - it.length())).toList();

    assertThat(read(filled).stream().map(String::stripTrailing)).containsExactlyElementsOf(two);
    assertThat(recognised(cut(two, 116))).isNull();
  }

  @Test
  void leavesATableAloneThatIsFilledWithBlanks() {
    var table = new ArrayList<String>();
    for (int row = 0; row < 8; row++) {
      table.add(
          "%-80s".formatted("2026-11-20 10:00:0%d rank %d step %d done".formatted(row, row, row)));
    }
    assertThat(recognised(table)).isNull();
  }

  @Test
  void leavesALogAloneThatNobodyCut() {
    assertThat(recognised(LOG)).isNull();
  }

  @Test
  void leavesTablesOfOneWidthAlone() {
    var table = new ArrayList<String>();
    table.add("# nThread 1 nGpus 4 minBytes 8 maxBytes 1073741824 step: 2(factor) warmup iters: 1");
    for (int row = 0; row < 30; row++) {
      table.add(
          "%12d %12d     float     sum      -1   %7.2f    0.00    0.00      0    17.60    0.00    0.00      0"
              .formatted(8L << row, 2L << row, 10.0 + row));
    }

    assertThat(recognised(table)).isNull();
  }

  @Test
  void leavesProseAlone() {
    // a README cut at 80 columns: nothing says where its lines begin
    var prose = new ArrayList<String>();
    for (int line = 0; line < 40; line++) {
      prose.add("training of large models needs many words to describe what a machine does, ok");
    }

    assertThat(recognised(prose)).isNull();
  }

  @Test
  void leavesLinesAloneThatHappenToBeEquallyLong() {
    var steps = new ArrayList<String>();
    for (int step = 100; step < 140; step++) {
      steps.add(
          "[2026-11-20 20:34:51,070] [INFO] [logging.py:96:log_dist] [Rank 0] step=%d, skipped=0, lr=[2e-05]"
              .formatted(step));
      steps.add("loss 2.31");
    }

    assertThat(recognised(steps)).isNull();
  }

  @Test
  void leavesTracebacksAlone() {
    var lines = new ArrayList<>(LOG.subList(0, 2));
    lines.add("Traceback (most recent call last):");
    for (int frame = 0; frame < 12; frame++) {
      lines.add(
          "  File \"/usr/lib/python3/site-packages/torch/nn/module.py\", line 17%02d, in _call_impl"
              .formatted(frame));
      lines.add("    return self._call_impl(*args, **kwargs)");
    }

    assertThat(recognised(lines)).isNull();
  }

  private static List<String> cut(List<String> lines, int width) {
    var cut = new ArrayList<String>();
    for (var line : lines) {
      for (int at = 0; at < line.length(); at += width) {
        cut.add(line.substring(at, Math.min(line.length(), at + width)));
      }
    }
    return cut;
  }

  private static @Nullable Export recognised(List<String> lines) {
    var bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return Export.recognise(bytes, bytes.length);
  }

  private static List<String> read(List<String> lines) throws IOException {
    var bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    assertThat(Export.recognise(bytes, bytes.length)).isEqualTo(Export.WRAPPED);
    try (var in = Export.WRAPPED.lines(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
