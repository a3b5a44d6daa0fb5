package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers of RAS that somebody asked for by hand, beside a log or within it.
class RasInLogsTest {
  private static final String STARTED =
      """
      2026-11-22T08:30:00.100000000Z llama-0:{pid}:{pid} [{gpu}] NCCL INFO NCCL version 2.28.9+cuda13.0
      2026-11-22T08:30:01.100000000Z llama-0:{pid}:{pid} [{gpu}] NCCL INFO ncclCommInitRankConfig comm 0x55d0 rank {gpu} nranks 4 cudaDev {gpu} nvmlDev {gpu} busId {gpu}1000 commId 0x5b1c9e2f40a7d386 - Init START
      2026-11-22T08:30:02.100000000Z llama-0:{pid}:{pid} [{gpu}] NCCL INFO ncclCommInitRankConfig comm 0x55d0 rank {gpu} nranks 4 cudaDev {gpu} nvmlDev {gpu} busId {gpu}1000 commId 0x5b1c9e2f40a7d386 - Init COMPLETE
      """;

  private static final String ANSWER =
      """
      NCCL version 2.28.9 compiled with CUDA 13.0
      CUDA runtime version 13000, driver version 13000

      Job summary
      ===========

        Nodes  Processes         GPUs  Processes     GPUs
      (total)   per node  per process    (total)  (total)
            1          4            1          4        4

      Communicators... (0.00s)
      =============

      Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
          #  in group  per comm  per node  per comm  in group
          0         1         1         4         4         4   RUNNING  MISMATCH

      Errors
      ======

      Warnings
      ========

      #0-0 (5b1c9e2f40a7d386) MISMATCH
        Communicator ranks have different AllReduce operation counts
        3 ranks have launched up to operation 411
        Rank 2 has launched up to operation 409 -- GPU 2 managed by process 702 on node 192.0.2.2

      """;

  @TempDir private Path folder;
  private final CapturedConsole captured = new CapturedConsole();
  private Path job;

  @BeforeEach
  void makeFolder() throws IOException {
    job = Files.createDirectory(folder.resolve("llama"));
  }

  @ParameterizedTest
  @CsvSource({
    "ask.txt, '{t} '",
    "notes, '[pod/llama-0/trainer] {t} '",
    "0.log.out, '{t} stdout F '",
  })
  void standsBesideALog(String name, String prefix) throws IOException {
    Files.writeString(job.resolve("train.log"), started());
    Files.writeString(job.resolve(name), asked(prefix, ANSWER, ANSWER, ANSWER));

    assertThat(analyze()).contains("the job hangs: the others wait for rank 2");
  }

  @Test
  void standsWithinTheLog() throws IOException {
    Files.writeString(job.resolve("train.log"), started() + asked("{t} ", ANSWER, ANSWER, ANSWER));

    assertThat(analyze())
        .contains("the job hangs: the others wait for rank 2")
        .contains("rank 2 launched 409 AllReduce, most others 411");
  }

  @Test
  void isNoHangOnceItMoves() throws IOException {
    Files.writeString(
        job.resolve("train.log"),
        started() + asked("{t} ", ANSWER, ANSWER, ANSWER.replaceAll("(?s)#0-0.*", "")));

    assertThat(analyze()).doesNotContain("hangs", "paused");
  }

  @Test
  void whatIsCutIsNamed() throws IOException {
    Files.writeString(
        job.resolve("train.log"),
        started() + asked("{t} ", ANSWER, ANSWER.substring(0, ANSWER.indexOf("Warnings"))));

    assertThat(analyze())
        .containsPattern("an answer of RAS in .*train.log is cut or damaged, and left out")
        .doesNotContain("hangs", "paused");
  }

  /// For how long it stood is not known then.
  @Test
  void withoutTimesItIsANote() throws IOException {
    Files.writeString(job.resolve("train.log"), started());
    Files.writeString(job.resolve("asked.txt"), ANSWER + ANSWER);

    assertThat(analyze())
        .contains("paused: the others have waited for rank 2 ")
        .doesNotContain("hangs");
  }

  private static final String GONE =
      ANSWER
          .replace(
              "Warnings",
              """
              DEAD
                1 job process is considered dead (unreachable via the RAS network)
                Process 703 on node 192.0.2.2 managing GPU 3

              #0-0 (5b1c9e2f40a7d386) INCOMPLETE
                Missing communicator data from 1 rank
                The missing rank: 3 -- GPU 3 managed by process 703 on node 192.0.2.2

              Warnings""")
          .replace("MISMATCH\n\n", "INCOMPLETE\n\n");

  /// Somebody asked once, and nothing came after it. A survivor that is one call behind is not
  /// blamed.
  @Test
  void namesTheDeadWhereTheLogEndsWithTheAnswer() throws IOException {
    Files.writeString(job.resolve("train.log"), steps(1, 40) + "$ ncclras -v\n" + GONE + "$ \n");

    assertThat(analyze())
        .contains("paused: the others have waited for rank 3 ")
        .contains("cause rank 3 does not answer RAS");
  }

  /// The second of the groups of two of a job of eight ranks, whose init lines nobody has read.
  private static final String GROUP =
      ANSWER.replaceAll(
          "3 ranks have launched up to operation 411\\n.*",
          """
          Rank 0 has launched up to operation 411 -- GPU 4 managed by process 704 on node 192.0.2.2
            Rank 1 has launched up to operation 409 -- GPU 5 managed by process 705 on node 192.0.2.2
          """);

