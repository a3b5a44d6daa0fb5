package io.ringside.streams.parse.ras;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RasAnswersTest {
  private static final String TEXT =
      """
      NCCL version 2.27.3 compiled with CUDA 12.9
      CUDA runtime version 12090, driver version 12090

      Job summary
      ===========

        Nodes  Processes         GPUs  Processes     GPUs
      (total)   per node  per process    (total)  (total)
            2          4            1          8        8

      Communicators... (0.01s)
      =============

      Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
          #  in group  per comm  per node  per comm  in group
          0         1         2         4         8         8   RUNNING  MISMATCH

      Errors
      ======

      Warnings
      ========

      #0-0 (5b1c9e2f40a7d386) MISMATCH
        Communicator ranks have different AllReduce operation counts
        7 ranks have launched up to operation 411
        Rank 5 has launched up to operation 409 -- GPU 1 managed by process 711 on node 192.0.2.6

      """;

  private static final String OK =
      TEXT.substring(0, TEXT.indexOf("#0-0")).replace("MISMATCH", "      OK");

  private static final String JSON =
      """
      {
        "nccl_version": "2.28.9",
        "cuda_runtime_version": 13000,
        "timestamp": "2026-11-22 08:33:08",
        "communicators_count": 1,
        "communicators": [
          {
            "hash": "0x5b1c9e2f40a7d386",
            "size": 2,
            "ranks": [
              {
                "rank": 0,
                "pid": 710,
                "collective_counts": {
                  "AllReduce": 411
                }
              },
              {
                "rank": 1,
                "pid": 711,
                "collective_counts": {
                  "AllReduce": 409
                }
              }
            ],
            "missing_ranks": [
            ]
          }
        ],
        "ras": {
          "timeouts_count": 0
        }
      }
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-22T08:33:08.120931334Z ",
        "2026-11-22T08:33:08.120931334Z stdout F ",
        "[pod/llama-0/trainer] ",
        "[pod/llama-0/trainer] 2026-11-22T08:33:08.120931334Z ",
        "llama-0 trainer ",
        "[1,0]<stdout>:",
        "0: ",
      })
  void readsAnswersBehindPrefixes(String prefix) {
    var text = prefixed(prefix, TEXT + JSON + TEXT);
    assertThat(RasAnswers.recognises(text)).isTrue();

    var read = RasAnswers.of(text);

    assertThat(read.damaged()).isZero();
    assertThat(read.answers()).hasSize(3);
    for (var answer : read.answers()) {
      var comm = answer.comms().getFirst();
      assertThat(comm.commId()).isEqualTo("0x5b1c9e2f40a7d386");
      assertThat(comm.counts()).extracting(RasAnswer.Count::launched).containsExactly(411L, 409L);
      assertThat(comm.pids()).containsValue(711);
    }
    assertThat(read.answers().get(1).atNanos() / 1_000_000_000).isEqualTo(1_795_336_388L);
  }

  @Test
  void readsAJsonAnswerOnOneLine() {
    var line = JSON.lines().map(String::strip).collect(Collectors.joining());
    assertThat(RasAnswers.of(line + "\n" + line).answers())
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.comms().getFirst().counts()).hasSize(2));
  }

  @Test
  void knowsAPasteByItsCommand() {
    assertThat(RasAnswers.recognises("$ kubectl exec llama-0 -- ncclras -v\n" + TEXT)).isTrue();
  }

  /// Nothing is told of a communicator that has nothing to complain of; that it was told of before
  /// is no reason to go on.
  @Test
  void whatIsOkAgainIsSaidToBe() {
    var read = RasAnswers.of(TEXT + TEXT + OK);
    assertThat(read.answers()).hasSize(3);
    assertThat(read.answers().getLast().comms())
        .containsExactly(RasAnswer.Comm.silent("0x5b1c9e2f40a7d386"));
  }

  @Test
  void countsAnswersThatAreCut() {
    var cutText = TEXT.substring(0, TEXT.indexOf("Warnings"));
    var cutJson = JSON.substring(0, JSON.indexOf("missing_ranks"));
    for (var cut : new String[] {cutText, cutJson, TEXT.substring(0, 120)}) {
      var read = RasAnswers.of(TEXT + cut);
      assertThat(read.answers()).hasSize(1);
      assertThat(read.damaged()).isEqualTo(1);
    }
    assertThat(RasAnswers.of(TEXT + cutJson + TEXT).answers()).hasSize(2);
  }

  @Test
  void otherTablesAreNone() {
    var tests =
        """
        # nccl-tests version 2.17.6 nccl-headers=22809 nccl-library=22809
        NCCL version 2.28.9+cuda13.0
        # Rank  0 Group  0 Pid   7000 on node-1 device  0 [0000:04:00] NVIDIA H100
        #       size         count      type   redop    root     time   algbw   busbw #wrong
             1048576        262144     float     sum      -1    61.20   17.13   29.98      0
        """;
    assertThat(RasAnswers.recognises(tests)).isFalse();
    var read = RasAnswers.of(tests + "{\"nccl_version\": \"2.28.9\", \"results\": []}\n");
    assertThat(read.answers()).isEmpty();
  }

  private static String prefixed(String prefix, String text) {
    return text.lines().map(line -> prefix + line + "\n").collect(Collectors.joining());
  }

  /// Who asks in a loop prints the time before each answer.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "### 1764446457.403 text 0.001s",
        "### 2025-11-29T20:00:57.403Z ncclras -v",
        "2025-11-29 20:00:57.403",
      })
  void takesTheTimeFromTheLineBefore(String asked) {
    var answers = RasAnswers.of(asked + "\n" + TEXT).answers();

    assertThat(answers).singleElement().matches(it -> it.atNanos() == 1_764_446_457_403_000_000L);
  }

  @Test
  void takesTheTimeFromTheCommandDate() {
    assertThat(RasAnswers.of("Sat Nov 29 20:00:57 UTC 2025\n" + TEXT).answers())
        .singleElement()
        .matches(it -> it.atNanos() == 1_764_446_457_000_000_000L);
  }

  /// What is open in a log is kept with its source: a bad pod must not make that large.
  @Test
  void givesUpAnAnswerInALogThatGrowsWithoutEnd() {
    var reader = new RasReader();
    var answers = new ArrayList<RasAnswer>();
    reader.line("{\"nccl_version\": \"2.28.9\",", 0, answers);
    for (int member = 0; member < 40_000; member++) {
      reader.line("\"communicators_count\": {\"a\": {\"b\": " + member, 0, answers);
    }

    assertThat(answers).isEmpty();
    assertThat(reader.open()).isFalse();
    assertThat(reader.damaged()).isEqualTo(1);
  }
}
