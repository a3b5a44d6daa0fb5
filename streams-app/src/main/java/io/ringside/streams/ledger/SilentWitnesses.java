package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.NodeWatch;
import io.ringside.streams.job.UnreachedWitnesses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Witnesses that the agents of a run's nodes should query but cannot reach: what they would have
/// reported is unknown. For a finished run, those count that were out of reach when it last wrote.
final class SilentWitnesses {
  /// Nanoseconds that RAS may take to start: it starts with the first communicator and is queried
  /// every minute.
  private static final long STARTING_NANOS = 120_000_000_000L;

  private static final long HEARD_NANOS = 90_000_000_000L;

  private final Examination examination;
  private final boolean over;

  private SilentWitnesses(Examination examination) {
    this.examination = examination;
    over = examination.job().over(examination.run()) || !examination.newestRun();
  }

  static List<NotJudged> of(Examination examination) {
    return new SilentWitnesses(examination).missing();
  }

  private record Silent(String node, UnreachedWitness said) {}

  private List<NotJudged> missing() {
    var byWitness = new TreeMap<String, List<Silent>>();
    for (var silent : silent()) {
      byWitness.computeIfAbsent(silent.said().witness(), _ -> new ArrayList<>()).add(silent);
    }
    if (byWitness.containsKey(UnreachedWitness.RAS) && heard()) {
      byWitness.remove(UnreachedWitness.RAS);
    }
    var missing = new ArrayList<NotJudged>();
    byWitness.forEach((witness, all) -> missing.add(new NotJudged(witness, because(all))));
    return missing;
  }

  private List<Silent> silent() {
    var run = examination.run();
    var silent = new ArrayList<Silent>();
    if (over && run.lastNanos() == NO_TIME) {
      return silent;
    }
    var nodes = new TreeSet<String>();
    run.processes().forEach(process -> nodes.add(process.source().node()));
    for (var node : nodes) {
      examination.job().watch(node).map(NodeWatch::outOfReach).stream()
          .flatMap(each -> said(each).stream())
          .filter(said -> counts(said, node))
          .forEach(said -> silent.add(new Silent(node, said)));
    }
    return silent;
  }

  private List<UnreachedWitness> said(UnreachedWitnesses outOfReach) {
    return over ? outOfReach.at(examination.run().lastNanos()) : outOfReach.now();
  }

  private boolean counts(UnreachedWitness said, String node) {
    return switch (said.witness()) {
      case UnreachedWitness.RAS -> !said.absent() || wasNeverThere(said);
      case UnreachedWitness.NVLINK -> linked(node);
      default -> true;
    };
  }

  /// Whether RAS answered. Its answers cover all ranks, whichever agent queried it.
  private boolean heard() {
    long newest = examination.witnesses().rasHeardNanos();
    long until = over ? examination.run().lastNanos() : Nanos.of(examination.now());
    return newest != NO_TIME && newest >= until - HEARD_NANOS;
  }

  /// Whether RAS was never there. If it disappears after the last line, it ended with its job, as
  /// it should.
  private boolean wasNeverThere(UnreachedWitness said) {
    var run = examination.run();
    return run.firstNanos() != NO_TIME
        && Nanos.of(said.since()) <= run.lastNanos()
        && Nanos.of(said.last()) >= run.firstNanos() + STARTING_NANOS;
  }

  /// Whether the node's GPUs are known to have NVLinks; without them there is nothing to report.
  private boolean linked(String node) {
    return examination.job().topology(node).stream()
        .flatMap(topology -> topology.links().stream().flatMap(List::stream))
        .anyMatch(link -> link.startsWith("NV"));
  }

  /// The reason as text. A witness that does not answer goes before one that is absent; all
  /// witnesses out of reach on the first node are named.
  private static String because(List<Silent> all) {
    var first =
        all.stream().min(Comparator.comparing((Silent it) -> it.said().absent())).orElseThrow();
    long others = all.stream().map(Silent::node).distinct().count() - 1;
    var words =
        first.said().witness().equals(UnreachedWitness.RAS)
            ? ras(first)
            : first.node()
                + " "
                + all.stream()
                    .filter(it -> it.node().equals(first.node()))
                    .map(it -> it.said().why())
                    .collect(Collectors.joining(" and "));
    return others == 0
        ? words
        : "%s; it is out of reach on %d more %s"
            .formatted(words, others, others == 1 ? "node" : "nodes");
  }

  private static String ras(Silent silent) {
    var said = silent.said();
    return "%s (node %s, %d of %d asked)%s"
        .formatted(
            said.why(),
            silent.node(),
            said.tries(),
            said.tries(),
            said.absent() ? ": NCCL has RAS from 2.24 on, and not with NCCL_RAS_ENABLE=0" : "");
  }
}
