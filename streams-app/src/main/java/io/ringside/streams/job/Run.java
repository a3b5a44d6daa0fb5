package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.fact.GpuLinkFacts;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.fact.NodeGpus;
import io.ringside.streams.job.gpu.GpuHistory;
import io.ringside.streams.job.gpu.GpuSecond;
import io.ringside.streams.job.hardware.LinkHistory;
import io.ringside.streams.job.step.RunSteps;
import io.ringside.streams.waits.Rounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One start of a job: the processes that share communicators, and the communicators.
public final class Run {
  /// This many lines of steps show that training is under way, with or without times.
  private static final int FEW_STEPS = 3;

  /// No job with this many ranks has been seen. Every communicator has room for all ranks that its
  /// first line names.
  static final int MAX_RANKS = 1 << 17;

  /// How long after the statement that all is done other ranks' last calls may be stamped.
  private static final long LAST_STEP_NANOS = 5_000_000_000L;

  /// Id of a run without communicators.
  public static final String NONE = "none";

  private final Map<String, TrainingProcess> processes = new TreeMap<>();
  private final Map<String, Communicator> communicators = new TreeMap<>();
  private final Map<Integer, Watchdog> watchdogs = new TreeMap<>();
  private final Map<Integer, StoreWait> storeWaits = new TreeMap<>();
  private final GpuHistory gpus = new GpuHistory();
  private final UnheldGpus unheld = new UnheldGpus();
  private final Map<String, LinkHistory> links = new TreeMap<>();
  private final Map<String, Traffic> traffic = new TreeMap<>();
  private final RunSteps steps = new RunSteps();
  private final Failures failures = new Failures();
  private final Set<Integer> lagging = new TreeSet<>();
  private @Nullable Evidence laggingProof;
  private transient @Nullable Communicator world;
  private transient @Nullable Map<String, Integer> order;
  private transient @Nullable Whereabouts whereabouts;
  private long firstNanos = NO_TIME;
  private long lastNanos = NO_TIME;
  private long progressNanos = NO_TIME;
  private boolean begun;

  /// Whether an init line of it was not seen.
  private boolean unsure;

  private boolean trained;
  private boolean done;
  private long doneNanos = NO_TIME;

  /// The newest time of the chunk read last.
  private long reachedNanos = NO_TIME;

  /// The newest time that two chunks in a row reached.
  private long sureNanos = NO_TIME;

  private Duration silentFor = Duration.ZERO;

  /// Id while no communicator is known: [#NONE], with a number from the second attempt on.
  private String unnamed = NONE;

  private boolean replaced;

  public Run() {}

  /// A start of a job whose lines name no communicator.
  ///
  /// @param attempt from 1
  /// @param replaced whether there is a later one
  Run(int attempt, boolean replaced) {
    unnamed = unnamed(attempt);
    this.replaced = replaced;
  }

  static String unnamed(int attempt) {
    return attempt == 1 ? NONE : NONE + "-" + attempt;
  }

  /// The world communicator: the largest one; of several, the one that began first.
  public Optional<Communicator> world() {
    if (world == null) {
      world =
          communicators.values().stream()
              .max(
                  Comparator.comparingInt(Communicator::nranks)
                      .thenComparing(Communicator::startNanos, Comparator.reverseOrder())
                      .thenComparing(Communicator::id, Comparator.reverseOrder()))
              .orElse(null);
    }
    return Optional.ofNullable(world);
  }

  /// The world's commId. While no communicator was initialised, {@link #NONE}, with a number after
  /// it if workers were started again.
  public String id() {
    return world().map(Communicator::id).orElse(unnamed);
  }

  /// Whether its lines name no communicator and its launcher has started its workers again.
  public boolean replaced() {
    return replaced;
  }

  /// Whether this is the id of a run without communicators.
  public static boolean isNone(String id) {
    return id.equals(NONE) || id.startsWith(NONE + "-");
  }

  /// Ids that runs have, or may have had before their worlds were known.
  public static Set<String> names(Collection<Run> runs) {
    var names = new HashSet<String>();
    for (var run : runs) {
      names.add(run.id());
      names.addAll(run.communicators.keySet());
    }
    return names;
  }

  public Collection<TrainingProcess> processes() {
    return processes.values();
  }

