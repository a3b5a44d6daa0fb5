package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.streams.job.Replay;
import io.ringside.streams.recorded.Lines;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// A log of several hosts, as `mpirun` writes it on one of them: machines of one kind have their
/// GPUs on the same buses.
class GpusOfSeveralHostsTest {
  @Test
  void areThoseOfTheHostOnWhichTheLogLies() {
    assertThat(hostsWithReadings("node-0", "node-1")).containsExactly("node-0");
    assertThat(hostsWithReadings("node-1", "node-0")).containsExactly("node-0");
    assertThat(hostsWithReadings("node-1.cluster.local", "node-0.cluster.local"))
        .containsExactly("node-0.cluster.local");
  }

  /// Pods have names of their own.
  @Test
  void areNobodysWhereNoHostHasTheNameOfTheNode() {
    assertThat(hostsWithReadings("llm-worker-0", "llm-worker-1")).isEmpty();
  }

  @Test
  void areThoseOfTheOnlyHostWhateverItsName() {
    assertThat(hostsWithReadings("llm-worker-0")).containsExactly("llm-worker-0");
  }

  private static List<String> hostsWithReadings(String... hosts) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < hosts.length; rank++) {
      lines.addAll(started(hosts[rank], rank, hosts.length));
    }
    var all = new ArrayList<AgentEvent>();
    all.add(Lines.of(0, false, lines.toArray(String[]::new)));
    LongStream.rangeClosed(1, 20)
        .forEach(second -> all.add(Lines.sample(Lines.AT.plusSeconds(second))));
    var run = new Replay().addAll(all).jobs().values().iterator().next().runs().getFirst();
    return run.byRank().stream()
        .filter(
            process ->
                run.gpus().bySecond().values().stream()
                    .anyMatch(second -> second.has(process.id())))
        .map(process -> process.host())
        .toList();
  }

  private static List<String> started(String host, int rank, int nranks) {
    return List.of("START", "COMPLETE").stream()
        .map(
            phase ->
                "%s:100:200 [0] NCCL INFO ncclCommInitRank comm 0x55 rank %d nranks %d cudaDev 0 nvmlDev 0 busId 1000 commId 0xabc - Init %s"
                    .formatted(host, rank, nranks, phase))
        .toList();
  }
}
