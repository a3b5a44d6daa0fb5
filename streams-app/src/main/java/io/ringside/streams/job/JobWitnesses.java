package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.ras.RasAnswer;
import io.ringside.streams.witness.Witness;
import io.ringside.streams.witness.dump.DumpVerdict;
import io.ringside.streams.witness.dump.DumpVerdicts;
import io.ringside.streams.witness.inspector.InspectorRounds;
import io.ringside.streams.witness.ras.RasVerdict;
import io.ringside.streams.witness.ras.RasVerdicts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reports about a job from sources other than its logs. Bounded: of too many answers the oldest
/// are dropped.
public final class JobWitnesses {
  /// Enough for the dumps of the largest jobs, and of a restart.
  private static final int MOST_DUMPS = 16_384;

  /// Calls in the dumps of some thousand ranks; dumps after that are shortened.
  private static final int MOST_CALLS = 250_000;

  private static final int MOST_ANSWERS = 1_024;

  /// Runs whose verdicts are held, more than a ledger has of a job.
  private static final int MOST_JUDGED = 64;

  /// Answers come each minute, and every ten seconds while the job stands still: this covers at
  /// least two hours, or twenty minutes of a standstill.
  private static final int MOST_LIVE = 128;

  private final Map<String, Dump> dumps = new TreeMap<>();
  private final Map<String, DumpReading.Refused> refused = new TreeMap<>();
  private final Map<String, LogSource> files = new TreeMap<>();
  private final List<RasAnswer> answers = new ArrayList<>();

  /// Reports of RAS's monitor.
  private final List<RasAnswer> deaths = new ArrayList<>();

  private final Map<String, Integer> damagedRas = new TreeMap<>();
  private final InspectorRounds rounds = new InspectorRounds();
  private final Map<String, Inspector> inspected = new TreeMap<>();
  private String rasFile = "";
  private boolean live;
  private long dumpedNanos = NO_TIME;
  private long calls;
  private transient @Nullable List<RasVerdict> verdicts;

  /// What the dumps of each run proved when they were judged last.
  private final transient Map<String, JudgedDumps> judgedDumps = new HashMap<>();

  /// Records what one file reports.
  void add(WitnessFacts facts) {
    var file = facts.source().file();
    for (var said : facts.said()) {
      switch (said) {
        case Witness.Dumped(var dump) -> {
          if (dumps.size() < MOST_DUMPS || dumps.containsKey(file)) {
            var kept = calls + dump.calls().size() > MOST_CALLS ? dump.shortened() : dump;
            var before = dumps.put(file, kept);
            calls += kept.calls().size() - (before == null ? 0 : before.calls().size());
            refused.remove(file);
            dumpedNanos = Math.max(dumpedNanos, facts.readNanos());
            files.put(file, facts.source());
          }
        }
        case Witness.Undumped(var none) -> {
          if (refused.size() < MOST_DUMPS && !dumps.containsKey(file)) {
            refused.put(file, none);
          }
        }
        case Witness.RasSaid(var more, int damaged) -> {
          if (damaged > 0 && damagedRas.size() < MOST_ANSWERS) {
            damagedRas.put(file, damaged);
          }
          more.stream()
              .filter(it -> !it.dead().isEmpty())
              .limit(MOST_ANSWERS - deaths.size())
              .forEach(deaths::add);
          var asked = more.stream().filter(it -> it.dead().isEmpty()).toList();
          if (!more.isEmpty()) {
            rasFile = file;
            files.put(file, facts.source());
          }
          if (asked.isEmpty()) {
            continue;
          }
          // the same answer, read before it was complete
          if (!answers.isEmpty() && rasFile.equals(file) && again(asked.getFirst())) {
            answers.removeLast();
          }
          answers.addAll(asked);
          verdicts = null;
          if (answers.size() > MOST_ANSWERS) {
            answers.subList(0, answers.size() - MOST_ANSWERS).clear();
          }
        }
        case Witness.Inspected(var times) ->
            times.forEach(
                each -> {
                  rounds.add(each);
                  if (inspected.size() < MOST_DUMPS) {
                    inspected.putIfAbsent(
                        each.comm() + " " + each.rank(),
                        new Inspector(file, each.host(), each.pid()));
                    files.putIfAbsent(file, facts.source());
                  }
                });
      }
    }
  }

