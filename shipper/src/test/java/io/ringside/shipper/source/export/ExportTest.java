package io.ringside.shipper.source.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What log stores hand out, against the lines that it holds.
class ExportTest {
  private static List<String> lines(String file) throws IOException {
    var bytes = file.getBytes(StandardCharsets.UTF_8);
    var export = Export.recognise(bytes, Math.min(bytes.length, Export.HEAD));
    assertThat(export).isNotNull();
    try (var in = export.lines(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Test
  void cloudWatchEvents() throws IOException {
    assertThat(
            lines(
                """
                {
                    "events": [
                        {
                            "logStreamName": "llama-0",
                            "timestamp": 1795207346942,
                            "message": "h:1:2 [0] NCCL INFO Using network IB",
                            "ingestionTime": 1795207347000,
                            "eventId": "1"
                        },
                        {
                            "logStreamName": "llama-1",
                            "timestamp": 1795207346943,
                            "message": "one\\ntwo\\n"
                        }
                    ],
                    "searchedLogStreams": []
                }
                """))
        .containsExactly(
            "2026-11-20T20:42:26.942Z [pod/llama-0] h:1:2 [0] NCCL INFO Using network IB",
            "2026-11-20T20:42:26.943Z [pod/llama-1] one",
            "2026-11-20T20:42:26.943Z [pod/llama-1] two");
  }

  @Test
  void cloudWatchInsights() throws IOException {
    assertThat(
            lines(
                """
                {"results": [[{"field": "@timestamp", "value": "2026-11-20 20:42:26.942"},
                              {"field": "@message", "value": "step"}, {"field": "@logStream", "value": "a/b"}]],
                 "status": "Complete"}
                """))
        .containsExactly("2026-11-20T20:42:26.942Z [pod/a.b] step");
  }

  @Test
  void fluentBitWithinCloudWatch() throws IOException {
    assertThat(
            lines(
                """
                {"events":[{"timestamp":1795207346942,"logStreamName":"s","message":"{\\"log\\":\\"step\\",\\"stream\\":\\"stdout\\",\
                \\"kubernetes\\":{\\"pod_name\\":\\"llama-0\\",\\"container_name\\":\\"trainer\\",\\"host\\":\\"ip-10-0-0-1\\"}}"}]}
                """))
        .containsExactly("2026-11-20T20:42:26.942Z [node/ip-10-0-0-1] [pod/llama-0/trainer] step");
  }

  @Test
  void lokisAnswer() throws IOException {
    assertThat(
            lines(
                """
                {"status":"success","data":{"resultType":"streams","result":[
                  {"stream":{"pod":"llama-0","node_name":"n1"},"values":[["1795207346942294769","one"],["1795207346942294770","two"]]},
                  {"stream":{"pod":"llama-1"},"values":[["1795207346942294771","three"]]}]}}
                """))
        .containsExactly(
            "2026-11-20T20:42:26.942294769Z [node/n1] [pod/llama-0] one",
            "2026-11-20T20:42:26.942294770Z [node/n1] [pod/llama-0] two",
            "2026-11-20T20:42:26.942294771Z [pod/llama-1] three");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"line\":\"step\",\"timestamp\":\"2026-11-20T20:42:26.5Z\",\"labels\":{\"pod\":\"llama-0\",\"node\":\"n1\"}}",
        "[{\"line\":\"step\",\"timestamp\":\"1795207346500000000\",\"fields\":{\"pod\":\"llama-0\",\"node\":\"n1\"}}]",
        "{\"message\":\"step\",\"timestamp\":\"2026-11-20T20:42:26.500Z\",\"kubernetes\":{\"pod_name\":\"llama-0\",\"pod_node_name\":\"n1\"}}",
        "{\"date\":1795207346.5,\"log\":\"step\\n\",\"stream\":\"stdout\",\"kubernetes\":{\"pod_name\":\"llama-0\",\"host\":\"n1\"}}",
        "{\"textPayload\":\"step\",\"timestamp\":\"2026-11-20T20:42:26.5Z\",\"resource\":{\"labels\":{\"pod_name\":\"llama-0\",\"node_name\":\"n1\"}}}",
        "{\"_source\":{\"message\":\"step\",\"@timestamp\":\"2026-11-20T20:42:26.5Z\",\"kubernetes\":{\"pod\":{\"name\":\"llama-0\"},\"node\":{\"name\":\"n1\"}}}}"
      })
  void entriesOfEachCollector(String entry) throws IOException {
    assertThat(lines(entry + "\n"))
        .containsExactly("2026-11-20T20:42:26.500Z [node/n1] [pod/llama-0] step");
  }

  @Test
  void theDetailsOfAHealthAgent() throws IOException {
    assertThat(
            lines(
                """
                {"level":"info","ts":"2026-11-20T20:42:26Z","msg":"NPD caught event","details: ":{"timestamp":"2026-11-20T20:42:25Z","message":"Node condition X is now: True"}}
                {"level":"info","ts":"2026-11-20T20:42:27Z","msg":"one","details":{"count":2}}
                """))
        .containsExactly(
            "2026-11-20T20:42:25Z Node condition X is now: True", "2026-11-20T20:42:27Z one");
  }

  @Test
  void theJournal() throws IOException {
    assertThat(
            lines(
                """
                {"__REALTIME_TIMESTAMP":"1795207346942294","_HOSTNAME":"gpu-17","_PID":"7","MESSAGE":"step"}
                -- Reboot --
                {"__REALTIME_TIMESTAMP":"1795207346942295","_HOSTNAME":"gpu-17","MESSAGE":[115,116,27]}
                """))
        .containsExactly(
            "2026-11-20T20:42:26.942294Z [node/gpu-17] step",
            "-- Reboot --",
            "2026-11-20T20:42:26.942295Z [node/gpu-17] st\u001b");
  }

  @Test
  void aDocumentThatBreaksOffEndsThere() throws IOException {
    assertThat(lines("{\"events\":[{\"message\":\"one\"},{\"message\":\"two\"},{\"mess"))
        .containsExactly("one", "two");
  }

  @Test
  void cloudWatchCsvOfTheConsole() throws IOException {
    assertThat(
            lines(
                """
                timestamp,message
                1795207346942,h:1:2 [0] NCCL INFO Using network IB
                1795207346943,"h:1:2 [0] NCCL INFO NCCL_DEBUG set by environment to INFO, ""again""
                second line"
                1795207346944,"2026-11-20T20:42:26.900Z h:1:2 [0] NCCL INFO cudaDriverVersion 12040"
                """))
        .containsExactly(
            "2026-11-20T20:42:26.942Z h:1:2 [0] NCCL INFO Using network IB",
            "2026-11-20T20:42:26.943Z h:1:2 [0] NCCL INFO NCCL_DEBUG set by environment to INFO, \"again\"",
            "2026-11-20T20:42:26.943Z second line",
            "2026-11-20T20:42:26.944Z 2026-11-20T20:42:26.900Z h:1:2 [0] NCCL INFO cudaDriverVersion 12040");
  }

  @Test
  void insightsAndGrafanaAsCsv() throws IOException {
    assertThat(
            lines(
                """
                @timestamp,@message,@logStream
                2026-11-20 20:42:26.942,"step 1, loss 2.0",llama-0
                """))
        .containsExactly("2026-11-20T20:42:26.942Z [pod/llama-0] step 1, loss 2.0");
    assertThat(
            lines(
                "\"Date\",\"Time\",\"Line\"\r\n\"x\",\"1795207346942000000\",\"step 1, loss 2.0\"\r\n"))
        .containsExactly("2026-11-20T20:42:26.942Z step 1, loss 2.0");
  }

  @Test
  void cloudWatchTables() throws IOException {
    assertThat(
            lines(
                """
                ----------------------------------------------------------------------------
                |                               GetLogEvents                               |
                +------------------+-------------------------------------------------------+
                |  nextForwardToken|  f/38                                                 |
                +------------------+-------------------------------------------------------+
                ||                                 events                                 ||
                |+----------------+-------------------------------------+----------------+|
                || ingestionTime  |               message               |   timestamp    ||
                |+----------------+-------------------------------------+----------------+|
                ||  1795207347000 |  h:1:2 [0] NCCL INFO Using | network |  1795207346942 ||
                ||  1795207347000 |  step                               |  1795207346943 ||
                |+----------------+-------------------------------------+----------------+|
                """))
        .containsExactly(
            "2026-11-20T20:42:26.942Z h:1:2 [0] NCCL INFO Using|network",
            "2026-11-20T20:42:26.943Z step");
  }

  @Test
  void insightsCopiedAsMarkdown() throws IOException {
    assertThat(
            lines(
                """
                | @timestamp | @message | @logStream |
                | --- | --- | --- |
                | 2026-11-20 20:42:26.942 | h:1:2 [0] NCCL INFO Using network IB | llama-0 |
                """))
        .containsExactly(
            "2026-11-20T20:42:26.942Z [pod/llama-0] h:1:2 [0] NCCL INFO Using network IB");
  }

  @Test
  void cloudWatchAsTabbedText() throws IOException {
    assertThat(
            lines(
                "EVENTS\t1795207347000\th:1:2 [0] NCCL INFO Using\tnetwork IB\t1795207346942\n"
                    + "EVENTS\t38123456789012345678901234567890\t1795207347000\tllama-0\tstep\t1795207346943\n"
                    + "SEARCHEDLOGSTREAMS\tTrue\tllama-0\n"))
        .containsExactly(
            "2026-11-20T20:42:26.942Z h:1:2 [0] NCCL INFO Using\tnetwork IB",
            "2026-11-20T20:42:26.943Z [pod/llama-0] step");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h:1:2 [0] NCCL INFO Using network IB\n",
        "{'loss': 1.0, 'epoch': 0.1}\n",
        "{\"loss\": 1.0}\n{\"loss\": 0.9}\n",
        "{\"log\":\"step\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-20T20:42:26.5Z\"}\n",
        "[2026-11-20 20:42:26] h:1:2 [0] NCCL INFO Using network IB\n",
        "[1,0]<stdout>:h:1:2 [0] NCCL INFO Using network IB\n",
        "timestamp, index, uuid, pci.bus_id\n2026/11/20 20:31:41.770, 0, GPU-af, 00\n",
        "time,loss\n1795207346942,2.0\n",
        "| Model | Size |\n| --- | --- |\n| a | 1 |\n",
        "----------------------------------\nlaunch time message\n",
        "{\"header\":{\"rank\":2},\"coll_perf\":{\"coll\":\"AllReduce\"}}\n",
        "{",
        ""
      })
  void otherFilesAreNone(String file) {
    var bytes = file.getBytes(StandardCharsets.UTF_8);
    assertThat(Export.recognise(bytes, bytes.length)).isNull();
  }

  @Test
  void turnsRoundWhatBeginsWithTheNewest() throws IOException {
    var newestFirst = new StringBuilder();
    for (int step = 9; step > 0; step--) {
      newestFirst.append(
          "{\"labels\":{\"pod\":\"llama-0\"},\"line\":\"step %d\",\"timestamp\":\"2026-11-20T20:42:2%dZ\"}\n"
              .formatted(step, step));
    }

    assertThat(lines(newestFirst.toString()))
        .hasSize(9)
        .startsWith("2026-11-20T20:42:21Z [pod/llama-0] step 1")
        .endsWith("2026-11-20T20:42:29Z [pod/llama-0] step 9");
  }

  @Test
  void leavesAloneWhatGoesBackInTimeNowAndThen() throws IOException {
    var mixed = new StringBuilder();
    for (int second : new int[] {1, 2, 3, 2, 4, 5, 4, 6}) {
      mixed.append(
          "{\"labels\":{\"pod\":\"llama-0\"},\"line\":\"step\",\"timestamp\":\"2026-11-20T20:42:2%dZ\"}\n"
              .formatted(second));
    }

    assertThat(lines(mixed.toString()))
        .extracting(line -> line.substring(18, 19))
        .containsExactly("1", "2", "3", "2", "4", "5", "4", "6");
  }

  /// A collector that runs in a container and prints what it read, its own words first.
  @Test
  void aCollectorsLinesWithinDockers() throws IOException {
    assertThat(
            lines(
                """
                {"log":"Fluent Bit v3.1.4\\n","stream":"stderr","time":"2026-11-20T20:42:20Z"}
                {"log":"{\\"date\\":1795207346.942,\\"log\\":\\"h:1:2 [0] NCCL INFO Using network IB\\\\n\\",\\"kubernetes\\":{\\"pod_name\\":\\"llama-0\\"}}\\n","stream":"stdout","time":"2026-11-20T20:42:30Z"}
                """))
        .containsExactly(
            "2026-11-20T20:42:20Z Fluent Bit v3.1.4",
            "2026-11-20T20:42:26.942Z [pod/llama-0] h:1:2 [0] NCCL INFO Using network IB");
  }

  /// The agent's reader of Docker's files joins partial lines.
  @Test
  void dockersOwnLinesAreNoExportThoughTheProgramWritesObjects() {
    assertThat(
            recognised(
                """
                {"log":"{\\"loss\\": 2.5, \\"step\\": 10}\\n","stream":"stdout","time":"2026-11-20T20:42:20Z"}
                """))
        .isNull();
  }

  private static @Nullable Export recognised(String file) {
    var bytes = file.getBytes(StandardCharsets.UTF_8);
    return Export.recognise(bytes, bytes.length);
  }

  @Test
  void torchrunsErrorFile() throws IOException {
    assertThat(
            lines(
                """
                {"message": {"message": "OutOfMemoryError: CUDA out of memory. Tried 4 GiB.", "extraInfo":
                 {"py_callstack": "Traceback (most recent call last):\\n  File \\"/w/t.py\\", line 3, in f\\ntorch.OutOfMemoryError: CUDA out of memory. Tried 4 GiB.\\n", "timestamp": "1795207346"}}}
                """))
        .containsExactly(
            "2026-11-20T20:42:26.999Z torchelastic: a process raised torch.OutOfMemoryError: CUDA out of memory. Tried 4 GiB.");
  }

  @Test
  void aLogWhoseNewestLineStandsFirst() throws IOException {
    var falling = new StringBuilder();
    for (int i = 20; i >= 0; i--) {
      falling.append("ERROR 2026-11-20T20:42:%02d.5Z line %d%n".formatted(i, i));
    }
    falling.append("  of the same\n");

    assertThat(lines(falling.toString()))
        .hasSize(22)
        .startsWith("ERROR 2026-11-20T20:42:00.5Z line 0", "  of the same")
        .endsWith("ERROR 2026-11-20T20:42:20.5Z line 20");
  }

  /// Programs that share a log write each in its own order, and clocks are set.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20T20:42:%02d.5Z one",
        "one",
        "2026-11-20T20:42:%02d.5Z one\n2026-11-20T20:41:00Z two\n2026-11-20T20:42:00Z three"
      })
  void aLogInItsOrderIsNone(String line) {
    var log = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      log.append(line.formatted(i)).append('\n');
    }
    var bytes = log.toString().getBytes(StandardCharsets.UTF_8);

    assertThat(Export.recognise(bytes, bytes.length)).isNull();
  }
}
