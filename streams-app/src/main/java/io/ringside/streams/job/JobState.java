package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.job.bandwidth.Table;
import io.ringside.streams.job.bandwidth.Tables;
import io.ringside.streams.job.hardware.SavedNvlinks;
import io.ringside.streams.job.hardware.SavedPorts;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.waits.Rounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Everything known of one job. Changed by {@link JobJoin} only.
public final class JobState {
  /// After this long without a chunk of any source, the job has paused.
  private static final Duration PAUSE = Duration.ofSeconds(30);

  /// The most runs that are kept with all their processes; a job that crashes over and over has
  /// many.
  static final int MAX_RUNS = 32;

  private static final long STARTING_NANOS = 60_000_000_000L;
  private static final int MAX_PROCESSES = 8192;

  /// The same limit while runs just begin.
  private static final int MAX_BEGINNING = 4 * MAX_PROCESSES;

  /// Ranks of all communicators together: 16 for each rank of the largest jobs. A line of a log can
  /// name any number.
  private static final long MAX_SEATS = 1 << 20;

  /// Communicators that the lines of one file name first: 32 starts of a node with 128 groups each.
  static final int MAX_FOUNDED = 4_096;

  /// Limit for all files together.
  static final int MAX_COMMUNICATORS = 1 << 17;

  /// Bytes that the statements of the processes of one node may take while the job is followed:
  /// more than what a launcher's log may state. From half of that on only the job's two newest runs
  /// are kept, and those that just begin.
  static final long MAX_BYTES = 128L << 20;

  String cluster = "";
  String namespace = "";
  String job = "";
  String team = "";
  final Map<String, Source> sources = new TreeMap<>();
  final Map<String, TrainingProcess> unplaced = new TreeMap<>();
  final List<Run> runs = new ArrayList<>();

  /// Statements from files for which no communicator is known: PyTorch's watchdogs, steps,
  /// failures. Holds those of the first attempt.
  private final Run bare = new Run();

  final Attempts attempts = new Attempts();

  final Map<String, List<Waiting>> beforeRun = new TreeMap<>();
  final Map<String, NodeTopology> topologies = new TreeMap<>();

  /// Variables that shells and launchers declared in the same file, by source.
  final Map<String, DeclaredVariables> declared = new TreeMap<>();

  final Map<String, Tables> tests = new TreeMap<>();
  final Map<String, SavedNvlinks> nvlinks = new TreeMap<>();
  final Map<String, SavedPorts> ports = new TreeMap<>();
  final Map<String, NodeWatch> watches = new TreeMap<>();
  final UnnamedStarts unnamedStarts = new UnnamedStarts();
  final UnseenStarts unseenStarts = new UnseenStarts();
  final LauncherLogs gathering = new LauncherLogs();
  final JobWitnesses witnesses = new JobWitnesses();
  final TensorGroups tensors = new TensorGroups();
  final Map<String, Integer> unknownShapes = new TreeMap<>();

  /// The runs in order, sorted since the last change. A judgement asks for each run which runs come
  /// after it.
  private transient @Nullable List<Run> inOrder;

  /// What runs hold, found since the last change. A judgement asks again and again for each run
  /// whether a later one took its place.
  private final transient Map<Run, Ending.Held> held = new HashMap<>();

  /// How runs ended, found since the last change.
  private final transient Map<Run, Optional<Ending>> endings = new HashMap<>();

  private transient boolean changing;

  /// Null until it is needed, and after runs were forgotten.
  private transient @Nullable RunIndex index;

  /// Bytes of the statements of each node's processes. Null until it is needed, and after runs were
  /// forgotten.
  private transient @Nullable Map<String, Long> bytesByNode;

  /// Whether a node has used half of its bytes.
  private transient boolean large;

  /// How often ranks were convicted of being late since this state was read.
  transient long convictions;

  private @Nullable Instant newestRead;
  private @Nullable Instant resumed;
  private boolean lostState;
  private boolean works;
  private long seats;
  private final Map<String, Integer> founded = new TreeMap<>();
  private int communicators;
  private long leftOut;
  private long unkept;
  private int forgotten;
  long lines;
  long ncclLines;
  long spliced;