  /// Records what a node's witnesses report at this moment, but only RAS answers about this job.
  /// An answer is about a single job, and not every communicator in it is named by a line.
  ///
  /// @param own whether a communicator belongs to the job
  void addLive(WitnessFacts facts, Predicate<String> own) {
    for (var said : facts.said()) {
      if (!(said instanceof Witness.RasSaid(var more, _))) {
        add(new WitnessFacts(facts.source(), List.of(said), facts.readNanos()));
      } else {
        for (var answer : more) {
          if (answer.comms().stream().anyMatch(comm -> own.test(comm.commId()))) {
            answers.add(answer);
            rasFile = facts.source().file();
            files.put(rasFile, facts.source());
            live = true;
            verdicts = null;
          }
        }
      }
    }
    if (answers.size() > MOST_LIVE) {
      answers.subList(0, answers.size() - MOST_LIVE).clear();
    }
  }

  private boolean again(RasAnswer answer) {
    return answer.atNanos() > 0 && answers.getLast().atNanos() == answer.atNanos();
  }

  /// Whether an agent asks RAS, so that missing answers prove something.
  public boolean live() {
    return live;
  }

  /// Whether no witness reported anything.
  public boolean isEmpty() {
    return dumps.isEmpty()
        && refused.isEmpty()
        && answers.isEmpty()
        && deaths.isEmpty()
        && rounds.isEmpty();
  }

  /// The dumps, in the order of their files.
  public Collection<Dump> dumps() {
    return dumps.values();
  }

  private record JudgedDumps(
      List<Dump> dumps, List<DumpReading.Refused> refused, boolean allIn, DumpVerdict verdict) {}

  /// What these dumps of a run prove, see {@link DumpVerdicts#of}; computed once for the same
  /// dumps, since a job of thousands of ranks is judged several times a second.
  public DumpVerdict verdict(
      String run, List<Dump> ofRun, Collection<DumpReading.Refused> unread, boolean allIn) {
    var known = judgedDumps.get(run);
    var refusals = List.copyOf(unread);
    if (known == null
        || known.allIn() != allIn
        || !known.dumps().equals(ofRun)
        || !known.refused().equals(refusals)) {
      known = new JudgedDumps(ofRun, refusals, allIn, DumpVerdicts.of(ofRun, refusals, allIn));
      if (judgedDumps.size() >= MOST_JUDGED) {
        judgedDumps.clear();
      }
      judgedDumps.put(run, known);
    }
    return known.verdict();
  }

  /// When an agent read the last dump, {@link LogChunk#NO_TIME} if the dumps were recorded.
  public long dumpedNanos() {
    return dumpedNanos;
  }

  /// Files that should be dumps but were refused.
  public Collection<DumpReading.Refused> refused() {
    return refused.values();
  }

  /// Number of RAS answers that were cut or damaged, by file.
  public Map<String, Integer> damagedRas() {
    return damagedRas;
  }

  /// RAS's answers in the order in which they came.
  public List<RasAnswer> answers() {
    return answers;
  }

  /// Reports of RAS's monitor about dead processes, in the order in which they came.
  public List<RasAnswer> deaths() {
    return deaths;
  }

  /// What the answers prove together, communicator by communicator; computed once after each
  /// answer.
  public List<RasVerdict> rasVerdicts() {
    var known = verdicts;
    if (known == null) {
      known = RasVerdicts.of(answers);
      verdicts = known;
    }
    return known;
  }

  /// The same for a job about which nothing else is known.
  public List<RasVerdict> rasAlone() {
    return answers.size() == 1 && !live ? RasVerdicts.ofOne(answers.getFirst()) : rasVerdicts();
  }

  /// Whether the log ends with RAS's only answer: the user who asked saw the job stand still, and
  /// no step came after it.
  public boolean rasLast() {
    return answers.size() == 1 && answers.getFirst().last();
  }

  /// The file of RAS's newest answers, empty if there are none.
  public String rasFile() {
    return rasFile;
  }

  /// The Inspector of one process.
  ///
  /// @param pid -1 if the file does not state it
  public record Inspector(String file, String host, int pid) {
    /// Whether both are files of one process.
    public boolean alike(Inspector other) {
      return pid == other.pid && host.equals(other.host);
    }
  }

  /// The Inspector of a communicator's rank, if it has reported anything.
  public Optional<Inspector> inspector(String comm, int rank) {
    return Optional.ofNullable(inspected.get(comm + " " + rank));
  }

  /// The Inspector's rounds.
  public InspectorRounds rounds() {
    return rounds;
  }

  /// Log source of a witness's file.
  public Optional<LogSource> source(String file) {
    return Optional.ofNullable(files.get(file));
  }
}
