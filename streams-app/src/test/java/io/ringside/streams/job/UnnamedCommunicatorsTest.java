package io.ringside.streams.job;

import static io.ringside.streams.job.UnnamedRun.files;
import static io.ringside.streams.job.UnnamedRun.oneFile;
import static io.ringside.streams.job.UnnamedRun.untimed;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.state.StateBytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Which ranks belong together where no line names a communicator (NCCL before 2.16.2).
class UnnamedCommunicatorsTest {
  private static final int ROUNDS = 300;
  private static final long CLOCK_APART = 60_000_000;

  @Test
  void joinsTheRanksOfTwoHostsInWhateverOrderTheirFilesAreRead() {
    var recorded = Recorded.of(files(world(1, 0, 6)));
    for (boolean reversed : new boolean[] {false, true}) {
      var verdict = recorded.judgedFileByFile(reversed, false);

      var run = only(verdict);
      assertThat(run.ranksSeen()).isEqualTo(8);
      assertThat(run.nranks()).isEqualTo(8);
      assertThat(check(run, "ranks initialised"))
          .extracting(Check::status, Check::detail)
          .containsExactly(Check.Status.PASS, "8 of 8");
      assertThat(check(run, "rings and trees connected").status()).isEqualTo(Check.Status.PASS);
      assertThat(stragglers(verdict))
          .singleElement()
          .extracting(Finding::ranks)
          .isEqualTo(List.of(6));
    }
  }

  @Test
  void takesTheVersionThatRankZeroPrintsForAllRanksAndForNoRankItself() {
    var run = only(Recorded.of(oneFile(world(1, 0, -1))).judged());
    assertThat(check(run, "NCCL version").detail()).isEqualTo("2.12.12 on 8 of 8 ranks");
  }

  @Test
  void readsAllHostsFromOneFile() {
    var verdict = Recorded.of(oneFile(world(1, 0, 6))).judged();
    assertThat(only(verdict).ranksSeen()).isEqualTo(8);
    assertThat(stragglers(verdict))
        .singleElement()
        .extracting(Finding::ranks)
        .isEqualTo(List.of(6));
  }

  @Test
  void blamesNobodyForAClockAndTheStragglerInSpiteOfIt() {
    assertThat(grave(Recorded.of(files(world(1, 0, -1))).shifted(1, CLOCK_APART).judged()))
        .isEmpty();
    assertThat(stragglers(Recorded.of(files(world(1, 0, 6))).shifted(1, CLOCK_APART).judged()))
        .singleElement()
        .extracting(Finding::ranks)
        .isEqualTo(List.of(6));
  }

