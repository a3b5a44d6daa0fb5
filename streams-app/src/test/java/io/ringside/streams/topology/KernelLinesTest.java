package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.recorded.Lines;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The driver's lines in a node's kernel log, through the whole topology: to the job that holds the
/// GPU, and to no other.
class KernelLinesTest {
  /// Of rank 1 on node-0, which holds GPU 0000:02:00.0.
  private static final String XID =
      "[ 3595.000000] NVRM: Xid (PCI:0000:02:00): 79, pid=2024, name=python3, GPU has fallen off the bus.";

  private static final String SXID =
      "[ 3595.000000] nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, %s, Link 28 LTSSM Fault Up";

  @TempDir private Path stateDir;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;
  private long sequence;

  @BeforeEach
  void start() {
    driver = TestTopics.driver(stateDir, Lines.AT);
    logs = TestTopics.input(driver, Topics.LOGS);
    for (int rank : new int[] {0, 1, 8}) {
      send(Lines.of(rank, false, Lines.start(rank, 9).toArray(String[]::new)));
    }
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void tellsTheJobThatHoldsTheGpuOfItsXid() {
    kernel("node-0", XID);
    kernel("node-0", "[ 3595.100000] NVRM: GPU 0000:02:00.0: GPU has fallen off the bus.");
    pass();

    assertThat(errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(error.job()).isEqualTo("job");
              assertThat(error.nodes()).containsExactly("node-0");
              assertThat(error.ranks()).containsExactly(1);
              assertThat(error.summary()).contains("Xid 79");
              assertThat(error.evidence())
                  .extracting("file", "text")
                  .first()
                  .isEqualTo(org.assertj.core.groups.Tuple.tuple("/dev/kmsg", XID));
              assertThat(error.evidence()).hasSize(2);
            });
  }

  @Test
  void takesALineThatComesAgainOnce() {
    kernel("node-0", XID);
    sequence = 0; // a restarted agent
    kernel("node-0", XID, 1);
    pass();

    assertThat(errors()).singleElement().extracting(Finding::observed).isEqualTo("Xid 79");
  }

  @Test
  void keepsAGraveXidBehindManyOfAProgram() {
    for (int i = 0; i < 300; i++) {
      kernel("node-0", XID.replace("): 79", "): 13").replace("3595.", (1_000 + i) + "."));
    }
    kernel("node-0", XID);
    pass();

    assertThat(errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(error.observed()).isEqualTo("Xid 13 8 times, Xid 79");
            });
  }

  @Test
  void tellsAJobNothingOfWhatItsGpuDoesAfterItsEnd() {
    send(
        Lines.later(
            1,
            1,
            10_000,
            Lines.AT.minusSeconds(120),
            "srun: error: node-0: task 1: Exited with exit code 1"));
    kernel("node-0", XID);
    pass();

    assertThat(errors()).isEmpty();
  }

  @Test
  void tellsNobodyOfTheXidOfAGpuThatNobodyHolds() {
    kernel("node-0", XID.replace("0000:02:00", "0000:07:00"));
    kernel("node-2", XID);
    pass();

    assertThat(errors()).isEmpty();
  }

  @Test
  void takesAFatalErrorOfASwitchForGraveAndOthersForNotes() {
    kernel("node-0", SXID.formatted("Fatal"));
    kernel("node-1", SXID.formatted("Non-fatal"));
    kernel("node-1", "[ 3595.1] nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Data {0x1}");
    pass();

    assertThat(errors())
        .extracting(error -> error.nodes().getFirst(), Finding::severity)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("node-0", Severity.CRITICAL),
            org.assertj.core.groups.Tuple.tuple("node-1", Severity.INFO));
    assertThat(errors())
        .filteredOn(error -> error.nodes().contains("node-0"))
        .singleElement()
        .satisfies(error -> assertThat(error.ranks()).containsExactly(0, 1));
  }

  @Test
  void takesWhatTheDriverSaysOfLinksAloneForNothing() {
    kernel("node-0", "[ 3595.000000] nvidia-nvlink: Nvlink Core is being initialized");
    pass();

    assertThat(errors()).isEmpty();
  }

  private void kernel(String node, String line) {
    kernel(node, line, 0);
  }

  private void kernel(String node, String line, long epoch) {
    var at = Lines.AT.plusSeconds(5);
    send(
        new LogChunk(
            LogSource.ofNode("east", node, "kernel"),
            epoch,
            sequence,
            sequence,
            ++sequence,
            at,
            true,
            false,
            Text.of(line),
            new int[] {0},
            Nanos.of(at),
            new long[] {0},
            new int[0]));
  }

  private void send(LogChunk chunk) {
    logs.pipeInput(chunk.source().node(), chunk, Instant.EPOCH);
  }

  private void pass() {
    for (int second = 0; second < 20; second++) {
      driver.advanceWallClockTime(Duration.ofSeconds(1));
    }
  }

  private List<Finding> errors() {
    var errors = new ArrayList<Finding>();
    try (var all = driver.<String, Finding>getKeyValueStore(Stores.FINDINGS).all()) {
      all.forEachRemaining(
          entry -> {
            if (entry.value.kind() == FindingKind.GPU_ERROR) {
              errors.add(entry.value);
            }
          });
    }
    return errors;
  }
}