  public Optional<TrainingProcess> process(String id) {
    return Optional.ofNullable(processes.get(id));
  }

  public Collection<Communicator> communicators() {
    return communicators.values();
  }

  public Optional<Communicator> communicator(String id) {
    return Optional.ofNullable(communicators.get(id));
  }

  /// Whether one communicator holds all processes that have lines. Not so where a program only ever
  /// uses groups, such as those of tensor and data parallelism.
  public boolean hasWorld() {
    return order().isEmpty() && !communicators.isEmpty();
  }

  /// Number of ranks of the run: those of the world, else the number of processes with lines.
  public int nranks() {
    return hasWorld() ? world().map(Communicator::nranks).orElse(0) : processes.size();
  }

  /// The process's global rank: its rank in the world; without a world its place among the
  /// processes in the order of pods and devices, which is how launchers number them; -1 if there is
  /// no communicator.
  public int rank(TrainingProcess process) {
    var place = order().get(process.id());
    if (place != null) {
      return place;
    }
    var inWorld = world().map(world -> process.memberships().get(world.id())).orElse(null);
    if (inWorld != null && inWorld.rank() >= 0) {
      return inWorld.rank();
    }
    return process.memberships().values().stream()
        .max(Comparator.comparingInt(Membership::nranks))
        .map(Membership::rank)
        .orElse(-1);
  }

  /// Whether one of its processes writes to this log source.
  boolean writesTo(String source) {
    return whereabouts().bySource().containsKey(source);
  }

  /// Its processes that write to this log source.
  Collection<TrainingProcess> processesOf(String source) {
    return whereabouts().bySource().getOrDefault(source, Map.of()).values();
  }

  /// Whether one of its processes runs on this node.
  boolean runsOn(String node) {
    return whereabouts().nodes().contains(node);
  }

  private Whereabouts whereabouts() {
    var known = whereabouts;
    if (known == null) {
      known = new Whereabouts(new HashMap<>(), new HashSet<>());
      processes.values().forEach(known::add);
      whereabouts = known;
    }
    return known;
  }

  /// The process that holds this rank in the communicator, if it has lines.
  public Optional<TrainingProcess> process(Communicator communicator, int rank) {
    return Optional.ofNullable(communicator.processByRank().get(rank)).flatMap(this::process);
  }

  /// The processes of a communicator that have lines, by their ranks there.
  public Map<Integer, TrainingProcess> members(Communicator communicator) {
    var members = new LinkedHashMap<Integer, TrainingProcess>();
    communicator
        .processByRank()
        .forEach((rank, id) -> process(id).ifPresent(process -> members.put(rank, process)));
    return members;
  }

  /// Global ranks of some ranks of a communicator, as far as they have lines.
  public Set<Integer> ranks(Communicator communicator, Collection<Integer> some) {
    var ranks = new TreeSet<Integer>();
    for (int rank : some) {
      process(communicator, rank).ifPresent(process -> ranks.add(rank(process)));
    }
    ranks.remove(-1);
    return ranks;
  }

  /// The process of a global rank, if it has lines.
  public Optional<TrainingProcess> ofRank(int rank) {
    return processes.values().stream().filter(process -> rank(process) == rank).findFirst();
  }

  /// The processes of these global ranks, as far as they have lines.
  public List<TrainingProcess> ofRanks(Collection<Integer> ranks) {
    return ranks.stream().flatMap(rank -> ofRank(rank).stream()).toList();
  }

  /// Process ids with their places, if no communicator holds all processes; else empty.
  private Map<String, Integer> order() {
    var known = order;
    if (known == null) {
      known = new TreeMap<>();
      var world = world().map(Communicator::id).orElse(NONE);
      if (processes.values().stream().anyMatch(p -> !p.memberships().containsKey(world))) {
        for (var process : byPlace()) {
          known.put(process, known.size());
        }
      }
      order = known;
    }
    return known;
  }

  private List<String> byPlace() {
    return processes.values().stream()
        .filter(process -> !process.memberships().isEmpty())
        .sorted(
            Comparator.comparingInt((TrainingProcess process) -> process.source().pod().length())
                .thenComparing(process -> process.source().pod())
                .thenComparing(process -> process.source().node())
                .thenComparingInt(TrainingProcess::nvmlDev)
                .thenComparing(TrainingProcess::id))
        .map(TrainingProcess::id)
        .toList();
  }