  @Test
  void takesARestartInTheSameFilesForARunOfItsOwn() {
    var first = new UnnamedRun(1, 0).up(1, 0, 8, 0, 8).rounds(1, 0, 8, 8, -1, 50);
    var second = world(2, first.now() + 20, 6);
    var recorded = Recorded.of(files(first, second));
    for (boolean reversed : new boolean[] {false, true}) {
      var verdict = recorded.judgedFileByFile(reversed, false);
      assertThat(verdict.runs()).extracting(RunSummary::ranksSeen).containsExactly(8, 8);
      assertThat(stragglers(verdict))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.ranks()).containsExactly(6);
                assertThat(finding.run()).isEqualTo(verdict.runs().getLast().run());
              });
    }
  }

  @Test
  void joinsNoRanksOfTwoGroupsOfOneSize() {
    // a group on each host: the second one's steps are not the first one's
    var groups =
        new UnnamedRun(1, 0)
            .up(1, 0, 4, 0, 4)
            .up(1, 4, 4, 0, 4)
            .rounds(1, 0, 4, 4, -1, ROUNDS)
            .rounds(1, 4, 4, 4, 6, ROUNDS);
    for (var files : List.of(files(groups), oneFile(groups))) {
      for (boolean reversed : new boolean[] {false, true}) {
        var verdict = Recorded.of(files).judgedFileByFile(reversed, false);

        assertThat(grave(verdict)).isEmpty();
        var run = only(verdict);
        assertThat(run.ranksSeen()).isEqualTo(8);
        assertThat(check(run, "ranks initialised").status()).isEqualTo(Check.Status.UNKNOWN);
        assertThat(run.notJudged())
            .filteredOn(missing -> missing.what().equals("waits"))
            .singleElement()
            .satisfies(
                missing ->
                    assertThat(missing.because())
                        .contains("NCCL before 2.16.2 does not name its communicators"));
      }
    }
  }

  @Test
  void takesBackTheNameOfARunThatTurnedOutToBeTwoGroups() {
    var logs = Recorded.of(files(new UnnamedRun(1, 0).up(1, 0, 4, 0, 4).up(1, 4, 4, 0, 4))).logs();
    var replay = new Replay().addAll(logs.getFirst());
    var job = replay.jobs().values().iterator().next();
    var name = job.runs().getFirst().id();
    assertThat(name).isEqualTo("4-ranks-20261121T080000Z");
    assertThat(job.unnamedStarts.givenUp()).isEmpty();

    replay.addAll(logs.getLast());
    assertThat(job.runs()).extracting(Run::id).containsExactly(Run.NONE);
    assertThat(job.unnamedStarts.givenUp()).containsExactly(name);
  }

  @Test
  void knowsTheWorldBesideGroupsThatCameUpBeforeAndAfterIt() {
    var run =
        new UnnamedRun(1, 0)
            .up(1, 0, 4, 0, 4)
            .up(1, 4, 4, 0, 4)
            .up(2, 0, 8, 0, 8)
            .up(3, 0, 4, 0, 4)
            .up(3, 4, 4, 0, 4)
            .rounds(2, 0, 8, 8, 6, ROUNDS)
            .rounds(3, 0, 4, 4, 1, ROUNDS);
    var recorded = Recorded.of(files(run));
    for (boolean reversed : new boolean[] {false, true}) {
      var verdict = recorded.judgedFileByFile(reversed, false);
      assertThat(only(verdict).nranks()).isEqualTo(8);
      assertThat(stragglers(verdict))
          .singleElement()
          .extracting(Finding::ranks)
          .isEqualTo(List.of(6));
    }
  }

  @Test
  void tellsTheNetworkOfAGroupFromThatOfTheWorld() {
    // rank 0 of the group meets the other host's rank 1, as rank 0 of the world its neighbour
    var run =
        new UnnamedRun(1, 0)
            .edge(0, 0, 1, 1, "P2P/IPC")
            .up(1, 0, 8, 0, 8)
            .edge(0, 0, 1, 4, "NET/IB/0")
            .up(2, 0, 1, 0, 2);
    var checked = check(only(Recorded.of(files(run)).judged()), "transport within nodes");
    assertThat(checked)
        .extracting(Check::status, Check::detail)
        .containsExactly(Check.Status.PASS, "P2P/IPC");
  }

  @Test
  void knowsTheRanksOfOneHostWhereTheOthersLinesAreNotHere() {
    var verdict =
        Recorded.of(
                Map.of(
                    "starcoder-node-0-1.log", files(world(1, 0, 6)).get("starcoder-node-0-1.log")))
            .judged();
    assertThat(check(only(verdict), "ranks initialised").detail())
        .isEqualTo("4 of 8, the others' lines are not here");
    assertThat(stragglers(verdict))
        .singleElement()
        .extracting(Finding::ranks)
        .isEqualTo(List.of(6));
  }

  @Test
  void comparesNoCallsOfSomeRanksOfSeveralHosts() {
    // eight of sixteen ranks: another group's could stand in for those that are not here
    var some = new UnnamedRun(1, 0).up(1, 0, 8, 0, 16).rounds(1, 0, 8, 16, 6, ROUNDS);
    var verdict = Recorded.of(files(some)).judged();
    assertThat(only(verdict).ranksSeen()).isEqualTo(8);
    assertThat(grave(verdict)).isEmpty();
    assertThat(only(verdict).notJudged())
        .extracting(RunSummary.NotJudged::because)
        .anyMatch(why -> why.contains("NCCL before 2.16.2 does not name its communicators"));
  }

  @Test
  void comparesNoCallsWhereAnInitLineIsMissing() {
    // rank 2's first line is torn, so that its second communicator comes first
    var second = new UnnamedRun(1, 5).up(2, 2, 1, 2, 8).rounds(2, 2, 1, 8, -1, ROUNDS);
    var files = files(world(1, 0, 6), second);
    files.replaceAll(
        (_, lines) ->
            lines.stream()
                .filter(line -> !line.contains("comm 0x55d01002 rank 2 nranks 8"))
                .toList());

    var verdict = Recorded.of(files).judged();
    assertThat(only(verdict).ranksSeen()).isEqualTo(8);
    assertThat(grave(verdict)).isEmpty();
    assertThat(only(verdict).notJudged())
        .extracting(RunSummary.NotJudged::because)
        .anyMatch(why -> why.contains("NCCL before 2.16.2 does not name its communicators"));
  }

  @Test
  void joinsARestartWithoutTimesInOneFileAndInNoMore() {
    var first = new UnnamedRun(1, 0).up(1, 0, 8, 0, 8).rounds(1, 0, 8, 8, -1, 3);
    var second = new UnnamedRun(2, 100).up(1, 0, 8, 0, 8).rounds(1, 0, 8, 8, -1, 3);

    assertThat(Recorded.of(untimed(oneFile(first, second))).judged().runs())
        .extracting(RunSummary::ranksSeen)
        .containsExactly(8, 8);
    assertThat(only(Recorded.of(untimed(files(first))).judged()).nranks()).isEqualTo(8);
    var mixed = Recorded.of(untimed(files(first, second))).judged();
    assertThat(mixed.runs()).extracting(RunSummary::run).containsExactly(Run.NONE);
  }

  @Test
  void goesOnAfterItsStateWasWrittenAndRead() {
    var records = new ArrayList<AgentEvent>();
    var logs = Recorded.of(files(world(1, 0, 6))).logs();
    logs.forEach(file -> records.add(file.getFirst()));
    logs.forEach(file -> records.addAll(file.subList(1, file.size())));
    var straight = new Replay().addAll(records);
    var killed = new Replay();
    for (var each : records) {
      killed.add(each);
      killed.restore(
          state -> again(NodeState.class, state),
          state -> again(SourceState.class, state),
          state -> again(JobState.class, state));
    }
    assertThat(findings(killed)).isNotEmpty().isEqualTo(findings(straight));
  }

  private static <T> T again(Class<T> type, T state) {
    var bytes = new StateBytes<>(type);
    return bytes.read(bytes.write(state));
  }

  private static List<Finding> findings(Replay replay) {
    return new Judge(Expectations.builtIn())
        .judge(replay.jobs().values().iterator().next(), Instant.parse("2026-11-21T12:00:00Z"))
        .findings();
  }

  /// Two hosts of one world, in which all wait for one rank.
  ///
  /// @param late -1 for none
  private static UnnamedRun world(int attempt, double seconds, int late) {
    return new UnnamedRun(attempt, seconds).up(1, 0, 8, 0, 8).rounds(1, 0, 8, 8, late, ROUNDS);
  }

  private static RunSummary only(Judge.Verdict verdict) {
    assertThat(verdict.runs()).hasSize(1);
    return verdict.runs().getFirst();
  }

  private static Check check(RunSummary run, String name) {
    return run.checklist().stream()
        .filter(check -> check.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Finding> stragglers(Judge.Verdict verdict) {
    return grave(verdict).stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }

  private static List<Finding> grave(Judge.Verdict verdict) {
    return verdict.findings().stream()
        .filter(finding -> finding.severity().compareTo(Severity.WARNING) >= 0)
        .toList();
  }
}
