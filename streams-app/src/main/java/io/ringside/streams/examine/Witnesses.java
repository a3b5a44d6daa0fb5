package io.ringside.streams.examine;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.JobWitnesses;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.Group;
import io.ringside.streams.parse.ras.RasAnswer;
import io.ringside.streams.witness.dump.DumpVerdict;
import io.ringside.streams.witness.inspector.DumpTimes;
import io.ringside.streams.witness.inspector.InspectorVerdict;
import io.ringside.streams.witness.ras.RasVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What witnesses other than the log say of a run, in the run's global ranks. RAS and Inspector
/// name communicators. Dumps are matched to a run by their times and by the number of ranks that
/// they know.
public final class Witnesses {
  /// Longest time between a run's last line and a dump, in nanoseconds: watchdogs wait at most half
  /// an hour by default.
  private static final long LATEST_NANOS = 3_600_000_000_000L;

  /// Time after which all dumps are in, in nanoseconds: ranks dump within seconds of each other,
  /// and an agent waits until a dump is complete.
  private static final long UNDERWAY_NANOS = 30_000_000_000L;

  /// Progress this many nanoseconds after a death shows that the run continued.
  private static final long WENT_ON_NANOS = 10_000_000_000L;

  private static final long STALE_NANOS = 90_000_000_000L;

  /// Number of digits of a communicator's ID that all witnesses print, including `0x`.
  private static final int COMMON_DIGITS = 16;

  private final Run run;
  private final JobWitnesses said;
  private final List<Dump> dumps;
  private final boolean alone;

  private final boolean allIn;

  private Witnesses(JobState job, Run run, Instant now) {
    this.run = run;
    said = job.witnesses();
    alone = job.runs().size() == 1;
    allIn = said.dumpedNanos() == NO_TIME || Nanos.of(now) - said.dumpedNanos() >= UNDERWAY_NANOS;
    dumps = said.dumps().stream().filter(dump -> isOf(dump, job)).toList();
  }

  /// The witnesses of the run.
  public static Witnesses of(JobState job, Run run, Instant now) {
    return new Witnesses(job, run, now);
  }

  /// What the flight recorder's dumps prove; empty if there are none.
  public Optional<DumpVerdict> dumps() {
    return dumps.isEmpty()
        ? Optional.empty()
        : Optional.of(said.verdict(run.id(), dumps, alone ? said.refused() : List.of(), allIn));
  }

  /// What RAS proves about each of the run's communicators.
  public List<RasVerdict> ras() {
    var verdicts = new ArrayList<RasVerdict>();
    dead().ifPresent(verdicts::add);
    if (said.answers().isEmpty()) {
      return verdicts;
    }
    long now = lastNanos();
    var all = silent() || standsAtLast() ? said.rasAlone() : said.rasVerdicts();
    if (all.isEmpty()) {
      return verdicts;
    }
    var largest = Collections.max(all, Comparator.comparingInt(RasVerdict::nranks));
    for (var verdict : all) {
      if (isOfRun(verdict)) {
        verdicts.add(
            new RasVerdict(
                verdict.commId(),
                verdict.nranks(),
                verdict.pids(),
                global(verdict, verdict.behind(), largest),
                global(verdict, verdict.missing(), largest),
                global(verdict, verdict.ahead(), largest),
                stale(verdict, now) ? 0 : verdict.standsSinceNanos(),
                verdict.alikeSinceNanos(),
                verdict.lastNanos(),
                verdict.longestNanos(),
                words(verdict, largest)));
      }
    }
    return verdicts;
  }

  /// RAS's own statements about stuck ranks that cannot be matched to ranks of the run.
  public List<String> unplaced() {
    var all = said.rasVerdicts();
    if (all.isEmpty()) {
      return List.of();
    }
    var largest = Collections.max(all, Comparator.comparingInt(RasVerdict::nranks));
    long now = lastNanos();
    return all.stream()
        .filter(verdict -> verdict.hangs() && isOfRun(verdict) && !stale(verdict, now))
        .filter(verdict -> global(verdict, told(verdict), largest).isEmpty())
        .flatMap(verdict -> words(verdict, largest).stream())
        .toList();
  }

