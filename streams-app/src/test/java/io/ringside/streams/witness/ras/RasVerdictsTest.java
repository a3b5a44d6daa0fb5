package io.ringside.streams.witness.ras;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.ras.RasAnswers;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RasVerdictsTest {
  @Test
  void whoStaysBehindInTwoAnswersHoldsTheOthersUp() {
    var verdict = of(text(100, 1681, 2, 1667), text(105, 1681, 2, 1667));
    assertThat(verdict.hangs()).isTrue();
    assertThat(verdict.behind()).containsExactly(2);
    assertThat(verdict.standsSinceNanos()).isEqualTo(1_700_000_100_000_000_000L);
    assertThat(verdict.statements())
        .containsExactly("rank 2 launched 1667 AllReduce, most others 1681");
  }

  @Test
  void textAndJsonSayTheSame() {
    var verdict = of(text(100, 9, 2, 7), json(105, 9, 9, 7, 9), text(110, 9, 2, 7));
    assertThat(verdict.hangs()).isTrue();
    assertThat(verdict.standsSinceNanos()).isEqualTo(1_700_000_100_000_000_000L);
  }

  @Test
  void countsThatMoveAreNoHang() {
    assertThat(of(text(100, 20, 2, 18), text(105, 40, 2, 39)).hangs()).isFalse();
    assertThat(of(json(100, 20, 20, 18, 20), json(105, 30, 30, 30, 30)).hangs()).isFalse();
  }

  @Test
  void knowsSinceWhenNothingMoves() {
    var still = of(json(100, 7, 7, 7, 7), json(110, 9, 9, 9, 9), json(150, 9, 9, 9, 9));
    assertThat(still.hangs()).isFalse();
    assertThat(still.alikeSinceNanos()).isEqualTo(1_700_000_110_000_000_000L);
    assertThat(of(json(100, 7, 7, 7, 7), json(150, 9, 9, 9, 9)).alikeSinceNanos()).isZero();
    assertThat(of(json(100, 9, 9, 8, 9), json(150, 9, 9, 8, 9)).alikeSinceNanos()).isZero();
  }

  @Test
  void oneAnswerProvesNothing() {
    assertThat(of(text(100, 20, 2, 18)).hangs()).isFalse();
  }

  @Test
  void remembersAPauseThatEnded() {
    var verdict = of(json(100, 5, 8, 8, 8), json(109, 5, 8, 8, 8), json(115, 20, 20, 20, 20));
    assertThat(verdict.hangs()).isFalse();
    assertThat(verdict.longestNanos()).isEqualTo(9_000_000_000L);
  }

  @Test
  void twoAheadOfThirtyAreNoStragglers() {
    var block =
        """
        ### 1700000%03d.5 text 0.001s
        NCCL version 2.26.2 compiled with CUDA 12.6
        Job summary
        Communicators... (0.00s)
        #0-0 (0123456789abcdef) MISMATCH
          Communicator ranks have different AllGather operation counts
          30 ranks have launched up to operation 64
          2 ranks have launched up to operation 65
          Rank 7 -- GPU 7 managed by process 41 on node 192.0.2.7
          Rank 9 -- GPU 1 managed by process 43 on node 192.0.2.8
        """;
    var verdict = of(block.formatted(100), block.formatted(110));
    assertThat(verdict.behind()).isEmpty();
    assertThat(verdict.ahead()).containsExactlyInAnyOrder(7, 9);
    assertThat(verdict.hangs()).as("counts differ, and none moves").isTrue();
    assertThat(of(block.formatted(100)).hangs()).isFalse();
  }

  @Test
  void anotherOperationShowsInTwoCounts() {
    var block =
        """
        ### 1700000%03d text 0.001s
        NCCL version 2.28.9 compiled with CUDA 13.0
        #0-0 (0123456789abcdef) MISMATCH
          Communicator ranks have different AllGather operation counts
          3 ranks have not launched any operations
          Rank 1 has launched up to operation 1 -- GPU 1 managed by process 41 on node 192.0.2.7

          Communicator ranks have different AllReduce operation counts
          3 ranks have launched up to operation 9
          Rank 1 has launched up to operation 8 -- GPU 1 managed by process 41 on node 192.0.2.7
        """;
    var verdict = of(block.formatted(100), block.formatted(110));
    assertThat(verdict.behind()).containsExactly(1);
    assertThat(verdict.ahead()).isEmpty();
  }

  @Test
  void ofTwoThatMakeOtherCallsNobodyKnowsWhichIsWrong() {
    var ranks =
        """
        {"rank": 0, "collective_counts": {"AllGather": 5, "AllReduce": 10}},
        {"rank": 1, "collective_counts": {"AllGather": 6, "AllReduce": 9}}\
        """;
    var verdict = of(answer(100, ranks), answer(110, ranks));
    assertThat(verdict.hangs()).isTrue();
    assertThat(verdict.behind()).containsExactlyInAnyOrder(0, 1).isEqualTo(verdict.ahead());
    assertThat(verdict.statements())
        .containsExactly(
            "rank 0 launched 5 AllGather, the other 6",
            "rank 1 launched 9 AllReduce, the other 10");
  }

  @Test
  void whoDoesNotAnswerTwiceIsMissing() {
    var block =
        """
        ### 1700000%03d text 0.001s
        NCCL version 2.28.9 compiled with CUDA 13.0
        #0-0 (0123456789abcdef) INCOMPLETE
          Missing communicator data from 1 rank
          The missing rank: 3
        """;
    var verdict = of(block.formatted(100), block.formatted(110));
    assertThat(verdict.missing()).containsExactly(3);
    assertThat(verdict.hangs()).isTrue();
    assertThat(of(block.formatted(100)).hangs()).isFalse();
  }

  @Test
  void ofTwoRanksTheOneWithFewerCallsHoldsTheOtherUp() {
    var verdict = of(json(100, 633, 630), json(110, 633, 630));
    assertThat(verdict.behind()).containsExactly(1);
    assertThat(verdict.ahead()).containsExactly(0);
    assertThat(verdict.statements())
        .containsExactly("rank 1 launched 630 AllReduce, the other 633");
    assertThat(of(json(100, 630, 633), json(110, 630, 633)).behind()).containsExactly(0);
    assertThat(of(json(100, 633, 630), json(110, 640, 637)).hangs()).isFalse();
  }

  @Test
  void halfOfFourRanksIsNoMajority() {
    assertThat(of(json(100, 9, 9, 8, 8), json(110, 9, 9, 8, 8)).hangs()).isFalse();
  }

  /// As NCCL 2.28.9 answers when a process was killed: there is no comma in front of "status".
  @Test
  void readsJsonThatForgetsACommaWhereARankIsGone() {
    var block =
        """
        ### 1700000%03d json 0.001s
        {
          "nccl_version": "2.28.9",
          "communicators_count": 1,
          "communicators": [{"hash": "0x0123456789abcdef", "size": 2,
            "ranks": [{"rank": 0, "collective_counts": {"AllReduce": 627}}],
            "missing_ranks": [
              {
                "rank": 1,
                "host": "192.0.2.2",
                "pid": 3072,
                "cuda_dev": 1,
                "nvml_dev": 1
                "status": {
                  "unresponsive": true,
                  "considered_dead": true
                }
              }
            ]}]
        }
        """;
    var verdict = of(block.formatted(100), block.formatted(110), block.formatted(120));
    assertThat(verdict.missing()).containsExactly(1);
    assertThat(verdict.standsSinceNanos()).isEqualTo(1_700_000_100_000_000_000L);
  }

  @Test
  void readsWhoIsGoneInText() {
    var block =
        """
        ### 1700000%03d text 0.001s
        NCCL version 2.28.9 compiled with CUDA 13.0
        Communicators... (0.000s)
        INCOMPLETE
          Missing communicator data from 1 job process
          Process 3072 on node 192.0.2.2 managing GPU 1

        #0-0 (0123456789abcdef) INCOMPLETE
          Missing communicator data from 1 rank
          Rank 1 -- GPU 1 managed by process 3072 on node 192.0.2.2

        #0-1 (1123456789abcdef) MISMATCH
          Communicator ranks have different AllReduce operation counts
          3 ranks have launched up to operation 9
          Rank 2 has launched up to operation 8 -- GPU 2 managed by process 41 on node 192.0.2.2
        """;
    var verdicts =
        RasVerdicts.of(RasAnswers.of(block.formatted(100) + block.formatted(110)).answers());
    assertThat(verdicts.getFirst().missing()).containsExactly(1);
    assertThat(verdicts.getLast().missing()).isEmpty();
    assertThat(verdicts.getLast().behind()).containsExactly(2);
  }

  @Test
  void survivesAnyDamage() {
    var sound = text(100, 1681, 2, 1667) + json(105, 9, 9, 7, 9);
    var random = new Random(3);
    for (int round = 0; round < 3_000; round++) {
      var damaged = new StringBuilder(sound);
      for (int i = random.nextInt(6); i >= 0; i--) {
        damaged.setCharAt(random.nextInt(damaged.length()), (char) random.nextInt(128));
      }
      assertThat(RasVerdicts.of(RasAnswers.of(damaged.toString()).answers())).hasSizeLessThan(8);
    }
  }

  @Test
  void knowsAnswersByTheirContent() {
    assertThat(
            RasAnswers.recognises(
                "### 1700000100.5 text 0.001s\n# Connection refused\n" + text(1, 2, 0, 1)))
        .isTrue();
    assertThat(RasAnswers.recognises(json(1, 1, 1, 1, 1))).isTrue();
    assertThat(RasAnswers.recognises("host:1:1 [0] NCCL INFO Bootstrap\n" + text(1, 2, 0, 1)))
        .isFalse();
  }

  private static final String PART =
      """
      Communicators... (2.05s)
      =============

      Errors
      ======

      INCOMPLETE
        Missing communicator data from 1 job process
        Process 4821 on node 192.0.2.7 managing GPU 3

      #0-0 (0123456789abcdef) INCOMPLETE
        Missing communicator data from 1 rank
        The missing rank: 11
      """;

  @Test
  void aRankThatIsGoneInTheOneAnswerThatWasPasted() {
    assertThat(RasAnswers.recognises(PART)).isTrue();
    var answers = RasAnswers.of(PART).answers();
    assertThat(answers).hasSize(1);

    var verdict = RasVerdicts.ofOne(answers.getFirst()).getFirst();
    assertThat(verdict.hangs()).isTrue();
    assertThat(verdict.missing()).containsExactly(11);

    // beside a log it may have been asked while the job came up or ended
    assertThat(RasVerdicts.of(answers).getFirst().hangs()).isFalse();
  }

  @Test
  void countsThatDifferInOneAnswerProveNothingAlone() {
    var answers = RasAnswers.of(text(100, 20, 2, 18)).answers();
    assertThat(RasVerdicts.ofOne(answers.getFirst()).getFirst().hangs()).isFalse();
  }

  @Test
  void otherTextIsNoPieceOfAnAnswer() {
    assertThat(RasAnswers.recognises("step 1 loss 2.5\n" + PART)).isFalse();
    assertThat(RasAnswers.recognises(PART + "h:1:1 [0] NCCL INFO cudaDriverVersion 12020\n"))
        .isFalse();
    assertThat(RasAnswers.recognises("Errors\n======\n\nstep 1 loss 2.5\n")).isFalse();
    assertThat(RasAnswers.recognises(PART.replace("INCOMPLETE", "OK"))).isFalse();
  }

  private static RasVerdict of(String... answers) {
    return RasVerdicts.of(RasAnswers.of(String.join("\n", answers)).answers()).getFirst();
  }

  private static String text(int second, long most, int rank, long own) {
    return """
        ### 1700000%03d text 0.001s
        # SERVER PROTOCOL 2
        NCCL version 2.28.9 compiled with CUDA 13.0
        Job summary
        Communicators... (0.00s)
        #0-0 (0123456789abcdef) MISMATCH
          Communicator ranks have different AllReduce operation counts
          3 ranks have launched up to operation %d
          Rank %d has launched up to operation %d -- GPU 2 managed by process 7 on node 192.0.2.2

        """
        .formatted(second, most, rank, own);
  }

  private static String json(int second, long... counts) {
    var ranks = new StringBuilder();
    for (int rank = 0; rank < counts.length; rank++) {
      ranks.append(
          "%s{\"rank\": %d, \"collective_counts\": {\"Broadcast\": 5, \"AllReduce\": %d}}"
              .formatted(rank == 0 ? "" : ",\n", rank, counts[rank]));
    }
    return answer(second, ranks.toString());
  }

  private static String answer(int second, String ranks) {
    return """
        ### 1700000%03d json 0.001s
        {
          "nccl_version": "2.28.9",
          "communicators_count": 1,
          "communicators": [{"hash": "0x0123456789abcdef", "size": 4, "ranks": [%s], "missing_ranks": []}]
        }
        """
        .formatted(second, ranks);
  }
}
