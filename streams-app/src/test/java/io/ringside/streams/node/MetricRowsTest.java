package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LoopEvent;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricRowsTest {
  /// A monitor's table below the trainer's.
  @Test
  void readsNoRowsBelowOtherNames() {
    assertThat(rows.line(Text.of("step,loss,sec_per_step"), 0, 22)).isEmpty();
    assertThat(rows.line(Text.of("10,2.5,0.61"), 0, 11)).isPresent();
    assertThat(rows.line(Text.of("index, utilization.gpu, power.draw"), 0, 34)).isEmpty();
    assertThat(rows.line(Text.of("0, 98, 350.1"), 0, 12)).isEmpty();
  }

  private final MetricRows rows = new MetricRows();

  @Test
  void tellWhatAStepTookByTheNamesAboveThem() {
    assertThat(read("step,loss,lr,sec_per_step,gpu_mem_gb")).isEmpty();
    assertThat(read("20,3.5696,2.985e-04,0.6166,58.31")).contains(new LoopEvent.Step(20, 0.6166));
    assertThat(read("# wrote metrics/part-001.csv")).isEmpty();
    assertThat(read("40, 3.2141, 2.970e-04, 0.6071, 58.31"))
        .contains(new LoopEvent.Step(40, 0.6071));
  }

  @Test
  void areReadInMilliseconds() {
    read("Epoch,Iteration,step_ms");
    assertThat(read("0,100,250")).contains(new LoopEvent.Step(100, 0.25));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index,step,utilization.gpu,power.draw",
        "step,loss,elapsed_time",
        "Saved step, loss and sec_per_step",
        "name,sec_per_step"
      })
  void areNoneBelowOtherNames(String names) {
    read(names);
    assertThat(read("20,3.5,0.6,58.3")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "20,0.6166",
        "20,3.5,nan",
        "20,3.5,",
        "20.5,3.5,0.6",
        "2026-11-20,3.5,0.6",
        "1,2,0"
      })
  void areNoneOfAnotherKind(String row) {
    read("step,loss,sec_per_step");
    assertThat(read(row)).isEmpty();
  }

  private Optional<LoopEvent> read(String line) {
    var text = Text.of("before\n" + line + "\nafter");
    return rows.line(text, "before\n".length(), text.length() - "\nafter".length());
  }
}