  /// Ranks that RAS's monitor calls dead, except ranks that left in order or that the run outlived.
  private Optional<RasVerdict> dead() {
    var ranks = new TreeSet<Integer>();
    var pids = new TreeMap<Integer, Integer>();
    long since = 0;
    for (var death : said.deaths()) {
      long at = Math.max(1, death.atNanos());
      for (var it : death.dead()) {
        int rank = process(it).filter(process -> !process.tornDown()).map(run::rank).orElse(-1);
        if (rank >= 0 && !run.done() && run.progressNanos() <= at + WENT_ON_NANOS) {
          ranks.add(rank);
          pids.put(rank, it.pid());
          since = since == 0 ? at : Math.min(since, at);
        }
      }
    }
    var words =
        pids.entrySet().stream()
            .map(it -> "rank %d is dead, process %d".formatted(it.getKey(), it.getValue()))
            .toList();
    return ranks.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RasVerdict(
                "", 0, pids, Set.of(), ranks, Set.of(), since, 0, lastNanos(), 0, words));
  }

  /// Finds the process. If processes of several pods have the same pid, it is the one whose host
  /// RAS names as its lines do; RAS mostly gives an address instead.
  private Optional<TrainingProcess> process(RasAnswer.Dead dead) {
    return ofPid(dead.pid())
        .or(
            () ->
                run.processes().stream()
                    .filter(it -> it.pid() == dead.pid() && it.host().equals(dead.host()))
                    .findFirst());
  }

  /// Whether the run has no lines of its own.
  private boolean silent() {
    return run.processes().isEmpty()
        && run.steps().tracks().isEmpty()
        && run.watchdogs().isEmpty()
        && run.failures().signs().isEmpty();
  }

  /// Whether RAS was queried at the end of a run whose end shows nowhere else.
  private boolean standsAtLast() {
    return said.rasLast()
        && !run.done()
        && run.watchdogs().isEmpty()
        && run.failures().signs().isEmpty();
  }

  private boolean isOfRun(RasVerdict verdict) {
    return comm(verdict.commId()) != null
        || unnamed()
        || verdict.pids().values().stream().anyMatch(pid -> ofPid(pid).isPresent());
  }

  /// Global ranks of a communicator's ranks. Without lines that name the communicator, ranks can
  /// only be found through their processes, unless the communicator has the run's numbering.
  private Set<Integer> global(RasVerdict verdict, Set<Integer> ranks, RasVerdict largest) {
    if (comm(verdict.commId()) != null || numbers(verdict, largest)) {
      return global(verdict.commId(), ranks);
    }
    var global = new TreeSet<Integer>();
    for (int rank : ranks) {
      int pid = verdict.pids().getOrDefault(rank, -1);
      global.add(numbers(largest, largest) ? rank(pid, largest) : rank(pid));
    }
    global.remove(-1);
    return global;
  }

  /// Whether the communicator has the run's numbering. If no line names any communicator, RAS's
  /// largest ones do, provided that they have at least as many ranks: ranks of a group are not the
  /// job's.
  private boolean numbers(RasVerdict verdict, RasVerdict largest) {
    return unnamed()
        && verdict.nranks() >= run.processes().size()
        && verdict.nranks() == largest.nranks();
  }

  private int rank(int pid) {
    return ofPid(pid).map(run::rank).orElse(-1);
  }

  private static int rank(int pid, RasVerdict largest) {
    var ranks =
        largest.pids().entrySet().stream()
            .filter(it -> pid > 0 && it.getValue() == pid)
            .map(Map.Entry::getKey)
            .toList();
    return ranks.size() == 1 ? ranks.getFirst() : -1;
  }

  /// The process with this pid, if only one has it: pods reuse the same pids.
  private Optional<TrainingProcess> ofPid(int pid) {
    var found = run.processes().stream().filter(it -> pid > 0 && it.pid() == pid).toList();
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  private static Set<Integer> told(RasVerdict verdict) {
    var told = new TreeSet<>(verdict.behind());
    told.addAll(verdict.ahead());
    told.addAll(verdict.missing());
    return told;
  }

  /// RAS's statements. Those about ranks within a group say so.
  private List<String> words(RasVerdict verdict, RasVerdict largest) {
    var told = told(verdict);
    return global(verdict, told, largest).equals(told)
        ? verdict.statements()
        : verdict.statements().stream()
            .map(it -> "%s, by its rank on %s".formatted(it, verdict.commId()))
            .toList();
  }

  /// Whether an agent that queries every minute has had no answer for longer, so that it is unknown
  /// whether the ranks are still stuck. Jobs that are over leave such answers behind.
  private boolean stale(RasVerdict verdict, long nowNanos) {
    return said.live() && nowNanos - verdict.lastNanos() > STALE_NANOS;
  }

  /// Whether RAS was queried while the job ran, not read from a file.
  public boolean rasLive() {
    return said.live();
  }

  /// Epoch nanoseconds when an agent got RAS's newest answer,
  /// {@link io.ringside.schemas.event.LogChunk#NO_TIME} if it got none.
  public long rasHeardNanos() {
    return said.live()
        ? said.answers().stream().mapToLong(RasAnswer::atNanos).max().orElse(NO_TIME)
        : NO_TIME;
  }

  /// Which ranks the others waited for, by the ranks' own times, on communicators of the run.
  ///
  /// @param late whether the waits were frequent and long enough
  public List<MeasuredWaits> timed(Predicate<InspectorVerdict> late) {
    var timed = new ArrayList<MeasuredWaits>();
    var verdicts = said.rounds().verdicts();
    for (var verdict : verdicts) {
      if (late.test(verdict)) {
        var largest = Collections.max(verdicts, Comparator.comparingInt(InspectorVerdict::nranks));
        timed.add(
            new MeasuredWaits(
                "inspector", verdict, ranks(verdict.comm(), verdict.nranks(), largest)));
      }
    }
    var groups = new TreeMap<String, Group>();
    dumps.forEach(dump -> dump.groups().forEach(group -> groups.put(group.key(), group)));
    for (var verdict : DumpTimes.of(dumps)) {
      if (late.test(verdict)) {
        timed.add(
            new MeasuredWaits(
                "flight-recorder",
                verdict,
                groups.getOrDefault(verdict.comm(), Group.NONE).ranks()));
      }
    }
    timed.removeIf(it -> it.rank() < 0);
    return timed;
  }

  /// What the Inspector measured on a communicator of the run.
  public Optional<InspectorVerdict> measured(String comm) {
    return said.rounds().verdicts().stream()
        .filter(verdict -> comm.equals(comm(verdict.comm())))
        .findFirst();
  }

  /// Communicators of the run whose calls the Inspector measured as slow on all ranks.
  public List<SlowCommunicator> slowed() {
    var verdicts = said.rounds().verdicts();
    var slow = said.rounds().slow();
    if (slow.isEmpty()) {
      return List.of();
    }
    var largest = Collections.max(verdicts, Comparator.comparingInt(InspectorVerdict::nranks));
    return slow.stream()
        .map(group -> new SlowCommunicator(group, ranks(group.comm(), group.nranks(), largest)))
        .filter(it -> it.ranks().stream().noneMatch(rank -> rank < 0))
        .toList();
  }

  /// The run's rank of each rank of a communicator; by the ranks' processes if no line names the
  /// communicator.
  private List<Integer> ranks(String comm, int nranks, InspectorVerdict largest) {
    boolean named = comm(comm) != null || numbers(largest) && comm.equals(largest.comm());
    return IntStream.range(0, nranks)
        .map(
            rank ->
                named
                    ? global(comm, Set.of(rank)).iterator().next()
                    : said.inspector(comm, rank).map(it -> rank(it, largest)).orElse(-1))
        .boxed()
        .toList();
  }

  /// Whether the communicator has the run's numbering. If no line names any communicator, the
  /// Inspector's largest one does, provided that it has at least as many ranks: ranks of a group
  /// are not the job's.
  private boolean numbers(InspectorVerdict largest) {
    return unnamed() && largest.nranks() >= run.processes().size();
  }

  private int rank(JobWitnesses.Inspector process, InspectorVerdict largest) {
    return numbers(largest)
        ? IntStream.range(0, largest.nranks())
            .filter(rank -> said.inspector(largest.comm(), rank).filter(process::alike).isPresent())
            .findFirst()
            .orElse(-1)
        : run.processes().stream()
            .filter(it -> it.pid() == process.pid() && it.host().equals(process.host()))
            .findFirst()
            .map(run::rank)
            .orElse(-1);
  }

  /// The run's ranks of a communicator's ranks. If the communicator has no lines, its ranks are
  /// taken for global ones.
  public Set<Integer> global(String comm, Collection<Integer> ranks) {
    var communicator = Optional.ofNullable(comm(comm)).flatMap(run::communicator);
    var global = new TreeSet<Integer>();
    for (int rank : ranks) {
      global.add(
          communicator
              .flatMap(known -> run.process(known, rank))
              .map(run::rank)
              .filter(known -> known >= 0)
              .orElse(rank));
    }
    return global;
  }

  /// The latest time, in epoch nanoseconds, at which anything is known of the run.
  public long lastNanos() {
    long last = run.lastNanos() == NO_TIME ? 0 : run.lastNanos();
    for (var answer : said.answers()) {
      last = Math.max(last, answer.atNanos());
    }
    var gpus = run.gpus().bySecond();
    return gpus.isEmpty() ? last : Math.max(last, gpus.lastKey() * 1_000_000_000L);
  }

  /// A statement of a rank's dump as evidence.
  public Evidence dumpProof(int rank, String words, long atNanos) {
    return proof(
        dumps.stream().filter(dump -> dump.rank() == rank).map(Dump::file).findFirst().orElse(""),
        "flight recorder: " + words,
        atNanos);
  }

  /// A statement of RAS as evidence.
  public Evidence rasProof(String words, long atNanos) {
    return proof(said.rasFile(), "RAS: " + words, atNanos);
  }

  /// A statement of the Inspector as evidence, from the file of the communicator's first rank.
  public Evidence speedProof(SlowCommunicator slowed, String words) {
    return proof(
        said.inspector(slowed.group().comm(), 0).map(JobWitnesses.Inspector::file).orElse(""),
        "Inspector: " + words,
        slowed.group().fromMicros() * 1000);
  }

  /// A statement of the measuring witness as evidence.
  public Evidence timedProof(MeasuredWaits timed, String words, long atNanos) {
    var verdict = timed.verdict();
    return timed.witness().equals("inspector")
        ? proof(
            said.inspector(verdict.comm(), verdict.rank())
                .map(JobWitnesses.Inspector::file)
                .orElse(""),
            "Inspector: " + words,
            atNanos)
        : dumpProof(timed.rank(), words, atNanos);
  }

  private Evidence proof(String file, String text, long atNanos) {
    var source = said.source(file);
    return new Evidence(
        atNanos > 1 ? Nanos.instant(atNanos) : null,
        source.map(known -> known.node()).orElse(""),
        source.map(known -> known.pod()).orElse(""),
        file,
        -1,
        text);
  }

  /// The ID of the run's communicator that begins with this ID; null if there is none.
  private @Nullable String comm(String id) {
    var digits = id.substring(0, Math.min(id.length(), COMMON_DIGITS));
    if (digits.length() < COMMON_DIGITS) {
      return null;
    }
    return run.communicators().stream()
        .map(known -> known.id())
        .filter(
            known -> known.equals(id) || (id.length() <= COMMON_DIGITS && known.startsWith(digits)))
        .findFirst()
        .orElse(null);
  }

  /// Whether the logs name no communicator, so that all files beside them belong to this run.
  private boolean unnamed() {
    return alone && run.communicators().isEmpty();
  }

  private boolean isOf(Dump dump, JobState job) {
    int known = dump.groups().stream().mapToInt(group -> group.ranks().size()).max().orElse(0);
    if (run.hasWorld() && known > 0 && known != run.nranks()) {
      return false;
    }
    long at = dump.lastNanos();
    if (at == 0 || run.firstNanos() == NO_TIME) {
      return job.runs().getLast() == run || alone;
    }
    if (at < run.firstNanos() || at > run.lastNanos() + LATEST_NANOS) {
      return false;
    }
    return job.runs().stream()
        .noneMatch(
            later ->
                later != run
                    && later.firstNanos() != NO_TIME
                    && later.firstNanos() > run.firstNanos()
                    && later.firstNanos() <= at);
  }
}
