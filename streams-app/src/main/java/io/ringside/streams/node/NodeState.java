package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.fact.GpuLinkFacts;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.fact.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Which processes own which GPUs of one node. Owned by one stream thread.
public final class NodeState {
  private static final int MAX_PLACEMENTS = 512;
  private static final long SECOND = 1_000_000_000L;

  /// How long after its last line a job still counts for a GPU that another job holds as well.
  private static final long SHARED_AFTER_LAST_LINE = 3600_000_000_000L;

  /// Resolution of the time at which a job wrote last.
  private static final long WROTE_STEP = 60_000_000_000L;

  private @Nullable NodeTopology topology;
  private final ReportComparison reports = new ReportComparison();
  private final List<Placement> placements = new ArrayList<>();
  private final Map<String, Long> wroteNanos = new TreeMap<>();

  /// Processes whose init lines were not seen and that are on no GPU yet, by process.
  private final Map<String, Joined> joined = new TreeMap<>();

  private transient boolean changed;

  /// A process that holds the GPU for some time.
  ///
  /// @param sinceNanos start of its first communicator's init; NO_TIME if its lines carry no times,
  ///   then any sample saved with its recording may belong to it
  /// @param untilNanos see {@link io.ringside.streams.fact.LogFacts#heldUntilNanos}; NO_TIME until
  ///   its source ends
  record Placement(String busId, String job, String process, long sinceNanos, long untilNanos) {
    /// The last second counts as a whole, as it does for a job that learns of the end later, from
    /// readings that it keeps by the second.
    boolean holds(long at) {
      return sinceNanos != NO_TIME
          && sinceNanos <= at
          && (untilNanos == NO_TIME
              || Math.floorDiv(at, SECOND) <= Math.floorDiv(untilNanos, SECOND));
    }
  }

  /// Places a process on its GPU.
  ///
  /// @param recent the node's samples
  /// @return earlier readings of the GPU, with the process that they turn out to belong to; empty
  ///   if the process was placed already
  List<GpuFacts.Placed> place(
      String busId, String job, String process, long sinceNanos, List<GpuSample> recent) {
    joined.remove(process);
    placements.add(new Placement(busId, job, process, sinceNanos, NO_TIME));
    if (placements.size() > MAX_PLACEMENTS) {
      placements.removeFirst();
    }
    changed = true;
    var past = new ArrayList<GpuFacts.Placed>();
    boolean known =
        sinceNanos == NO_TIME
            ? untimed(busId).size() == 1
            : placedHere(busId).contains(placements.getLast());
    if (!known) {
      return past;
    }
    for (var sample : recent) {
      long at = Nanos.of(sample.at());
      for (var reading : sample.gpus()) {
        if ((sinceNanos == NO_TIME || at >= sinceNanos) && reading.busId().equals(busId)) {
          past.add(new GpuFacts.Placed(process, at, reading));
        }
      }
    }
    return past;
  }

  /// A process that ran before its log was read.
  ///
  /// @param pod pod in which the device number counts
  /// @param device CUDA's number of its GPU
  /// @param sinceNanos time of its first call that was seen
  record Joined(String job, String pod, int device, long sinceNanos) {}

  /// Records a process whose init lines were not seen: no line names its GPU's bus id.
  void join(String process, Joined it) {
    if (joined.size() < MAX_PLACEMENTS && joined.putIfAbsent(process, it) == null) {
      changed = true;
    }
  }

