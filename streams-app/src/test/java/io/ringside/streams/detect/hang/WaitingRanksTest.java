package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Four ranks in one log. Rank 2 does not make the last call, and goes on printing.
class WaitingRanksTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final int STEPS = 40;
  private static final int RANKS = 4;

  private static final DateTimeFormatter NCCL_STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter LOGGER_STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final List<String> lines = new ArrayList<>();

  @Test
  void isAHangWhereOneRankPrintsForLongWhileAllOthersWait() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    print(300, "[rank 2] generate: sequence 41 has 20429 tokens");

    var hang = hang().orElseThrow();

    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hang.ranks()).containsExactly(2);
  }

  @Test
  void isAHangWhereAllWereSilentUntilTheTimeLimitCame() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    end(STEPS + 2_400);

    var hang = hang().orElseThrow();

    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hang.ranks()).containsExactly(2);
    assertThat(hang.summary()).contains("nobody made a call for 40 min");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "torch.distributed.elastic.multiprocessing.api.SignalException: Process 41 got signal: 15",
        "KeyboardInterrupt"
      })
  void isAHangWhereAllWereSilentUntilSomebodyEndedIt(String words) {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    lines.add(stamped(STEPS + 2_400) + "Traceback (most recent call last):");
    lines.add(stamped(STEPS + 2_400) + "  File \"/w/t.py\", line 9, in <module>");
    lines.add(stamped(STEPS + 2_400) + words);

    assertThat(hang())
        .hasValueSatisfying(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(2);
            });
  }

  @Test
  void isNoneWhereTheTimeLimitCameBetweenTwoSteps() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    end(STEPS + 1);

    assertThat(hang()).isEmpty();
  }

  @Test
  void isNoneWhereARankFailedBeforeTheJobWasEnded() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    lines.add(stamped(STEPS + 1) + "[rank2]: Traceback (most recent call last):");
    lines.add(stamped(STEPS + 1) + "[rank2]:   File \"/w/t.py\", line 9, in <module>");
    lines.add(stamped(STEPS + 1) + "[rank2]: ValueError: no such shard");
    end(STEPS + 2_400);

    assertThat(hang()).isEmpty();
  }

  @Test
  void isAPauseAtFirst() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    print(30, "[rank 2] generate: sequence 41 has 1829 tokens");

    assertThat(hang()).hasValueSatisfying(it -> assertThat(it.severity()).isEqualTo(Severity.INFO));
  }

  @Test
  void isNoneWhereStepsGoOn() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    for (int step = 1; step <= 30; step++) {
      lines.add(
          stamped(STEPS + 10 * step)
              + "iter %d: loss 2.5, time 10000.00ms, mfu 31.20%%".formatted(STEPS + step));
    }

    assertThat(hang()).isEmpty();
  }

  /// A clock that jumps for one line, or a line with another's stamp.
  @Test
  void isNoneWhereOneStampAloneIsAhead() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    lines.add(stamped(STEPS + 300) + "[rank 2] saved");
    print(20, "[rank 2] saving");

    assertThat(hang().stream())
        .allSatisfy(it -> assertThat(it.severity()).isEqualTo(Severity.INFO));
  }

  @Test
  void isNoneWhereAllMadeTheCall() {
    train(RANKS);
    print(300, "saved");

    assertThat(hang()).isEmpty();
  }

  @Test
  void isNoneWhereLogsWereCutInTheMidstOfTheirCalls() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1);
    call(STEPS + 1, STEPS + 1, 0);
    print(300, "saved");

    assertThat(hang()).isEmpty();
  }

  /// As `2026-11-21 08:01:10,123 INFO alive`, beside lines that NCCL stamps itself.
  @Test
  void isAHangWhereOnlyALoggersOwnStampsTellThatTheRankLives() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    stampedByNccl();
    for (int at = 30; at <= 300; at += 30) {
      logger(STEPS + at);
    }

    assertThat(hang())
        .hasValueSatisfying(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(2);
            });
  }

  /// Without an argument, each minute.
  @Test
  void isAHangWhereOnlyTablesOfNvidiaSmiGoOn() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    stampedByNccl();
    for (int at = 60; at <= 600; at += 60) {
      lines.add(CTIME.format(BEGIN.plusSeconds(STEPS + at)) + "       ");
      lines.add("+-----------------------------------------------------------------+");
    }

    assertThat(hang())
        .hasValueSatisfying(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(2);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[monitor] %s host alive",
        "%s INFO host alive",
        "[%s] node-agent: rss 212.0 GB",
        "[%s] [INFO] host alive"
      })
  void isAHangWhereOnlyAMonitorsWholeSecondsGoOn(String monitor) {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    stampedByNccl();
    for (int at = 30; at <= 300; at += 30) {
      lines.add(monitor.formatted(LOGGER_STAMP.format(BEGIN.plusSeconds(STEPS + at))));
    }

    assertThat(hang())
        .hasValueSatisfying(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(2);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s;41;0.93", "[sample] expires %s", "[monitor] host alive since %s"})
  void isNoneWhereTheTimeIsNoStamp(String data) {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    stampedByNccl();
    for (int at = 30; at <= 300; at += 30) {
      lines.add(data.formatted(LOGGER_STAMP.format(BEGIN.plusSeconds(STEPS + at))));
    }

    assertThat(hang()).isEmpty();
  }

  @Test
  void isNoneWhereAMonitorGoesOnAfterTheLastStep() {
    train(RANKS);
    stampedByNccl();
    for (int at = 30; at <= 900; at += 30) {
      lines.add(
          "[monitor] %s host alive".formatted(LOGGER_STAMP.format(BEGIN.plusSeconds(STEPS + at))));
    }

    assertThat(hang()).isEmpty();
  }

  @Test
  void isNoneWhereTheLoggerHasATimeZoneOfItsOwn() {
    train(RANKS);
    call(STEPS, STEPS, 0, 1, 3);
    stampedByNccl();
    for (int at = 30; at <= 300; at += 30) {
      logger(3600 + STEPS + at);
    }

    assertThat(hang()).isEmpty();
  }

  private void end(int seconds) {
    lines.add(
        stamped(seconds)
            + "slurmstepd: error: *** STEP 7.0 ON worker-0 CANCELLED AT 2026-11-21T08:40:41 DUE TO TIME LIMIT ***");
    lines.add(stamped(seconds + 1) + "srun: error: worker-0: tasks 0-3: Terminated");
  }

  /// `2026-11-21T08:00:40Z stdout F worker-0:…` becomes `[2026-11-21 08:00:40.000000] worker-0:…`.
  private void stampedByNccl() {
    lines.replaceAll(
        line -> {
          var at = Instant.parse(line.substring(0, line.indexOf(' ')));
          return "[%s] %s"
              .formatted(NCCL_STAMP.format(at), line.substring(line.indexOf(" F ") + 3));
        });
  }

  private void logger(int seconds) {
    lines.add(
        "%s,123 INFO [rank2] heartbeat: alive"
            .formatted(LOGGER_STAMP.format(BEGIN.plusSeconds(seconds))));
  }

  private Optional<Finding> hang() {
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .findFirst();
  }

  private void train(int ranks) {
    for (int rank = 0; rank < ranks; rank++) {
      nccl(
          0,
          rank,
          "ncclCommInitRankConfig comm 0x55%d rank %d nranks %d cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a2d53c3b9 - Init COMPLETE"
              .formatted(rank, rank, ranks, rank, rank, rank + 1));
    }
    for (int call = 0; call < STEPS; call++) {
      call(1 + call, call, 0, 1, 2, 3);
    }
  }

  private void call(double seconds, int number, int... ranks) {
    for (int rank : ranks) {
      nccl(
          seconds,
          rank,
          "AllReduce: opCount %x sendbuff 0x7f recvbuff 0x7f count 1048576 datatype 7 op 0 root 0 comm 0x55%d [nranks=%d] stream 0x5580"
              .formatted(number, rank, RANKS));
    }
  }

  private void nccl(double seconds, int rank, String message) {
    lines.add(
        "%sworker-0:%d:%d [%d] NCCL INFO %s"
            .formatted(stamped(seconds), 100 + rank, 100 + rank, rank, message));
  }

  /// A line each ten seconds from the last call on.
  private void print(int seconds, String text) {
    for (int at = 10; at <= seconds; at += 10) {
      lines.add(stamped(STEPS + at) + text);
    }
  }

  private static String stamped(double seconds) {
    return BEGIN.plusNanos(Math.round(seconds * 1e9)) + " stdout F ";
  }
}
