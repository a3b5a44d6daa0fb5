package io.ringside.streams.witness.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.inspector.InspectorFile;
import io.ringside.streams.witness.Witness;
import io.ringside.streams.witness.WitnessFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class InspectorRoundsTest {
  @Test
  void whoWaitsLeastIsWaitedFor() {
    var verdict = of(30, (rank, call) -> rank == 1 && call >= 10 ? 400 : call >= 10 ? 80_400 : 500);
    assertThat(verdict.rounds()).isEqualTo(30);
    assertThat(verdict.slow()).isEqualTo(20);
    assertThat(verdict.rank()).isEqualTo(1);
    assertThat(verdict.late()).isEqualTo(20);
    assertThat(verdict.lostSeconds()).isBetween(1.59, 1.61);
    assertThat(verdict.share()).isEqualTo(1.0);
  }

  @Test
  void shortWaitsAreNoMatter() {
    assertThat(of(30, (rank, _) -> rank == 2 ? 100 : 15_000).slow()).isZero();
  }

  @Test
  void twoThatAreLateTogetherAreNotToldApart() {
    var verdict = of(30, (rank, _) -> rank < 2 ? 100 + rank : 90_000);
    assertThat(verdict.slow()).isEqualTo(30);
    assertThat(verdict.late()).isZero();
  }

  @Test
  void aRoundThatARankDidNotTellCountsForNothing() {
    var rounds = new InspectorRounds();
    InspectorFile.read(json(0, 7, 90_000)).forEach(rounds::add);
    assertThat(rounds.isEmpty()).isTrue();
  }

  /// The last call is not whole yet on any rank's part.
  @Test
  void knowsWhatARingDropped() {
    var rounds = new InspectorRounds();
    for (int rank = 0; rank < 4; rank++) {
      for (int call = 0; call < 20; call++) {
        if ((rank != 2 || call < 5 || call >= 8) && (rank == 0 || call < 19)) {
          InspectorFile.read(json(rank, call, 900)).forEach(rounds::add);
        }
      }
    }
    assertThat(rounds.lost()).isEqualTo(3);
    assertThat(rounds.verdicts().getFirst().rounds()).isEqualTo(16);
  }

  @Test
  void meansOverManyCallsNameNoRank() {
    var text =
        """
        nccl_bus_bandwidth_gbs{version="v5.1",slurm_job_id="unknown",node="a",gpu="GPU0",comm_name="unknown",n_nodes="2",nranks="16",collective="AllReduce",message_size="2-3MB",algo_proto="RING_SIMPLE"} 152.1
        nccl_collective_exec_time_microseconds{version="v5.1",slurm_job_id="unknown",node="a",gpu="GPU0",comm_name="unknown",n_nodes="2",nranks="16",collective="AllReduce",message_size="2-3MB",algo_proto="RING_SIMPLE"} 31.4
        """;
    assertThat(WitnessFile.of(text.getBytes(UTF_8))).contains(WitnessFile.INSPECTOR);
    assertThat(WitnessFile.INSPECTOR.read("gpu.prom", text.getBytes(UTF_8)))
        .isInstanceOf(Witness.Undumped.class);
  }

  @Test
  void readsPrometheusTextOfEveryCall() {
    var text =
        """
        # HELP nccl_collective_exec_time_microseconds time
        nccl_bus_bandwidth_gbs{comm_id="0x0123456789abcd",rank="1"} 52.1
        nccl_collective_exec_time_microseconds{comm_id="0x0123456789abcd",hostname="a",rank="1",n_ranks="4",collective="AllReduce",coll_sn="7",timestamp="1700000000000000"} 512.5
        """;
    assertThat(InspectorFile.recognises(text)).isTrue();
    var times = InspectorFile.read(text).getFirst();
    assertThat(List.of(times.rank(), times.nranks(), times.micros()[0])).containsExactly(1, 4, 512);
    assertThat(times.comm()).isEqualTo("0x0123456789abcd");
  }

  @Test
  void leavesOutDamagedLines() {
    var text = json(0, 1, 5) + "{\"header\":{\"id\":\"0x01\",\n" + "no json\n" + json(0, 2, 5);
    assertThat(InspectorFile.read(text).getFirst().sequences()).containsExactly(1, 2);
  }

  private interface Duration {
    int micros(int rank, int call);
  }

  private static InspectorVerdict of(int calls, Duration duration) {
    var rounds = new InspectorRounds();
    for (int rank = 0; rank < 4; rank++) {
      var file = new StringBuilder();
      for (int call = 0; call < calls; call++) {
        file.append(json(rank, call, duration.micros(rank, call)));
      }
      assertThat(InspectorFile.recognises(file.toString())).isTrue();
      InspectorFile.read(file.toString()).forEach(rounds::add);
    }
    return rounds.verdicts().getFirst();
  }

  private static String json(int rank, int call, int micros) {
    return """
        {"header":{"id":"0x0123456789abcd","rank":%d,"n_ranks":4,"nnodes":1},"metadata":{"inspector_output_format_version":"v4.0","dump_timestamp_us":%d,"hostname":"a","pid":7},"coll_perf":{"coll":"AllReduce","coll_sn":%d,"coll_msg_size_bytes":65536,"coll_exec_time_us":%d}}
        """
        .formatted(rank, 1_700_000_000_000_000L + call * 100_000L, call, micros);
  }
}
