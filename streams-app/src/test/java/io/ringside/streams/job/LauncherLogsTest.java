package io.ringside.streams.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.Writer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LauncherLogsTest {
  private static final LogSource LAUNCHERS = file("launcher.log");

  private final JobState state = new JobState();

  @Test
  void theMachineOfAFileWithOneHostIsItsReaders() {
    var processes = Stream.of(1, 2, 3).map(pid -> begin(LAUNCHERS, "host-0", pid)).toList();

    assertThat(nodes(processes)).containsExactly("login", "login", "login");
  }

  @Test
  void aSecondHostTellsOfThoseBeforeItAndAfterIt() {
    var processes =
        Stream.of("host-0", "host-0", "host-1", "host-0", "host-2")
            .map(host -> begin(LAUNCHERS, host, state.unplaced.size()))
            .toList();

    assertThat(nodes(processes)).containsExactly("host-0", "host-0", "host-1", "host-0", "host-2");
  }

  @Test
  void anotherFileIsAnotherMatter() {
    var here = begin(LAUNCHERS, "host-0", 1);
    var there = begin(file("other.log"), "host-1", 1);

    assertThat(nodes(List.of(here, there))).containsExactly("login", "login");
  }

  private TrainingProcess begin(LogSource source, String host, int pid) {
    var writer = new Writer(host, pid, 0);
    var process = new TrainingProcess(writer.process(source), source, writer);
    state.gathering.enter(process, state);
    state.unplaced.put(process.id(), process);
    return process;
  }

  private static List<String> nodes(List<TrainingProcess> processes) {
    return processes.stream().map(TrainingProcess::node).toList();
  }

  private static LogSource file(String name) {
    return new LogSource("", "login", "", "job", "", "", name, name);
  }
}