  /// One log source of the job.
  ///
  /// @param ended whether it announced that nothing more will come
  /// @param live whether its newest chunk was read as it was written
  /// @param readAt when its newest chunk was read
  /// @param lineNanos the newest time in its lines so far, NO_TIME if they carry none
  /// @param novelNanos when its newest line of a new kind was written, in a recording; NO_TIME if
  ///   there is none, `Long.MAX_VALUE` if that is unknown
  public record Source(
      boolean ended, boolean live, @Nullable Instant readAt, long lineNanos, long novelNanos) {
    Source withNewKind(long atNanos) {
      return new Source(ended, live, readAt, lineNanos, Math.max(novelNanos, atNanos));
    }

    /// When it wrote last, by its node's clock: lines that are read late were written earlier.
    public Optional<Instant> wroteAt() {
      if (readAt == null || live || lineNanos <= 0) {
        return Optional.ofNullable(readAt);
      }
      var line = Nanos.instant(lineNanos);
      return Optional.of(line.isBefore(readAt) ? line : readAt);
    }
  }

  /// A line of PyTorch or of a framework from before its run is known.
  record Waiting(LineEvent event, long atNanos, Evidence line) {}

  /// Key of the job that this state belongs to.
  public JobKey key() {
    return new JobKey(cluster, namespace, job);
  }

  /// State of a job whose earlier state could not be read.
  public static JobState afterLoss() {
    var state = new JobState();
    state.lostState = true;
    return state;
  }

  /// Whether the earlier state of the job could not be read, so that it is no longer judged.
  public boolean lostState() {
    return lostState;
  }

  /// Takes the job's name from this source, if no log gives it.
  void named(LogSource source) {
    cluster = source.cluster();
    namespace = source.namespace();
    job = source.job();
  }

  public String job() {
    return job;
  }

  /// Team that pays, by the label of the pod that was seen last; empty if no agent states it.
  public String team() {
    return team;
  }

  /// Runs in the order in which they began, see {@link RunOrder}. Processes that never got a
  /// communicator up, and tables of nccl-tests without NCCL's lines, are a run of their own if
  /// there is no other.
  public List<Run> runs() {
    if (runs.isEmpty()) {
      var newest = bare();
      var before = replaced();
      if (unplaced.isEmpty()
          && before.isEmpty()
          && tests.isEmpty()
          && !newest.told()
          && nvlinks.values().stream().noneMatch(SavedNvlinks::lacks)
          && !reported()
          && !(recorded() && (works || newest.done()))
          && witnesses.isEmpty()
          && (!lostState || job.isEmpty())) {
        return List.of();
      }
      var only = new Run(attempts.number(), false);
      only.absorb(newest);
      boolean known = unplaced.values().stream().anyMatch(process -> !process.nobody());
      unplaced.values().stream().filter(process -> !known || !process.nobody()).forEach(only::add);
      only.silentAs(newest);
      before.add(only);
      return before;
    }
    if (inOrder != null) {
      return inOrder;
    }
    var sorted = RunOrder.of(runs);
    inOrder = changing ? null : sorted;
    return sorted;
  }

  /// What is known about the newest start while no communicator is known.
  Run bare() {
    return attempts.newest(bare);
  }

  /// The same for the first start.
  Run firstBare() {
    return bare;
  }

  /// The same for the start that the file belongs to.
  Run bare(String source) {
    return attempts.of(source, bare);
  }

  /// Starts without communicators that the launcher replaced by another one.
  private List<Run> replaced() {
    var replaced = new ArrayList<Run>();
    int attempt = 0;
    for (var each : attempts.replaced(bare)) {
      attempt++;
      if (each.told()) {
        var run = new Run(attempt, true);
        run.absorb(each);
        replaced.add(run);
      }
    }
    return replaced;
  }

  /// Whether a recording reports an end, with logs or without: a user who saves it takes it for a
  /// job's. An agent sends the ends of all pods.
  private boolean reported() {
    return recorded() && !bare().failures().signs().isEmpty();
  }

  private boolean recorded() {
    return sources.values().stream().noneMatch(Source::live);
  }

  /// Records that lines show a job on GPUs, whatever else they state.
  void works() {
    works = true;
  }

  /// What a run's processes hold.
  Ending.Held held(Run run) {
    return changing ? Ending.Held.of(run) : held.computeIfAbsent(run, Ending.Held::of);
  }

  /// Runs a change of the job. Every change must go through this method.
  void change(Runnable change) {
    changing = true;
    inOrder = null;
    held.clear();
    endings.clear();
    try {
      change.run();
    } finally {
      changing = false;
    }
  }

  /// Processes that NCCL's lines name and that joined no communicator: they may have failed before.
  public Collection<TrainingProcess> strays() {
    return runs.isEmpty() ? List.of() : unplaced.values();
  }

