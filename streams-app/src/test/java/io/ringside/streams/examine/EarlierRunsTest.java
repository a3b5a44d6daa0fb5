package io.ringside.streams.examine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.Samples;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EarlierRunsTest {
  @Test
  void looksAtEachLineOnceForWhatIsSoughtAgain() {
    var looked = new ArrayList<Integer>();
    EarlierRuns.Choice even =
        (line, _) -> {
          looked.add(line.attempt());
          return line.attempt() % 2 == 0;
        };
    var earlier = new EarlierRuns(List.of(run(1), run(2), run(3)));

    assertThat(earlier.last("even", even)).contains(run(2));
    assertThat(earlier.last("even", even)).contains(run(2));
    earlier.add(run(4));
    assertThat(earlier.last("even", even)).contains(run(4));
    assertThat(looked).containsExactly(1, 2, 3, 4);
    assertThat(earlier.last("none", (_, _) -> false)).isEmpty();
    assertThat(earlier.lines()).hasSize(4);
  }

  @Test
  void tellsWhatWasChosenBefore() {
    var earlier = new EarlierRuns(List.of(run(1), run(2), run(3)));

    assertThat(earlier.last("first", (_, best) -> best == null)).contains(run(1));
  }

  private static RunSummary run(int attempt) {
    return Samples.run("llama", "0x" + attempt, attempt, RunSummary.State.ENDED);
  }
}
