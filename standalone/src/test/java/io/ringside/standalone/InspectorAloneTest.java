package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nothing but the Inspector's files of four processes: two tensor groups of two, and one group of
/// all.
class InspectorAloneTest {
  private static final int ROUNDS = 200;
  private static final long BEGAN_MICROS = 1_769_500_000_000_000L;

  @TempDir private Path folder;

  /// Rank 2 is the first of the second tensor group. In the group of all both ranks of that group
  /// come late alike.
  @Test
  void numbersRanksAsTheLargestGroupDoes() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      var lines = new StringBuilder();
      for (int round = 0; round < ROUNDS; round++) {
        line(lines, "0xa" + rank / 2, rank % 2, 2, rank, round, rank == 3 ? 60_000 : 900);
        line(lines, "0xb", rank, 4, rank, round, rank < 2 ? 90_000 : 900);
      }
      Files.writeString(folder.resolve("host-pid%d.log".formatted(100 + rank)), lines);
    }

    var captured = new CapturedConsole();
    RingsideMain.execute(captured.console(), Map.of(), "analyze", folder.toString());

    assertThat(captured.out()).contains("rank 2 keeps the others waiting");
  }

  private static void line(
      StringBuilder lines, String comm, int rank, int ranks, int process, int round, int micros) {
    lines.append(
        """
        {"header":{"id":"%s","comm_name":"unknown","rank":%d,"n_ranks":%d,"nnodes":1},\
        "metadata":{"dump_timestamp_us":%d,"hostname":"host","pid":%d},\
        "coll_perf":{"coll":"AllReduce","coll_sn":%d,"coll_msg_size_bytes":4096,"coll_exec_time_us":%d}}
        """
            .formatted(
                comm, rank, ranks, BEGAN_MICROS + round * 500_000L, 100 + process, round, micros));
  }
}