  /// No line numbers the job's ranks, and a group's are not the job's.
  @ParameterizedTest
  @ValueSource(strings = {"process 70", "process 9"})
  void ranksOfAGroupAreNotThoseOfAJobThatWasJoinedWhileItRan(String processes) throws IOException {
    Files.writeString(job.resolve("train.log"), stamped(31, calls(8)));
    Files.writeString(
        job.resolve("ask.txt"),
        asked("{t} ", GROUP, GROUP, GROUP).replace("process 70", processes));

    assertThat(analyze())
        .contains("joined while running", "which rank of the job that is no line tells")
        .doesNotContain("for rank", "hangs");
  }

  /// One of as many ranks as the job has numbers them, though its processes are not known.
  @Test
  void ranksOfACommunicatorOfAllAreTheJobsThatWasJoinedWhileItRan() throws IOException {
    Files.writeString(job.resolve("train.log"), stamped(31, calls(4)));
    Files.writeString(
        job.resolve("ask.txt"),
        asked("{t} ", ANSWER, ANSWER, ANSWER).replace("process 70", "process 9"));

    assertThat(analyze())
        .contains("joined while running")
        .containsPattern("wait(ed)? for rank 2\\b");
  }

  private static String calls(int ranks) {
    return IntStream.range(0, 5 * ranks)
        .mapToObj(
            i ->
                "llama-0:70%d:70%d [%d] NCCL INFO AllReduce: opCount %x sendbuff 0x7f00 recvbuff 0x7f00 count 4096 datatype 7 op 0 root 0 comm 0x55d0 [nranks=%d] stream 0x55e1%n"
                    .formatted(i % ranks, i % ranks, i % ranks, 100 + i / ranks, ranks))
        .collect(Collectors.joining());
  }

  private static final String DEAD =
      "[2026-11-22 08:33:00] PEER_DEAD: Process 703 on node 192.0.2.2 managing GPU 3\n";

  /// `ncclras -m` ran beside the job, or within its pod.
  @ParameterizedTest
  @ValueSource(strings = {"train.log", "monitor.txt"})
  void namesWhomTheMonitorCallsDead(String file) throws IOException {
    Files.writeString(job.resolve("train.log"), started() + stamped(31, steps(1, 40)));
    Files.writeString(
        job.resolve(file),
        file.equals("train.log") ? stamped(33, DEAD) : DEAD,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);

    assertThat(analyze())
        .contains("paused: the others have waited for rank 3 ")
        .contains("cause rank 3 is dead, process 703")
        .doesNotContain("hangs");
  }

  /// A rank that is done, or that an elastic job goes on without.
  @Test
  void whoWasLeftBehindIsNoHang() throws IOException {
    Files.writeString(
        job.resolve("train.log"),
        started() + stamped(31, steps(1, 40)) + stamped(33, DEAD) + stamped(34, steps(41, 80)));

    assertThat(analyze()).doesNotContain("hangs", "paused");
  }

  @Test
  void asksNoFurtherWhereStepsCameAfterTheOnlyAnswer() throws IOException {
    Files.writeString(job.resolve("train.log"), steps(1, 40) + GONE + steps(41, 80));

    assertThat(analyze()).doesNotContain("hangs", "paused");
  }

  /// Counts are read while they move.
  @Test
  void blamesNobodyForTheCountsOfTheOnlyAnswer() throws IOException {
    Files.writeString(job.resolve("train.log"), steps(1, 40) + ANSWER);

    assertThat(analyze()).doesNotContain("hangs", "paused");
  }

  private static String steps(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(
            step ->
                " [2026-11-22 08:%02d:%02d] iteration %8d/    9000 | consumed samples: %d | elapsed time per iteration (ms): 1000.0 | global batch size:   256 |%n"
                    .formatted(step / 60, step % 60, step, 256 * step))
        .collect(Collectors.joining());
  }

  /// As the runtime stamps lines, a second apart from a minute after eight on.
  private static String stamped(int minute, String lines) {
    var text = new StringBuilder();
    int second = 0;
    for (var line : lines.split("\n")) {
      text.append("2026-11-22T08:%d:%02d.000000000Z %s%n".formatted(minute, second++, line));
    }
    return text.toString();
  }

  private static String started() {
    var log = new StringBuilder();
    for (int rank = 0; rank < 4; rank++) {
      log.append(STARTED.replace("{pid}", "70" + rank).replace("{gpu}", "" + rank));
    }
    return log.toString();
  }

  /// A minute apart, from half past eight on.
  private static String asked(String prefix, String... answers) {
    var text = new StringBuilder();
    for (int i = 0; i < answers.length; i++) {
      var own = prefix.replace("{t}", "2026-11-22T08:3%d:00.000000000Z".formatted(3 + i));
      text.append(answers[i].lines().map(line -> own + line + "\n").collect(Collectors.joining()));
    }
    return text.toString();
  }

  private String analyze() {
    RingsideMain.execute(captured.console(), Map.of(), "analyze", job.toString());
    return captured.out().replaceAll("\\s+", " ");
  }
}
