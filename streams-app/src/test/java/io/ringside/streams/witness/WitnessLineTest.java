package io.ringside.streams.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.PackedWitness;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WitnessLineTest {
  private static final String FILE = "/dumps/nccl_trace_rank_3";

  @Test
  void holdsWhatAWitnessSaid() {
    var call =
        """
        {"header": {"id": "0xaa", "rank": 1, "n_ranks": 2, "nnodes": 1}, "metadata": {"hostname": "n1", "pid": 7}, "coll_perf": {"coll": "AllReduce", "coll_sn": 5, "coll_exec_time_us": 40}}
        """;

    assertThat(WitnessLine.read(packed(WitnessFile.INSPECTOR, call), FILE))
        .hasValueSatisfying(
            witness ->
                assertThat(witness)
                    .isInstanceOfSatisfying(
                        Witness.Inspected.class,
                        inspected ->
                            assertThat(inspected.times())
                                .singleElement()
                                .satisfies(times -> assertThat(times.comm()).isEqualTo("0xaa"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        PackedWitness.START,
        PackedWitness.START + "RAS",
        PackedWitness.START + "RAS ",
        PackedWitness.START + "RAS is asked by the agent",
        PackedWitness.START + "TEA SDRzSUFBQUE=",
        "ringside-witness 2 RAS SDRzSUFBQUE=",
        "RAS SDRzSUFBQUE="
      })
  void isNoOtherLine(String line) {
    assertThat(WitnessLine.read(line, FILE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SDRzSUFBQUE=", "====", "A"})
  void saysOfADamagedDumpThatItIsDamaged(String packed) {
    assertThat(WitnessLine.read(PackedWitness.START + "FLIGHT_RECORDER " + packed, FILE))
        .contains(new Witness.Undumped(new DumpReading.Refused(FILE, 3, "it came damaged")));
  }

  private static String packed(WitnessFile kind, String text) {
    return WitnessLine.of(kind, text.getBytes(UTF_8)).orElseThrow();
  }
}
