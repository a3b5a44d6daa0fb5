package io.ringside.streams.parse.flightrecorder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.parse.plain.PickleWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DumpReaderTest {
  private static final RecordedDump RECORDED =
      RecordedDump.of(1, 4)
          .group("7", "TENSOR", List.of(1, 3))
          .done("0", "all_reduce", 1024)
          .done("7", "_all_gather_base", 64)
          .waits("0", "all_reduce", 2048)
          .pair("7", "send 0->1", false);

  @Test
  void readsGroupsWithTheirCounts() {
    var dump = RECORDED.dump();
    assertThat(dump.rank()).isEqualTo(1);
    assertThat(dump.version()).isEqualTo("2.10");
    assertThat(dump.library()).isEqualTo("2.28.9");
    assertThat(dump.whole()).isTrue();
    assertThat(dump.groups())
        .containsExactly(
            new Group("0", "default_pg", List.of(0, 1, 2, 3), 2, 1, 1),
            new Group("7", "TENSOR", List.of(1, 3), 1, 1, 1));
  }

  @Test
  void readsCallsWithTheProgramsOwnLine() {
    var call = RECORDED.dump().calls().get(2);
    assertThat(call.words()).isEqualTo("all_reduce of [2048] Float");
    assertThat(call.frame()).isEqualTo("train.py:88 in step");
    assertThat(call.state()).isEqualTo(CallState.SCHEDULED);
    assertThat(call.collective()).isEqualTo(2);
    assertThat(call.elements()).isEqualTo(2048);
    assertThat(call.createdNanos()).isPositive();
    assertThat(call.completedNanos()).isZero();
    var send = RECORDED.dump().calls().getLast();
    assertThat(send.p2p()).isTrue();
    assertThat(List.of(send.from(), send.to())).containsExactly(0, 1);
  }

  @Test
  void readsTheJsonForm() {
    var json = EventJson.MAPPER.writeValueAsString(RECORDED.document()).getBytes(UTF_8);
    assertThat(DumpReader.recognises(json)).isTrue();
    var read = (DumpReading.Read) DumpReader.read("/tmp/nccl_trace_rank_1", json);
    assertThat(read.dump().groups()).isEqualTo(RECORDED.dump().groups());
    assertThat(read.dump().calls()).isEqualTo(RECORDED.dump().calls());
  }

  @ParameterizedTest
  @CsvSource({
    "/tmp/nccl_trace_rank_17, 17",
    "fr/_dump_0, 0",
    "/data/trace_3.json, 3",
    "/data/my_prefix12, 12",
    "/data/dump, -1"
  })
  void takesTheRankFromTheName(String file, int rank) {
    assertThat(DumpName.rank(file)).isEqualTo(rank);
  }

  @Test
  void distrustsANameThatItsGroupsDoNotHave() {
    var read = (DumpReading.Read) DumpReader.read("copy_99", RECORDED.pickle());
    assertThat(read.dump().rank()).isEqualTo(-1);
  }

  @Test
  void readsWhatOldVersionsWrote() {
    // torch 2.3: no status, one number for all calls of a group, times in microseconds
    var old =
        PickleWriter.of(
            Map.of(
                "version",
                "1.5",
                "entries",
                List.of(
                    Map.of(
                        "record_id",
                        5,
                        "seq_id",
                        9,
                        "pg_id",
                        0,
                        "profiling_name",
                        "nccl:all_reduce",
                        "time_created_us",
                        1_700_000_000_000_000L,
                        "state",
                        "scheduled",
                        "retired",
                        false))));
    assertThat(DumpReader.recognises(old)).isTrue();
    var dump = ((DumpReading.Read) DumpReader.read("_dump_2", old)).dump();
    assertThat(dump.rank()).isEqualTo(2);
    assertThat(dump.whole()).isFalse();
    assertThat(dump.calls().getFirst().collective()).isEqualTo(9);
    assertThat(dump.calls().getFirst().createdNanos()).isEqualTo(1_700_000_000_000_000_000L);
  }

  @Test
  void namesWhatIsNoDump() {
    var other = DumpReader.read("model_3.pkl", PickleWriter.of(Map.of("weights", List.of(1.5))));
    assertThat(other)
        .isEqualTo(
            new DumpReading.Refused("model_3.pkl", 3, "it is no dump of the flight recorder"));
    assertThat(DumpReader.recognises(PickleWriter.of(Map.of("weights", 1)))).isFalse();
    assertThat(DumpReader.read("_dump_1", new byte[0])).isInstanceOf(DumpReading.Refused.class);
  }

  @Test
  void survivesAnyDamage() {
    var sound = RECORDED.pickle();
    var random = new Random(7);
    int read = 0;
    for (int round = 0; round < 20_000; round++) {
      var bytes = sound.clone();
      for (int i = random.nextInt(5); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      read += DumpReader.read("_dump_1", bytes) instanceof DumpReading.Read ? 1 : 0;
    }
    assertThat(read).isBetween(1, 19_999);
  }
}