  /// Records that no lines came for this long, by the caller's clock, until [#resume].
  ///
  /// @param copy copies rounds that are judged before they are complete
  public void idle(Duration silence, UnaryOperator<Rounds> copy) {
    change(() -> eachRun(run -> run.idle(silence, copy)));
  }

  /// Lines may come again: nothing is left of the silence.
  public void resume() {
    change(() -> eachRun(Run::resume));
  }

  private void eachRun(Consumer<Run> does) {
    runs.forEach(does);
    does.accept(bare);
    attempts.later().forEach(does);
  }

  Optional<Run> runOf(String process) {
    return index().ofProcess(process);
  }

  /// The communicator of this name, in any run.
  Optional<Communicator> communicator(String id) {
    return index().ofCommunicator(id).flatMap(run -> run.communicator(id));
  }

  RunIndex index() {
    var known = index;
    if (known == null) {
      known = new RunIndex(runs);
      index = known;
    }
    return known;
  }

  /// The topology of a node, if its agent sent it.
  public Optional<NodeTopology> topology(String node) {
    return Optional.ofNullable(topologies.get(node));
  }

  /// How well a node is observed, if that is known.
  public Optional<NodeWatch> watch(String node) {
    return Optional.ofNullable(watches.get(node));
  }

  /// Gives up communicators under whose name ranks of several communicators were put together.
  /// Their processes wait again.
  void disband(String name) {
    for (var run : List.copyOf(runs)) {
      if (run.forget(id -> id.equals(name) || id.startsWith(name + "."))) {
        runs.remove(run);
        run.release().forEach(process -> unplaced.put(process.id(), process));
        bare().absorb(run);
      }
    }
    index = null;
  }

  /// Ids that its runs have or may have had. Until its world is known, a run has no id, or that of
  /// another of its communicators. Ids of communicators whose ranks turned out to belong to several
  /// are included, those of forgotten runs are not.
  public Set<String> names() {
    var names = Run.names(runs());
    names.add("");
    names.add(Run.NONE);
    names.add(Run.unnamed(attempts.number()));
    names.addAll(unnamedStarts.givenUp());
    return names;
  }

  /// Records that a chunk was read as it was written.
  void read(Instant at) {
    if (newestRead != null && Duration.between(newestRead, at).compareTo(PAUSE) > 0) {
      resumed = at;
    }
    newestRead = newestRead == null || at.isAfter(newestRead) ? at : newestRead;
  }

  /// When the newest chunk was read, if any is read as it is written.
  public Optional<Instant> newestRead() {
    return Optional.ofNullable(newestRead);
  }

  /// When chunks came again after all sources had been silent for a while, if they ever were.
  public Optional<Instant> resumed() {
    return Optional.ofNullable(resumed);
  }

  /// Whether a communicator is known, or there is room for it in the share of the file whose line
  /// names it first.
  boolean admits(String comm, int nranks, String source) {
    if (communicator(comm).isPresent()) {
      return true;
    }
    int ofSource = founded.getOrDefault(source, 0);
    if (ofSource >= MAX_FOUNDED || communicators >= MAX_COMMUNICATORS || nranks > Run.MAX_RANKS) {
      leftOut++;
      return false;
    }
    founded.put(source, ofSource + 1);
    communicators++;
    return true;
  }

  /// How many lines named communicators for which there was no room. The job is judged without
  /// them.
  public long leftOut() {
    return leftOut;
  }

  /// Whether statements of the node's processes still have room; counts one that has none.
  boolean keepsMoreOf(String node) {
    if (bytesByNode().getOrDefault(node, 0L) < MAX_BYTES) {
      return true;
    }
    unkept++;
    return false;
  }

  /// Counts what a statement of one of the node's processes takes.
  void grow(String node, int bytes) {
    large |= bytesByNode().merge(node, (long) bytes, Long::sum) >= MAX_BYTES / 2;
  }

  private Map<String, Long> bytesByNode() {
    var known = bytesByNode;
    if (known == null) {
      var sums = new HashMap<String, Long>();
      runs.forEach(run -> run.processes().forEach(process -> process.addBytesTo(sums)));
      unplaced.values().forEach(process -> process.addBytesTo(sums));
      large = sums.values().stream().anyMatch(bytes -> bytes >= MAX_BYTES / 2);
      bytesByNode = sums;
      known = sums;
    }
    return known;
  }

  /// How many statements of processes had no room. The job is judged without them.
  public long unkept() {
    return unkept;
  }

  /// Makes room for a communicator with this many ranks.
  ///
  /// @return false if there is no room for it
  boolean takeSeats(int nranks) {
    if (nranks > Run.MAX_RANKS) {
      return false;
    }
    if (seats + nranks > MAX_SEATS) {
      return false;
    }
    seats += Math.max(0, nranks);
    return true;
  }