  /// Puts such processes on their GPUs if there is no doubt: one pod has as many of them as the
  /// node has GPUs, the GPUs are of one model, CUDA's numbers run from 0 on, and no other process
  /// holds a GPU. CUDA and nvidia-smi number GPUs of one model by their place on the bus.
  ///
  /// @param samples the node's samples, requested only if such processes wait
  /// @return the jobs whose processes were placed
  TreeSet<String> placeJoined(Supplier<List<GpuSample>> samples) {
    var jobs = new TreeSet<String>();
    if (joined.isEmpty()
        || placements.stream().anyMatch(placement -> placement.untilNanos() == NO_TIME)) {
      return jobs;
    }
    var recent = samples.get();
    if (recent.isEmpty()) {
      return jobs;
    }
    var gpus = new ArrayList<>(recent.getLast().gpus());
    gpus.sort(Comparator.comparingInt(GpuReading::index));
    var pod = joined.values().iterator().next().pod();
    var byDevice = new TreeMap<Integer, String>();
    joined.forEach(
        (process, it) -> {
          if (it.pod().equals(pod)) {
            byDevice.put(it.device(), process);
          }
        });
    boolean alike = gpus.stream().map(GpuReading::name).distinct().count() == 1;
    boolean all =
        joined.size() == gpus.size()
            && byDevice.size() == gpus.size()
            && byDevice.lastKey() == gpus.size() - 1;
    if (!alike || !all) {
      return jobs;
    }
    byDevice.forEach(
        (device, process) -> {
          var it = Objects.requireNonNull(joined.get(process));
          place(gpus.get(device).busId(), it.job(), process, it.sinceNanos(), List.of());
          // the job may print nothing more, and its node's reports must still reach it
          if (it.sinceNanos() != NO_TIME) {
            wroteNanos.merge(it.job(), it.sinceNanos(), Math::max);
          }
          jobs.add(it.job());
        });
    return jobs;
  }

  /// Processes without times that name the same GPU as this newly placed one, by job. Attempts may
  /// follow each other, or a log may hold lines of several machines of one kind, whose bus ids are
  /// equal. It is then unknown to which process a sample belongs. Each process is returned only
  /// once: for a log that names a new process in each line, all would be repeated each time.
  Map<String, List<String>> disputedBy(String busId, String process) {
    var untimed = untimed(busId);
    if (untimed.size() < 2 || !untimed.getLast().process().equals(process)) {
      return Map.of();
    }
    var byJob = new TreeMap<String, List<String>>();
    for (var placement : untimed.size() == 2 ? untimed : List.of(untimed.getLast())) {
      byJob.computeIfAbsent(placement.job(), _ -> new ArrayList<>()).add(placement.process());
    }
    return byJob;
  }

  private List<Placement> untimed(String busId) {
    return placements.stream()
        .filter(placement -> placement.sinceNanos() == NO_TIME && placement.busId().equals(busId))
        .toList();
  }

  /// Whether any process was placed on one of the node's GPUs.
  boolean holdsAny() {
    return !placements.isEmpty();
  }

  /// Whether the process was placed on a GPU.
  boolean placed(String process) {
    return placements.stream().anyMatch(placement -> placement.process().equals(process));
  }

  /// Records that a source has ended: its processes held their GPUs until then.
  void ended(String source, long untilNanos) {
    joined.keySet().removeIf(process -> process.startsWith(source + "|"));
    if (untilNanos == NO_TIME) {
      return;
    }
    placements.replaceAll(
        placement -> {
          if (placement.untilNanos() != NO_TIME || !placement.process().startsWith(source + "|")) {
            return placement;
          }
          changed = true;
          return new Placement(
              placement.busId(),
              placement.job(),
              placement.process(),
              placement.sinceNanos(),
              untilNanos);
        });
  }

  /// Whether anything has changed since the last call.
  public boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /// The sample's readings by job, for those GPUs that belong to a process.
  Map<String, List<GpuFacts.Placed>> sample(GpuSample sample) {
    long at = Nanos.of(sample.at());
    var byJob = new TreeMap<String, List<GpuFacts.Placed>>();
    for (var reading : sample.gpus()) {
      for (var owner : ownersOf(reading, at)) {
        byJob
            .computeIfAbsent(owner.job(), _ -> new ArrayList<>())
            .add(new GpuFacts.Placed(owner.process(), at, reading));
      }
    }
    return byJob;
  }

  /// All processes that may have owned the GPU then; the job knows which of its runs was active.
  private List<Placement> ownersOf(GpuReading reading, long at) {
    var owners = new ArrayList<Placement>();
    var untimed = new ArrayList<Placement>();
    for (var placement : placedHere(reading.busId())) {
      if (!placement.busId().equals(reading.busId())) {
        continue;
      }
      if (placement.sinceNanos() == NO_TIME) {
        untimed.add(placement);
      } else if (placement.holds(at)) {
        owners.add(placement);
      }
    }
    if (untimed.size() == 1) {
      owners.addAll(untimed);
    }
    return owners;
  }

