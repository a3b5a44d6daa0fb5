package io.ringside.streams.node;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.parse.flightrecorder.DumpName;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.witness.Witness;
import io.ringside.streams.witness.ras.Digest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Gives the files of witnesses on a node to the jobs that run there. RAS's answers are shortened,
/// and each job takes the part about its own communicators. A file whose job is unknown belongs to
/// the only job that runs there; if several run, each learns that the file's job is unknown.
final class WitnessRouting {
  private WitnessRouting() {}

  static List<NodeJoin.Routed> place(LogChunk chunk, List<Witness> said, NodeState node) {
    long at = Nanos.of(chunk.readAt());
    var jobs = node.running(at);
    var file = chunk.source().file();
    var placed = said.stream().flatMap(each -> of(each, file, jobs).stream()).toList();
    if (placed.isEmpty()) {
      return List.of();
    }
    var facts = new WitnessFacts(chunk.source(), placed, at);
    return jobs.stream().map(job -> new NodeJoin.Routed(job, facts)).toList();
  }

  private static Optional<Witness> of(Witness said, String file, Collection<String> jobs) {
    return switch (said) {
      case Witness.RasSaid(var answers, int damaged) ->
          answers.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new Witness.RasSaid(answers.stream().map(Digest::of).toList(), damaged));
      case Witness.Inspected _ -> Optional.of(jobs.size() == 1 ? said : nobodys(file, -1));
      case Witness.Dumped _, Witness.Undumped _ ->
          Optional.of(jobs.size() == 1 ? said : nobodys(file, DumpName.rank(file)));
    };
  }

  private static Witness nobodys(String file, int rank) {
    return new Witness.Undumped(
        new DumpReading.Refused(
            file, rank, "several jobs run on its node, and its folder does not tell whose it is"));
  }
}
