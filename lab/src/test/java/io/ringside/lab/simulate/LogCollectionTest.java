package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LogCollectionTest {

  @Test
  void marksLinesAsTheLaunchersDo() {
    assertThat(LogCollection.SRUN.prefix(3, 16, "p")).isEqualTo(" 3: ");
    assertThat(LogCollection.MPIRUN.prefix(12, 16, "p")).isEqualTo("[1,12]<stdout>:");
    assertThat(LogCollection.KUBECTL.prefix(3, 16, "a-worker-0"))
        .isEqualTo("[pod/a-worker-0/trainer] ");
    assertThat(LogCollection.BARE.prefix(3, 16, "p")).isEmpty();
  }

  @Test
  void putsAllHostsInOneFileInTheOrderOfTheirLines() {
    var plan =
        new JobPlan(
            5,
            "job",
            Machine.DGX_H100,
            2,
            1,
            2,
            NcclVersion.V2_28,
            Schedule.recorded(),
            Framework.NONE,
            Restarts.NONE,
            6,
            0.5,
            Noise.NONE,
            Output.NCCL_MICROS,
            new Agents(2, false, 0, 0),
            false,
            false,
            new Setting(Names.HOSTS, LogCollection.SRUN, false),
            List.of());
    var chunks =
        JobGenerator.generate(plan, Instant.EPOCH, Duration.ofMillis(500)).records().stream()
            .map(GeneratedJob.Sent::event)
            .filter(LogChunk.class::isInstance)
            .map(LogChunk.class::cast)
            .toList();
    assertThat(chunks.stream().map(chunk -> chunk.source().id()).distinct()).hasSize(1);
    var text =
        chunks.stream().map(chunk -> chunk.text().toString()).collect(Collectors.joining("\n"));
    assertThat(text)
        .contains("0: [1970-01-01")
        .contains("3: [1970-01-01")
        .contains("gpu-a-017:")
        .contains("gpu-a-018:");
  }
}