  /// Processes in the order of their global ranks.
  public List<TrainingProcess> byRank() {
    var sorted = new ArrayList<>(processes.values());
    sorted.sort(Comparator.comparingInt(this::rank).thenComparing(TrainingProcess::id));
    return sorted;
  }

  /// Processes that hold GPUs, in the order of ranks. A GPU with no known holder has a process
  /// without a rank.
  public List<TrainingProcess> gpuHolders() {
    var holders = new ArrayList<>(byRank());
    holders.addAll(unheld.holders());
    return holders;
  }

  /// Reports of PyTorch's watchdogs, by global rank.
  public Map<Integer, Watchdog> watchdogs() {
    return watchdogs;
  }

  /// Records that the failures that watchdogs reported were intended.
  void recover() {
    watchdogs.clear();
    lagging.clear();
  }

  /// How long ranks waited for rank 0's unique id, by global rank.
  public Map<Integer, StoreWait> storeWaits() {
    return storeWaits;
  }

  /// GPU readings of its processes.
  public GpuHistory gpus() {
    return gpus;
  }

  /// The same; if no line shows when processes held their GPUs, all readings saved with the log.
  public GpuHistory readings() {
    return gpus.isEmpty() ? unheld.readings() : gpus;
  }

  /// History of its GPUs' links, by process id; empty if no agent asks for it.
  public Map<String, LinkHistory> links() {
    return links;
  }

  void link(GpuLinkFacts.Placed gpu) {
    links
        .computeIfAbsent(gpu.process(), _ -> new LinkHistory())
        .add(gpu.atNanos(), gpu.busId(), gpu.link());
  }

  /// Records the PCIe link that a recording of its GPUs shows.
  void pcie(String process, GpuFacts.Placed placed) {
    LinkHistory.note(links, process, placed.atNanos(), placed.reading());
  }

  /// GPUs of its nodes for which no line names the process that holds them.
  public UnheldGpus unheld() {
    return unheld;
  }

  void unheld(NodeGpus facts) {
    unheld.add(facts);
  }

  /// Steps that frameworks report.
  public RunSteps steps() {
    return steps;
  }

  /// Failures that its lines report.
  public Failures failures() {
    return failures;
  }

  /// Whether anything here shows a job: a step, a watchdog, a failure, GPUs that only it can hold.
  boolean told() {
    return !steps.tracks().isEmpty()
        || steps.observations() >= FEW_STEPS
        || !steps.compared().isEmpty()
        || steps.missing().isPresent()
        || !watchdogs.isEmpty()
        || failures.told()
        || failures.toldOfGpus()
        || !unheld.isEmpty();
  }

  /// Traffic of its nodes' network cards, by node; empty if no agent reports it.
  public Map<String, Traffic> traffic() {
    return traffic;
  }

  void traffic(NodeFacts facts) {
    traffic.computeIfAbsent(facts.node(), _ -> new Traffic()).add(facts);
  }

  /// Readings between its first and its last line, by second of the Unix epoch, then by process id;
  /// empty if its lines carry no times.
  public NavigableMap<Long, GpuSecond> gpusWhileRunning() {
    return firstNanos == NO_TIME
        ? new TreeMap<>()
        : gpus.between(Nanos.instant(firstNanos), Nanos.instant(lastNanos));
  }

  /// Unix epoch nanoseconds of its first and last line, NO_TIME if its lines carry none.
  public long firstNanos() {
    return firstNanos;
  }

  public long lastNanos() {
    return lastNanos;
  }

  /// When it last made progress: a communicator, a call, a step. NO_TIME if no line with a time
  /// shows it.
  public long progressNanos() {
    return progressNanos;
  }

  /// Whether it has a communicator, a call or a step.
  public boolean begun() {
    return begun;
  }

  /// Whether it made a call or a step.
  public boolean trained() {
    return trained;
  }

  /// Whether its launcher or its framework states that it is done, and nothing went on after that.
  public boolean done() {
    return done;
  }

  /// Whether a line shows how it ended, or what it hangs in.
  public boolean explained() {
    return done || steps.finished() || failures.told() || !watchdogs.isEmpty();
  }

