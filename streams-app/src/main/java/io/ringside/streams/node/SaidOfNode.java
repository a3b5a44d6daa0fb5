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

/// Gives what a witness said on a node to the jobs that run there. Of RAS's answers, in short, each
/// job takes what is said of its own communicators. A file whose job nobody can tell is that of the
/// one job that runs there; of several each is told that it cannot be told.
final class SaidOfNode {
  private SaidOfNode() {}

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
