package io.ringside.streams.parse.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InspectorFileTest {
  /// As 2.28.9 writes it.
  private static final String CALL =
      "{\"header\":{\"id\":\"8a5edab2827c4d01\",\"rank\":3,\"n_ranks\":8,\"nnodes\":2},"
          + "\"metadata\":{\"inspector_output_format_version\":\"v4.0\",\"git_rev\":\"\",\"rec_mechanism\":\"nccl_profiler_interface\","
          + "\"dump_timestamp_us\":1764000000123456,\"hostname\":\"node-0\",\"pid\":4711},"
          + "\"coll_perf\":{\"coll\":\"AllReduce\",\"coll_sn\":17,\"coll_msg_size_bytes\":67108864,\"coll_exec_time_us\":912,"
          + "\"coll_timing_source\":\"kernel_gpu\",\"coll_algobw_gbs\":73.584280,\"coll_busbw_gbs\":128.772490}}";

  @Test
  void readsACall() {
    var times = InspectorFile.read(CALL).getFirst();

    assertThat(times)
        .usingRecursiveComparison()
        .isEqualTo(
            new InspectorTimes(
                "0x8a5edab2827c4d01",
                3,
                8,
                2,
                "AllReduce",
                "node-0",
                4711,
                new long[] {17},
                new int[] {912},
                new float[] {128.77249f},
                new long[] {67108864},
                new long[] {1764000000123456L}));
  }

  @Test
  void aTimeOfTheProcessorSaysNothingOfTheLinks() {
    var times = InspectorFile.read(CALL.replace("kernel_gpu", "kernel_cpu")).getFirst();

    assertThat(times.busGBps()).containsExactly(0);
    assertThat(times.micros()).containsExactly(912);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"pid\":4711,\"events\":[1,2]",
        "\"pid\":4711,\"more\":{\"a\":1}",
        "\"pid\":4711.0",
        "\"pid\":4711,\"note\":\"a \\\"b\\\" c\"",
        " \"pid\" : 4711"
      })
  void readsOtherFormsOfALineToo(String form) {
    assertThat(InspectorFile.read(CALL.replace("\"pid\":4711", form)))
        .usingRecursiveComparison()
        .isEqualTo(InspectorFile.read(CALL));
  }

  @Test
  void damagedLinesAndOthersAreLeftOut() {
    var text = String.join("\n", CALL.substring(0, 300), "{", "", "no JSON", CALL, CALL + "}");

    assertThat(InspectorFile.read(text).getFirst().sequences()).startsWith(17);
    assertThat(InspectorFile.read(CALL.substring(0, 300))).isEmpty();
  }

  /// Whatever happens to a line, the fast way says what the JSON reader says, which gets each line
  /// that has a blank at its beginning.
  @Test
  void bothWaysAgreeOnEveryDamage() {
    var random = new Random(20_261_130);
    var pieces =
        List.of("\"", "{", "}", ",", ":", "0", "-", ".", "e", "\\", "\t", "[", "true", "id");
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      int from = 1 + random.nextInt(CALL.length() - 1);
      int to = Math.min(CALL.length(), from + random.nextInt(3));
      var line =
          CALL.substring(0, from) + pieces.get(random.nextInt(pieces.size())) + CALL.substring(to);
      var fast = InspectorFile.read(line);
      read += fast.size();

      assertThat(fast)
          .as(line)
          .usingRecursiveComparison()
          .isEqualTo(InspectorFile.read("{ " + line.substring(1)));
    }
    assertThat(read).isGreaterThan(5_000);
  }
}