  /// When it last made a step or a call, NO_TIME if no line with a time shows it.
  public long lastMoveNanos() {
    return Math.max(steps.lastNanos(), lastCallNanos());
  }

  /// When it was stated that the run is done, NO_TIME if unknown.
  public long doneNanos() {
    return doneNanos;
  }

  /// Records that training goes on, or begins.
  ///
  /// @param step whether it is a step or a call
  void progress(long atNanos, boolean step) {
    begun = true;
    trained |= step;
    progressNanos = Math.max(progressNanos, atNanos);
    done &= doneNanos != NO_TIME && progressNanos <= doneNanos + LAST_STEP_NANOS;
  }

  /// Records that its launcher or its framework states that it is done.
  void finish(long atNanos) {
    if (atNanos == NO_TIME || progressNanos <= atNanos + LAST_STEP_NANOS) {
      done = true;
      doneNanos = Math.max(doneNanos, atNanos);
    }
  }

  /// The newest time that lines of two chunks in a row have reached, NO_TIME if there is none. One
  /// line whose timestamp is far ahead does not show how far the run has come.
  public long sureNanos() {
    return sureNanos;
  }

  /// Records that a chunk's lines came up to this time.
  void reach(long nanos) {
    if (nanos != NO_TIME) {
      if (reachedNanos != NO_TIME) {
        sureNanos = Math.max(sureNanos, Math.min(reachedNanos, nanos));
      }
      reachedNanos = nanos;
    }
  }

  /// Records a watchdog's report. One that names no rank is kept under -1.
  void watchdog(int rank, Watchdog said) {
    if (watchdogs.size() < MAX_RANKS) {
      watchdogs.merge(rank, said, Watchdog::merge);
    }
  }

  void waitedForStore(int rank, StoreWait wait) {
    storeWaits.putIfAbsent(rank, wait);
  }

  /// Records ranks that a line calls lagging. Of several such lines the first counts.
  void lag(Collection<Integer> ranks, Evidence line) {
    if (lagging.isEmpty()) {
      lagging.addAll(ranks);
      laggingProof = line;
    }
  }

  /// Ranks that PyTorch's own reports call lagging, empty if there are none.
  public Set<Integer> lagging() {
    return lagging;
  }

  /// The line that names the lagging ranks.
  public @Nullable Evidence laggingProof() {
    return laggingProof;
  }

  /// Number of ranks of all its communicators together.
  long seats() {
    return communicators.values().stream().mapToLong(Communicator::nranks).sum();
  }

  void add(TrainingProcess process) {
    order = null;
    processes.put(process.id(), process);
    whereabouts().add(process);
    span(process.firstNanos(), process.firstNanos());
  }

  Communicator join(String comm, int nranks, int rank, TrainingProcess process, long atNanos) {
    var communicator =
        communicators.computeIfAbsent(comm, id -> new Communicator(id, Math.max(nranks, 0)));
    communicator.join(rank, process.id(), atNanos);
    if (unsure) {
      communicator.unsure();
    }
    order = null;
    world = null;
    return communicator;
  }

  /// Records that a process calls on a communicator whose init line was not seen. Communicators
  /// that are matched by their order may then not be the same on all ranks.
  void unsure() {
    unsure = true;
    communicators.values().forEach(Communicator::unsure);
  }

  /// Gives up communicators that turned out to be several.
  ///
  /// @return whether the run has no communicator left
  boolean forget(Predicate<String> which) {
    order = null;
    world = null;
    for (var gone : communicators.values().stream().filter(c -> which.test(c.id())).toList()) {
      for (var id : gone.processByRank().values()) {
        process(id).ifPresent(process -> process.forget(gone.id(), gone.calls()));
      }
      communicators.remove(gone.id());
    }
    return communicators.isEmpty();
  }

  /// Removes its processes and returns them.
  List<TrainingProcess> release() {
    var released = List.copyOf(processes.values());
    processes.clear();
    whereabouts = null;
    order = null;
    return released;
  }

  /// Whether this communicator is one of the run's, or its id.
  public boolean has(String comm) {
    return communicators.containsKey(comm) || comm.equals(unnamed) && !comm.equals(NONE);
  }

