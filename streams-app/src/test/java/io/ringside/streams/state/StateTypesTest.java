package io.ringside.streams.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.job.JobState;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.Transport;
import io.ringside.streams.state.older.Kept;
import org.junit.jupiter.api.Test;

class StateTypesTest {

  @Test
  void followsFieldsElementsAndChoices() {
    assertThat(StateTypes.reachableFrom(JobInput.class))
        .contains(LogFacts.class, Fact.class, NcclEvent.Edge.class, Transport.Net.class)
        .doesNotContain(JobInput.class, LineEvent.class, String.class, JobState.class);
  }

  @Test
  void refusesArraysOfOwnTypesWhichAnotherProcessCouldNotRead() {
    assertThatThrownBy(() -> StateTypes.reachableFrom(Holder.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Kept[]");
  }

  private static final class Holder {
    @SuppressWarnings("unused") // its type is what counts
    private final Kept[] kept = {};
  }

  @Test
  void givesEachItsOwnName() {
    for (var root : new Class<?>[] {JobInput.class, JobState.class}) {
      assertThat(StateTypes.reachableFrom(root).stream().map(StateTypes::name))
          .doesNotHaveDuplicates()
          .hasSizeGreaterThan(20);
    }
    assertThat(StateTypes.name(NcclEvent.Edge.class)).isEqualTo("NcclEvent$Edge");
  }
}
