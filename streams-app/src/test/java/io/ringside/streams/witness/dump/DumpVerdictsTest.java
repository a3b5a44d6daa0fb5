package io.ringside.streams.witness.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.flightrecorder.RecordedDump;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class DumpVerdictsTest {
  @Test
  void namesWhoDidNotMakeTheCall() {
    var verdict =
        of(
            4,
            (rank, dump) -> {
              dump.done("0", "all_reduce", 100);
              if (rank != 2) {
                dump.started("0", "all_reduce", 200).waits("0", "all_reduce", 300);
              }
            });
    assertThat(verdict.culprits())
        .containsExactly(
            new AccusedRank(
                2,
                AccusationReason.NEVER_CALLED,
                "rank 2: last enqueued call 1 of default_pg, all_reduce of [100] Float (train.py:88 in step), "
                    + "others up to 3; ranks 0, 1 and 3 wait in call 2, all_reduce of [200] Float"));
    assertThat(verdict.waiting()).containsExactlyInAnyOrder(0, 1, 3);
    assertThat(verdict.call()).isEqualTo("all_reduce 2 of default_pg");
  }

  @Test
  void namesNobodyWhereNobodyWaits() {
    var verdict = of(4, (_, dump) -> dump.done("0", "all_reduce", 100));
    assertThat(verdict.hangs()).isFalse();
    assertThat(verdict.culprits()).isEmpty();
  }

  @Test
  void namesNobodyWhereAllMadeTheSameCalls() {
    var verdict = of(4, (_, dump) -> dump.done("0", "all_reduce", 1).started("0", "all_reduce", 2));
    assertThat(verdict.hangs()).isTrue();
    assertThat(verdict.culprits()).isEmpty();
    assertThat(verdict.statements())
        .containsExactly("all ranks made the same calls: look at GPUs and network");
  }

  @Test
  void namesNobodyByDumpsOfDifferentMoments() {
    var verdict =
        of(
            3,
            (rank, dump) -> {
              dump.done("0", "all_reduce", 1);
              if (rank != 0) {
                dump.done("0", "all_reduce", 1).started("0", "all_reduce", 1);
              }
            });
    assertThat(verdict.culprits()).isEmpty();
    assertThat(verdict.statements())
        .containsExactly("the dumps are of different moments: calls go on between them");
    assertThat(verdict.hangs()).as("who goes on does not hang").isFalse();
  }

  /// Somebody asked the ranks of a job that trains for their dumps, one after the other.
  @Test
  void severalRanksWithinACallThatOthersCompletedWereAskedEarlier() {
    assertThat(within(3).culprits()).isEmpty();
    assertThat(within(3).hangs()).isFalse();

    assertThat(within(1).culprits()).extracting(AccusedRank::rank).containsExactly(0);
  }

  /// So many of eight ranks within a call that the others completed.
  private static DumpVerdict within(int ranks) {
    return of(
        8,
        (rank, dump) -> {
          dump.done("0", "all_reduce", 1);
          if (rank >= ranks) {
            dump.done("0", "all_reduce", 1);
          }
          dump.started("0", "all_reduce", 1);
        });
  }

  /// Their GPUs failed in the same call; the others completed it, and wait in the next but one.
  @Test
  void namesTwoThatAreStuckInACallThatAllOthersCompleted() {
    assertThat(stuck(8).culprits()).extracting(AccusedRank::rank).containsExactly(2, 6);
  }

  /// The one that was asked last has come further.
  @Test
  void namesNobodyOfRanksThatWereAskedInAnyOrderWhileOthersWentOn() {
    assertThat(stuck(7).culprits()).isEmpty();
  }

  /// Ranks 2 and 6 of eight within the second call.
  ///
  /// @param last the first rank that has come further than the others
  private static DumpVerdict stuck(int last) {
    return of(
        8,
        (rank, dump) -> {
          dump.done("0", "all_reduce", 1);
          boolean stuck = rank == 2 || rank == 6;
          if (!stuck) {
            dump.done("0", "all_reduce", 1);
          }
          if (rank >= last && !stuck) {
            dump.started("0", "all_reduce", 1);
          }
          dump.started("0", "all_reduce", 1);
          if (stuck) {
            dump.waits("0", "all_reduce", 1);
          }
        });
  }

  @Test
  void oneGroupHangsWhileAnotherGoesOnBetweenTheDumps() {
    var first = pairs(0).done("1", "all_reduce", 8).after(20_000).done("1", "all_reduce", 8);
    var second = pairs(1).done("1", "all_reduce", 8).after(20_000);
    var waits = pairs(2).done("2", "all_reduce", 8).started("2", "all_reduce", 8);
    var late = pairs(3).done("2", "all_reduce", 8);

    var verdict =
        DumpVerdicts.of(
            List.of(first.dump(), second.dump(), waits.dump(), late.dump()), List.of(), true);

    assertThat(verdict.ranks()).containsExactly(3);
    assertThat(verdict.waiting()).containsExactly(2);
  }

  private static RecordedDump pairs(int rank) {
    return RecordedDump.of(rank, 4)
        .group(rank < 2 ? "1" : "2", "tp", rank < 2 ? List.of(0, 1) : List.of(2, 3));
  }

  @Test
  void aRankThatWaitsItselfIsAVictim() {
    // 1 waits for 3 in a group of two; 0 and 2 wait in the world for both
    var verdict =
        of(
            4,
            (rank, dump) -> {
              dump.group("5", "PAIR", rank % 2 == 1 ? List.of(1, 3) : List.of(0, 2));
              dump.done("0", "all_reduce", 1);
              if (rank == 1) {
                dump.waits("5", "all_reduce", 1);
              }
              if (rank % 2 == 0) {
                dump.done("5", "all_reduce", 1).waits("0", "all_reduce", 1);
              }
            });
    assertThat(verdict.ranks()).containsExactly(3);
  }

  @Test
  void namesWhoCallsSomethingElse() {
    var verdict =
        of(
            4,
            (rank, dump) ->
                dump.done("0", "all_reduce", 1)
                    .started("0", rank == 1 ? "_all_gather_base" : "all_reduce", 64));
    assertThat(verdict.culprits())
        .containsExactly(
            new AccusedRank(
                1,
                AccusationReason.MISMATCH,
                "rank 1 differs in call 2 of default_pg: ranks 0, 2 and 3 all_reduce of [64] Float, "
                    + "rank 1 _all_gather_base of [64] Float"));
  }

  @Test
  void namesWhoCallsWithAnotherSize() {
    var verdict = of(3, (rank, dump) -> dump.started("0", "all_reduce", rank == 0 ? 65 : 64));
    assertThat(verdict.ranks()).containsExactly(0);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.MISMATCH);
  }

  @Test
  void namesWhoCallsWithAnotherTypeOfNumbers() {
    var verdict =
        of(3, (rank, dump) -> dump.of(rank == 1 ? "Half" : "Float").started("0", "all_reduce", 64));
    assertThat(verdict.culprits())
        .containsExactly(
            new AccusedRank(
                1,
                AccusationReason.MISMATCH,
                "rank 1 differs in call 1 of default_pg: ranks 0 and 2 all_reduce of [64] Float, "
                    + "rank 1 all_reduce of [64] Half"));
  }

  @Test
  void sizesOfAnAllToAllMayDiffer() {
    var verdict = of(3, (rank, dump) -> dump.started("0", "all_to_all", 64 + rank));
    assertThat(verdict.culprits()).isEmpty();
  }

  @Test
  void twoThatDisagreeAreBothInvolvedAndNeitherIsACulprit() {
    var verdict =
        of(2, (rank, dump) -> dump.started("0", rank == 0 ? "all_reduce" : "broadcast", 64));
    assertThat(verdict.culprits()).isEmpty();
    assertThat(verdict.involved()).containsExactlyInAnyOrder(0, 1);
    assertThat(verdict.statements().getFirst()).contains("ranks disagree in call 1");
  }

  @Test
  void tellsCrossedOrderWithinAGroup() {
    var verdict =
        of(
            3,
            (rank, dump) ->
                dump.started("0", rank == 2 ? "broadcast" : "all_reduce", 64)
                    .waits("0", rank == 2 ? "all_reduce" : "broadcast", 64));
    assertThat(verdict.ranks()).containsExactly(2);
    assertThat(verdict.culprits().getFirst().words()).endsWith("in crossed order");
  }

  @Test
  void namesWhoCallsTwoGroupsInAnotherOrder() {
    var verdict =
        of(
            4,
            (rank, dump) -> {
              dump.group("9", "OTHER", List.of(0, 1, 2, 3));
              var order = rank == 3 ? List.of("9", "0") : List.of("0", "9");
              order.forEach(group -> dump.waits(group, "all_reduce", 64));
            });
    assertThat(verdict.ranks()).containsExactly(3);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.CROSSED);
  }

  @Test
  void crossedOrderOfAProgramThatWaitsInEachCall() {
    var verdict =
        of(
            4,
            (rank, dump) ->
                dump.group("9", "OTHER", List.of(0, 1, 2, 3))
                    .waits(rank == 3 ? "9" : "0", "all_reduce", 64));
    assertThat(verdict.ranks()).containsExactly(3);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.CROSSED);
  }

  @Test
  void namesTheSideThatNeverPosted() {
    // a pipeline of four: 2 sleeps before it receives
    var verdict =
        of(
            4,
            (rank, dump) -> {
              if (rank > 0) {
                dump.pair("0", "recv %d<-%d".formatted(rank, rank - 1), true);
              }
              if (rank < 3) {
                dump.pair("0", "send %d->%d".formatted(rank, rank + 1), true);
              }
              if (rank == 0) {
                dump.pair("0", "send 0->1", true);
              }
              if (rank == 1) {
                dump.pair("0", "recv 1<-0", true).pair("0", "send 1->2", false);
              }
              if (rank == 3) {
                dump.pair("0", "recv 3<-2", false);
              }
            });
    assertThat(verdict.ranks()).containsExactly(2);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.NEVER_POSTED);
  }

  @Test
  void aRankWithoutDumpIsNamedWhereAllWaitForIt() {
    var verdict = DumpVerdicts.of(waitingFor(4, 3), List.of(), true);
    assertThat(verdict.ranks()).containsExactly(3);
    assertThat(verdict.missing()).containsExactly(3);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.NO_DUMP);
  }

  @Test
  void aSurvivorIsNotNamedForOneCallLess() {
    var dumps = new ArrayList<>(waitingFor(4, 3));
    dumps.set(1, RecordedDump.of(1, 4).done("0", "all_reduce", 1).dump());
    assertThat(DumpVerdicts.of(dumps, List.of(), true).ranks()).containsExactly(3);
  }

  /// A ring's neighbour of a dead rank still waits for what the others got from it, and makes no
  /// more calls.
  @Test
  void aNeighbourOfADeadRankIsNotNamed() {
    var dumps = new ArrayList<Dump>();
    for (int rank : new int[] {0, 2, 3}) {
      var dump = RecordedDump.of(rank, 4).done("0", "all_reduce", 1);
      if (rank == 2) {
        dump.started("0", "all_reduce", 2).waits("0", "all_reduce", 3);
      } else {
        dump.done("0", "all_reduce", 2)
            .done("0", "all_reduce", 3)
            .started("0", "all_reduce", 4)
            .waits("0", "all_reduce", 5);
      }
      dumps.add(dump.dump());
    }
    var verdict = DumpVerdicts.of(dumps, List.of(), true);
    assertThat(verdict.ranks()).containsExactly(1);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.NO_DUMP);
  }

  @Test
  void halfOfTheDumpsSayNothingOfTheOtherHalf() {
    var dumps = waitingFor(8, 7).subList(0, 4);
    var verdict = DumpVerdicts.of(dumps, List.of(), true);
    assertThat(verdict.culprits()).isEmpty();
    assertThat(verdict.missing()).containsExactlyInAnyOrder(4, 5, 6, 7);
    assertThat(verdict.statements())
        .contains("ranks 4-7 left no dump: dead, stopped, or could not write");
  }

  @Test
  void aDumpThatMayStillComeIsNoMissingOne() {
    var verdict = DumpVerdicts.of(waitingFor(4, 3), List.of(), false);

    assertThat(verdict.culprits()).isEmpty();
    assertThat(verdict.statements()).containsExactly("the dumps of rank 3 are not here yet");
  }

  @Test
  void aDumpThatCannotBeReadIsNoMissingOne() {
    var verdict =
        DumpVerdicts.of(
            waitingFor(4, 3),
            List.of(new DumpReading.Refused("_dump_3", 3, "it is cut off")),
            true);
    assertThat(verdict.culprits()).isEmpty();
    assertThat(verdict.missing()).isEmpty();
    assertThat(verdict.statements())
        .containsExactly("the dump of rank 3 cannot be read: it is cut off");
  }

  @Test
  void namesWhoIsStuckInWhatOthersCompleted() {
    var verdict =
        of(
            4,
            (rank, dump) -> {
              if (rank == 1) {
                dump.waits("0", "all_reduce", 1).waits("0", "all_reduce", 2);
              } else {
                dump.done("0", "all_reduce", 1).waits("0", "all_reduce", 2);
              }
            });
    assertThat(verdict.ranks()).containsExactly(1);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.STUCK);
  }

  @Test
  void namesWhoseGpuDidNotBegin() {
    var verdict =
        of(
            4,
            (rank, dump) -> {
              dump.done("0", "all_reduce", 1);
              if (rank == 1) {
                dump.waits("0", "all_reduce", 2);
              } else {
                dump.started("0", "all_reduce", 2);
              }
            });
    assertThat(verdict.ranks()).containsExactly(1);
    assertThat(verdict.culprits().getFirst().why()).isEqualTo(AccusationReason.NOT_BEGUN);
  }

  /// Dumps of all but one, who wait for it.
  private static List<Dump> waitingFor(int ranks, int absent) {
    var dumps = new ArrayList<Dump>();
    for (int rank = 0; rank < ranks; rank++) {
      if (rank != absent) {
        dumps.add(
            RecordedDump.of(rank, ranks)
                .done("0", "all_reduce", 1)
                .started("0", "all_reduce", 2)
                .dump());
      }
    }
    return dumps;
  }

  private static DumpVerdict of(int ranks, BiConsumer<Integer, RecordedDump> calls) {
    var dumps = new ArrayList<Dump>();
    for (int rank = 0; rank < ranks; rank++) {
      var dump = RecordedDump.of(rank, ranks);
      calls.accept(rank, dump);
      dumps.add(dump.dump().trimmed());
    }
    return DumpVerdicts.of(dumps, List.of(), true);
  }
}
