package io.ringside.streams.witness.inspector;

import io.ringside.streams.parse.flightrecorder.Call;
import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.inspector.InspectorTimes;
import java.util.Collection;
import java.util.List;

/// Call times from the flight recorder, group by group, if PyTorch measures them
/// (`TORCH_NCCL_ENABLE_TIMING`). They mean the same as the Inspector's times.
public final class DumpTimes {
  private DumpTimes() {}

  /// Which rank was waited for in each group; the verdict's communicator is the group's key.
  public static List<InspectorVerdict> of(Collection<Dump> dumps) {
    var rounds = new InspectorRounds();
    for (var dump : dumps) {
      for (var group : dump.groups()) {
        int rank = group.ranks().indexOf(dump.rank());
        var calls =
            dump.calls().stream()
                .filter(call -> call.micros() >= 0 && !call.p2p())
                .filter(call -> call.group().equals(group.key()))
                .toList();
        if (rank >= 0 && !calls.isEmpty()) {
          rounds.add(
              new InspectorTimes(
                  group.key(),
                  rank,
                  group.ranks().size(),
                  -1,
                  "",
                  "",
                  -1,
                  calls.stream().mapToLong(Call::collective).toArray(),
                  calls.stream().mapToInt(Call::micros).toArray(),
                  new float[calls.size()],
                  new long[calls.size()],
                  calls.stream().mapToLong(call -> call.createdNanos() / 1000).toArray()));
        }
      }
    }
    return rounds.verdicts();
  }
}
