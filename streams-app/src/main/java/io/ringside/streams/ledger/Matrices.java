package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.Cell;
import io.ringside.schemas.event.RunAggregates.TransportMatrix;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Builds the matrix of transports between ranks, or between nodes if there are too many ranks.
final class Matrices {
  private static final int MAX_RANKS = 64;

  /// More transports than any job has; the last one stands for all further ones.
  private static final int MAX_TRANSPORTS = 64;

  private Matrices() {}

  static TransportMatrix of(Examination examination) {
    var run = examination.run();
    int nranks = run.nranks();
    boolean byRank = nranks <= MAX_RANKS;
    var nodes = new TreeSet<String>();
    run.processes().forEach(process -> nodes.add(process.node()));
    var places = byRank ? List.<String>of() : List.copyOf(nodes);
    var labels = new TreeSet<String>();
    examination.edges().forEach(edge -> labels.add(Transports.label(edge.transport())));
    var transports = labels.stream().limit(MAX_TRANSPORTS).toList();

    var counted = new TreeMap<Long, Integer>();
    for (var edge : examination.edges()) {
      int from =
          byRank
              ? rank(edge, edge.from(), edge.group().from(), examination)
              : node(edge.from(), places);
      int to =
          byRank ? rank(edge, edge.to(), edge.group().to(), examination) : node(edge.to(), places);
      if (from >= 0 && to >= 0) {
        int known = transports.indexOf(Transports.label(edge.transport()));
        int transport = known >= 0 ? known : transports.size() - 1;
        // sender and receiver both print the edge: the larger count is used
        counted.merge(key(from, to, transport), edge.lines(), byRank ? Math::max : Integer::sum);
      }
    }
    var cells = new ArrayList<Cell>();
    counted.forEach((key, edges) -> cells.add(cell(key, edges)));
    return new TransportMatrix(
        byRank ? "rank" : "node",
        places,
        transports,
        cells.subList(0, Math.min(cells.size(), RunAggregates.MAX_CELLS)),
        Math.max(0, cells.size() - RunAggregates.MAX_CELLS));
  }

  private static long key(int from, int to, int transport) {
    return ((long) from << 36) | ((long) to << 8) | transport;
  }

  private static Cell cell(long key, int edges) {
    return new Cell((int) (key >> 36), (int) (key >> 8) & 0xfffffff, (int) (key & 0xff), edges);
  }

  /// The global rank. For a rank without lines, its number in a communicator of the world's size;
  /// -1 if unknown.
  private static int rank(
      RunEdge edge, Optional<TrainingProcess> process, int inComm, Examination examination) {
    var run = examination.run();
    if (process.isPresent()) {
      return run.rank(process.get());
    }
    int world = run.world().map(Communicator::nranks).orElse(-1);
    int size = run.communicator(edge.comm()).or(run::world).map(Communicator::nranks).orElse(-2);
    return world == size ? inComm : -1;
  }

  private static int node(Optional<TrainingProcess> process, List<String> places) {
    return process.map(each -> places.indexOf(each.node())).orElse(-1);
  }
}
