package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import io.ringside.streams.node.SourceState.Membership;
import io.ringside.streams.node.SourceState.ProcessState;
import org.junit.jupiter.api.Test;

/// What one log file can make the service remember, by the numbers that SECURITY.md states.
class StatedLimitsTest {
  private final SourceState file = new SourceState();

  @Test
  void aFileNames8192Processes() {
    for (int pid = 0; pid < 8_192; pid++) {
      assertThat(file.process("host", pid)).isNotNull();
    }

    assertThat(file.process("host", 8_192)).isNull();
    assertThat(file.process("host", 0)).as("one that is known").isNotNull();
  }

  @Test
  void aProcessHolds256Communicators() {
    var process = process(1);
    for (int comm = 0; comm < 256; comm++) {
      assertThat(joins(process, comm)).isTrue();
    }

    assertThat(joins(process, 256)).isFalse();
    assertThat(joins(process, 0)).as("one that is known").isTrue();
    assertThat(joins(process(2), 256)).as("another process").isTrue();
  }

  @Test
  void allProcessesOfAFileHold65536Communicators() {
    for (int pid = 0; pid < 512; pid++) {
      var process = process(pid);
      for (int comm = 0; comm < 128; comm++) {
        assertThat(joins(process, comm)).isTrue();
      }
    }

    assertThat(joins(process(512), 0)).isFalse();
  }

  @Test
  void aFileStates16MiCharacters() {
    var seen = new SeenStatements();
    var text = Text.of("x".repeat(1 << 16));
    for (int statement = 0; statement < 256; statement++) {
      assertThat(seen.isNew(statement, text, 0, text.length())).isTrue();
    }

    assertThat(seen.isNew(256, text, 0, text.length())).isFalse();
  }

  private ProcessState process(int pid) {
    var process = file.process("host", pid);
    assertThat(process).isNotNull();
    return process;
  }

  private boolean joins(ProcessState process, int comm) {
    return file.join(process, "0x%x".formatted(comm), new Membership("0x1", 0, 0, 2));
  }
}
