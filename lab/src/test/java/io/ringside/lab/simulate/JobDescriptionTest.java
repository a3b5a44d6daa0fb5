package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.PaceFault.Straggler;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobDescriptionTest {
  @Test
  void tellWhatAJobIsMadeOfWithoutJavasOwn() {
    var late = new Straggler(3, 10, 20, 1, 0.25, Straggler.Cause.GPU_CONTENDED);

    assertThat(JobDescription.of(List.of(late)))
        .isEqualTo(
            "straggler (rank 3, from step 10, to step 20, every 1, share 0.25, cause gpu contended)");
    assertThat(JobDescription.of(new Setting(Names.JOB_SET, LogCollection.SRUN, true)))
        .isEqualTo("setting (names job set, gathering srun, process a pod true)");
  }
}
