package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The edges that a process prints. Equal ones are counted together.
final class Edges {
  private static final int MAX_EDGES = 8_192;

  /// Limit for all its edges: a network or two, each in several variants.
  private static final int MAX_TRANSPORTS = 16;

  private static final int MAX_DEVICES = 64;
  private static final int SEVERAL = -1;

  private final Map<String, EdgeGroup> groups = new TreeMap<>();
  private final Set<String> transports = new TreeSet<>();

  /// Its ranks by device, from edges whose communicator is not known; SEVERAL for a device with
  /// ranks in several communicators.
  private final Map<Integer, Integer> rankByDevice = new TreeMap<>();

  Edges() {}

  /// @param comm empty if the line comes before its communicator is known
  void add(NcclEvent.Edge e, String comm, int repeat, Evidence line) {
    var label = Transports.label(e.transport());
    long from = comm.isEmpty() ? e.sourceBracket() : -1;
    long to = comm.isEmpty() ? e.targetBracket() : -1;
    var key = comm + "|" + e.source() + "|" + e.target() + "|" + label;
    if (comm.isEmpty()) {
      key += "|" + from + "|" + to;
      own(e, line.text());
    }
    var known = groups.get(key);
    if (known == null
        && (groups.size() >= MAX_EDGES
            || (transports.size() >= MAX_TRANSPORTS && !transports.contains(label)))) {
      return;
    }
    transports.add(label);
    groups.put(
        key,
        known == null
            ? new EdgeGroup(comm, e.source(), e.target(), from, to, e.transport(), repeat, line)
            : known.and(repeat));
  }

  /// Notes the rank that prints an edge: the sender, or the receiver if the line says so.
  private void own(NcclEvent.Edge e, String text) {
    var device = NcclHead.device(text);
    if (device.isPresent() && rankByDevice.size() < MAX_DEVICES) {
      int rank = e.direction() == NcclEvent.Direction.RECEIVE ? e.target() : e.source();
      rankByDevice.merge(
          device.getAsInt(), rank, (one, other) -> one.equals(other) ? one : SEVERAL);
    }
  }

  /// The ranks whose edges it prints, where no line names their communicator.
  Collection<Integer> ownRanks() {
    return rankByDevice.values().stream().filter(rank -> rank != SEVERAL).toList();
  }

  Collection<EdgeGroup> groups() {
    return groups.values();
  }
}
