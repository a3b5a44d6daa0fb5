package io.ringside.streams.node;

import static io.ringside.streams.node.CallCount.LOST;
import static io.ringside.streams.node.CallCount.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.fact.Arrivals.Numbered;
import io.ringside.streams.parse.event.NcclEvent.Collective;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallCountTest {
  private static final long LARGE = 1 << 20;
  private static final long STEP = 300_000_000;

  private final CallCount count = new CallCount();
  private long now = STEP;

  @Test
  void numbersCallsFromTheSecondOn() {
    assertThat(told("AllReduce", LARGE, 0x1d2, 0x1d3, 0x1d4)).containsExactly(NONE, 0x1d3L, 0x1d4L);
    assertThat(count.numbered()).isEqualTo(Numbered.BY_COUNT);
  }

  @Test
  void seesThatASmallCallCounts() {
    told("AllReduce", LARGE, 7, 8);
    told("AllReduce", 1, 9);
    assertThat(count.numbered()).isEqualTo(Numbered.BY_COUNT);

    told("AllReduce", LARGE, 10);
    assertThat(count.numbered()).isEqualTo(Numbered.BY_COUNT_OF_ALL);
  }

  @Test
  void takesAGroupForOneCall() {
    assertThat(told("AllGather", LARGE, 4, 5)).containsExactly(NONE, 5L);
    assertThat(number("ReduceScatter", 1, 5, 1_000)).isEqualTo(NONE);
    assertThat(told("AllGather", LARGE, 6)).containsExactly(6L);
    assertThat(count.numbered()).isEqualTo(Numbered.BY_COUNT);
  }

  @Test
  void numbersNothingWhereItStandsStill() {
    assertThat(told("AllReduce", LARGE, 0, 0, 0, 0)).containsOnly(NONE);
    assertThat(count.lost()).isFalse();
  }

  @Test
  void losesThemWhereItBeginsAnewOrLeavesSomeOut() {
    assertThat(told("AllReduce", LARGE, 41, 42, 0, 1)).containsExactly(NONE, 42L, LOST, LOST);
    assertThat(told(new CallCount(), 41, 42, 44, 45)).containsExactly(NONE, 42L, LOST, LOST);
  }

  @Test
  void losesThemWhereACallOfALaterStepDoesNotCount() {
    assertThat(told("AllGather", LARGE, 0x14c, 0x14d, 0x14d)).containsExactly(NONE, 0x14dL, LOST);
  }

  @Test
  void losesThemWhereItsRanksSendToEachOther() {
    assertThat(told("AllReduce", LARGE, 1, 2)).containsExactly(NONE, 2L);
    assertThat(told("Send", LARGE, 3)).containsExactly(LOST);
    assertThat(told("AllReduce", LARGE, 4)).containsExactly(LOST);
  }

  private List<Long> told(String op, long elements, long... counts) {
    var numbers = new ArrayList<Long>();
    for (long each : counts) {
      numbers.add(number(op, elements, each, STEP));
    }
    return numbers;
  }

  private List<Long> told(CallCount other, long... counts) {
    var numbers = new ArrayList<Long>();
    for (long each : counts) {
      now += STEP;
      numbers.add(other.next(new Collective("AllReduce", "0x1", LARGE, 7, 0, each, 8), now));
    }
    return numbers;
  }

  private long number(String op, long elements, long opCount, long later) {
    now += later;
    return count.next(new Collective(op, "0x1", elements, 7, 0, opCount, 8), now);
  }
}