  /// Whether every source has ended.
  public boolean ended() {
    return !sources.isEmpty() && sources.values().stream().allMatch(Source::ended);
  }

  /// How this run came to its end, if it did.
  public Optional<Ending> ending(Run run) {
    return changing || runs.isEmpty()
        ? Ending.of(run, this)
        : endings.computeIfAbsent(run, it -> Ending.of(it, this));
  }

  /// Whether nothing more will come from this run.
  public boolean over(Run run) {
    return ending(run).isPresent();
  }

  /// Runs that the state forgets with the next record: the oldest if there are too many, or if they
  /// take too much. Until then they can be judged, however many runs the last record began; their
  /// lines in the ledger stay. Runs that just begin stay, since groups that come up at the same
  /// time may turn out to be one run.
  public List<Run> leaving() {
    if (!isCrowded(runs)) {
      return List.of();
    }
    var sorted = runs();
    int from = 0;
    while (isCrowded(sorted.subList(from, sorted.size()))) {
      from++;
    }
    return List.copyOf(sorted.subList(0, from));
  }

  /// Called at each record, with runs in any order. Uses loops, as there may be tens of thousands.
  private boolean isCrowded(List<Run> runs) {
    if (runs.size() <= 2) {
      return false;
    }
    int processes = 0;
    for (var run : runs) {
      processes += run.processes().size();
    }
    return (large || runs.size() > MAX_RUNS || processes > MAX_PROCESSES)
        && (processes > MAX_BEGINNING || !justBegin(runs));
  }

  /// Forgets the runs of [#leaving].
  void prune() {
    if (large) {
      bytesByNode = null; // processes may have been given up
    }
    var leaving = leaving();
    if (!leaving.isEmpty()) {
      runs.removeAll(leaving);
      forgotten += leaving.size();
      index = null;
      seats = runs.stream().mapToLong(Run::seats).sum();
      founded.clear();
      bytesByNode = null;
      communicators = runs.stream().mapToInt(run -> run.communicators().size()).sum();
    }
  }

  /// How many runs it has forgotten.
  public int forgotten() {
    return forgotten;
  }

  private static boolean justBegin(List<Run> runs) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (var run : runs) {
      long at = run.firstNanos();
      if (at != NO_TIME) {
        first = Math.min(first, at);
        last = Math.max(last, at);
      }
    }
    return first > last || last - first < STARTING_NANOS;
  }

  /// Saved output of `nvidia-smi nvlink -e` and `-s`, by the GPU's UUID.
  public Map<String, SavedNvlinks.Gpu> nvlinks() {
    return SavedNvlinks.together(nvlinks.values());
  }

  /// Saved output of `rdma statistic show`, one entry for each file.
  public List<SavedPorts> ports() {
    return List.copyOf(ports.values());
  }

  /// Tables that nccl-tests printed in a log file, by its source's id.
  public List<Table> testTables(String source) {
    var file = tests.get(source);
    return file == null ? List.of() : file.tables();
  }

  /// Tables that nccl-tests printed in the log files of a run: in those of its processes, unless a
  /// later run has processes there. Files without NCCL's lines belong to the last run.
  public List<Table> tables(Run run) {
    if (tests.isEmpty()) {
      return List.of();
    }
    var all = runs();
    var told = new ArrayList<Table>();
    tests.forEach(
        (source, tables) -> {
          var owner =
              all.reversed().stream()
                  .filter(each -> each.writesTo(source))
                  .findFirst()
                  .orElse(all.getLast());
          if (owner.id().equals(run.id())) {
            told.addAll(tables.tables());
          }
        });
    return told;
  }

  /// Log sources by id.
  public Map<String, Source> sources() {
    return sources;
  }

  /// Number of nodes that its lines come from.
  public long nodes() {
    return sources.keySet().stream().map(LogSource::nodeOf).distinct().count();
  }

  /// Which ranks share each layer, as far as lines state it.
  public TensorGroups tensorGroups() {
    return tensors;
  }

  /// Reports about the job from sources other than its logs.
  public JobWitnesses witnesses() {
    return witnesses;
  }

  /// NCCL lines that no parser knows, by version and shape.
  public Map<String, Integer> unknownShapes() {
    return unknownShapes;
  }

  public long lines() {
    return lines;
  }

  public long ncclLines() {
    return ncclLines;
  }

  /// Lines that block-buffered output cut or merged.
  public long spliced() {
    return spliced;
  }
}