  /// Time of the last call of any rank in any communicator, NO_TIME if none is known.
  public long lastCallNanos() {
    return communicators.values().stream()
        .mapToLong(communicator -> communicator.rounds().lastCallNanos())
        .max()
        .orElse(NO_TIME);
  }

  /// Whether any rank made a call after this moment, or no rank waits in a call any more. False if
  /// no calls are known.
  public boolean cameBack(@Nullable Instant stood) {
    long last = lastCallNanos();
    return last != NO_TIME
        && stood != null
        && (last > Nanos.of(stood)
            || communicators.values().stream()
                .allMatch(communicator -> communicator.rounds().standstill().isEmpty()));
  }

  /// Whether no lines came for a while, as far as [#idle] was told.
  public boolean silent() {
    return silentFor.isPositive();
  }

  /// How long no lines came, zero if some came just now.
  public Duration silentFor() {
    return silentFor;
  }

  /// Absorbs another run that turned out to be part of this one: a communicator spans both.
  void absorb(Run other) {
    order = null;
    world = null;
    whereabouts = null;
    processes.putAll(other.processes);
    communicators.putAll(other.communicators);
    other.watchdogs.forEach((rank, said) -> watchdogs.merge(rank, said, Watchdog::merge));
    other.storeWaits.forEach(storeWaits::putIfAbsent);
    gpus.absorb(other.gpus);
    other.links.forEach(links::putIfAbsent);
    unheld.absorb(other.unheld);
    other.traffic.forEach(traffic::putIfAbsent);
    steps.absorb(other.steps);
    absorbTold(other);
    begun |= other.begun;
    trained |= other.trained;
    progressNanos = Math.max(progressNanos, other.progressNanos);
    done &= other.done;
    if (processes.size() == other.processes.size()) {
      // it held nothing before
      done = other.done;
    }
    doneNanos = Math.max(doneNanos, other.doneNanos);
    span(other.firstNanos, other.lastNanos);
  }

  /// Records reports of launchers and watchdogs from before it was known which run they are about.
  private void absorbTold(Run other) {
    failures.absorb(other.failures);
    if (other.laggingProof != null) {
      lag(other.lagging, other.laggingProof);
    }
  }

  /// Records steps and times from before it was known that they belong to this run, which was
  /// under way.
  void goOnFrom(Run bare) {
    steps.absorb(bare.steps);
    span(bare.firstNanos, bare.lastNanos);
    progress(bare.progressNanos, bare.trained);
  }

  /// Records statements from before its first communicator was known, except steps: those belonged
  /// to preparations.
  void adopt(Run bare) {
    bare.watchdogs.forEach((rank, said) -> watchdogs.merge(rank, said, Watchdog::merge));
    absorbTold(bare);
  }

  void span(long from, long to) {
    silentFor = Duration.ZERO;
    if (from != NO_TIME) {
      firstNanos = firstNanos == NO_TIME ? from : Math.min(firstNanos, from);
    }
    if (to != NO_TIME) {
      lastNanos = Math.max(lastNanos, to);
    }
  }

  /// Records that no lines came for this long, until [#resume].
  ///
  /// @param copy copies rounds that are judged before they are complete
  void idle(Duration silence, UnaryOperator<Rounds> copy) {
    silentFor = silence;
    communicators.values().forEach(communicator -> communicator.idle(copy));
  }

  /// Records that no lines came for this long, and that none come any more.
  public void idle(Duration silence) {
    idle(silence, UnaryOperator.identity());
  }

  /// Lines may come again: nothing is left of the silence.
  void resume() {
    silentFor = Duration.ZERO;
    communicators.values().forEach(Communicator::resume);
  }

  /// Takes over how long no lines came.
  void silentAs(Run other) {
    silentFor = other.silentFor;
  }

  void over(boolean isOver) {
    communicators.values().forEach(communicator -> communicator.over(isOver));
  }

  /// All processes by the id of their log source, and the names of their nodes. Cached, since each
  /// chunk of a job with thousands of ranks needs them.
  private record Whereabouts(
      Map<String, Map<String, TrainingProcess>> bySource, Set<String> nodes) {
    void add(TrainingProcess process) {
      bySource
          .computeIfAbsent(process.source().id(), _ -> new HashMap<>())
          .put(process.id(), process);
      nodes.add(process.source().node());
    }
  }
}
