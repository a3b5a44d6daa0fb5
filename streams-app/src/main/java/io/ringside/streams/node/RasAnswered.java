package io.ringside.streams.node;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.witness.Witness;
import io.ringside.streams.witness.ras.Digest;
import java.util.List;

/// Gives what RAS answered on a node to the jobs that run there, in short: each job takes what is said of its own
/// communicators.
final class RasAnswered {
  private RasAnswered() {}

  static List<NodeJoin.Routed> place(LogChunk chunk, List<Witness> said, NodeState node) {
    var answers =
        said.stream()
            .filter(Witness.RasSaid.class::isInstance)
            .map(Witness.RasSaid.class::cast)
            .flatMap(it -> it.answers().stream())
            .map(Digest::of)
            .toList();
    if (answers.isEmpty()) {
      return List.of();
    }
    var facts = new WitnessFacts(chunk.source(), List.of(new Witness.RasSaid(answers)));
    return node.running(Nanos.of(chunk.readAt())).stream()
        .map(job -> new NodeJoin.Routed(job, facts))
        .toList();
  }
}