  /// The placements of a GPU but for those of processes that may run on another machine: their
  /// log, as that of `mpirun`, holds lines of several hosts with a GPU on this bus, and a node has
  /// one such GPU. The host that has the name of the node is the node; if none has, no line tells
  /// which one is.
  ///
  /// @param slot PCI bus id, with or without its function: the kernel leaves it out
  private List<Placement> placedHere(String slot) {
    var all =
        placements.stream()
            .filter(placement -> placement.busId().regionMatches(true, 0, slot, 0, slot.length()))
            .toList();
    if (all.size() < 2) {
      return all;
    }
    var host = new HashMap<String, String>();
    var ofSeveral = new HashSet<String>();
    for (var placement : all) {
      var seat = Writer.Seat.of(placement.process());
      var other = host.putIfAbsent(seat.source(), seat.host());
      if (other != null && !other.equals(seat.host())) {
        ofSeveral.add(seat.source());
      }
    }
    if (ofSeveral.isEmpty()) {
      return all;
    }
    return all.stream()
        .filter(
            placement -> {
              var seat = Writer.Seat.of(placement.process());
              return seat.isNode() || !ofSeveral.contains(seat.source());
            })
        .toList();
  }

  /// Processes that held a GPU at a moment: the one that took it last, and others whose job wrote
  /// at about that time, since jobs may share a GPU.
  ///
  /// @param slot as {@link #placedHere} takes it
  /// @return job by process
  Map<String, String> holders(String slot, long atNanos) {
    var holders = new TreeMap<String, String>();
    boolean newest = true;
    for (var placement : placedHere(slot).reversed()) {
      if (placement.holds(atNanos)) {
        var wrote = wroteNanos.get(placement.job());
        if (newest || wrote != null && Math.abs(atNanos - wrote) <= 2 * WROTE_STEP) {
          holders.put(placement.process(), placement.job());
        }
        newest = false;
      }
    }
    return holders;
  }

  /// Records the node's topology.
  ///
  /// @return the jobs that must get it
  TreeSet<String> topology(NodeTopology newest) {
    topology = newest;
    changed = true;
    var jobs = new TreeSet<String>();
    placements.forEach(placement -> jobs.add(placement.job()));
    return jobs;
  }

  /// What the agent's report adds to those before. Changes the state.
  NodeFacts report(NodeReport report) {
    changed = true;
    return reports.next(report);
  }

  /// What the report states about links of GPUs that processes hold, by job. Changes the state.
  Map<String, List<GpuLinkFacts.Placed>> links(NodeReport report) {
    long at = Nanos.of(report.at());
    var byJob = new TreeMap<String, List<GpuLinkFacts.Placed>>();
    reports
        .gpus(report)
        .forEach(
            (busId, link) ->
                holders(busId, at)
                    .forEach(
                        (process, job) ->
                            byJob
                                .computeIfAbsent(job, _ -> new ArrayList<>())
                                .add(new GpuLinkFacts.Placed(process, at, busId, link))));
    return byJob;
  }

  /// Records that a job wrote on this node, by the node's clock.
  void wrote(String job, long nanos) {
    var before = wroteNanos.get(job);
    if (isNew(job) || nanos == NO_TIME || before != null && nanos - before < WROTE_STEP) {
      return;
    }
    wroteNanos.put(job, nanos);
    wroteNanos.keySet().removeIf(this::isNew);
    changed = true;
  }

  /// The jobs that hold the node's GPUs then and were not seen to end: for each GPU the newest one,
  /// and all that wrote not long ago, since jobs may take turns on a GPU.
  TreeSet<String> running(long atNanos) {
    var byGpu = new TreeMap<String, Placement>();
    var jobs = new TreeSet<String>();
    for (var placement : placements) {
      byGpu.put(placement.busId(), placement);
      var wrote = wroteNanos.get(placement.job());
      if (placement.untilNanos() == NO_TIME
          && wrote != null
          && atNanos - wrote <= SHARED_AFTER_LAST_LINE) {
        jobs.add(placement.job());
      }
    }
    for (var placement : byGpu.values()) {
      if (placement.untilNanos() == NO_TIME) {
        jobs.add(placement.job());
      }
    }
    return jobs;
  }

  /// Null until the agent has sent it.
  @Nullable NodeTopology topology() {
    return topology;
  }

  /// Whether no process of the job is on this node yet.
  boolean isNew(String job) {
    return placements.stream().noneMatch(placement -> placement.job().equals(job));
  }
}
