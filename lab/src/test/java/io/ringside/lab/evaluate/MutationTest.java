package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobPlan;
import io.ringside.lab.simulate.Noise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MutationTest {
  private static final List<JobPlan> PLANS =
      IntStream.range(0, 200).mapToObj(number -> JobDraw.draw(9, number, 64, 4_000)).toList();

  /// A field that is added to the noise needs a mutation.
  @Test
  void changesEachFieldOfTheNoise() {
    var changed = Mutation.all().stream().map(Mutation::assumption).toList();
    for (var field : fields(Noise.class, "noise")) {
      assertThat(changed).as(field).anyMatch(assumption -> assumption.startsWith(field + " "));
    }
  }

  private static List<String> fields(Class<?> type, String path) {
    var fields = new ArrayList<String>();
    for (var component : type.getRecordComponents()) {
      var name = path + "." + component.getName();
      if (component.getType().isRecord()) {
        fields.addAll(fields(component.getType(), name));
      } else {
        fields.add(name);
      }
    }
    return fields;
  }

  @Test
  void changesSomeOfTheJobsAndOnlyThePlan() {
    for (var mutation : Mutation.all()) {
      assertThat(PLANS)
          .as(mutation.assumption())
          .anyMatch(plan -> !mutation.of().apply(plan).equals(plan));
    }
  }

  @Test
  void copiesARecordWithinARecord() {
    var plan = PLANS.getFirst();
    var changed = RecordCopy.with(plan, "noise.clocks.skew", 3.5);
    assertThat(changed.noise().clocks().skew()).isEqualTo(3.5);
    assertThat(RecordCopy.with(changed, "noise", plan.noise())).isEqualTo(plan);
    assertThatThrownBy(() -> RecordCopy.with(plan, "noise.nothing", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing");
  }
}
