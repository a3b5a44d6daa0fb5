package io.ringside.streams.detect.failure;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Finds runs that died, and the first failure over all ranks and launchers. The earliest failure
/// counts, not the most frequent message.
///
/// A traceback alone proves no death, because programs catch exceptions. A run is dead if a
/// launcher, a scheduler or the process itself says so, or if no training follows a traceback in
/// its file and the file has ended.
public final class JobFailed implements Detector {
  /// Number of lines that other ranks of the same file may still print after one rank failed.
  private static final int STRAGGLING_LINES = 3;

  /// An exception that the program has caught this many times before counts as caught.
  private static final int USUAL = 2;

  /// Hint that Python appends to a message (CPython's Lib/traceback.py, 3.10 and later).
  private static final String HINT = ". Did you mean: ";

  private static final long LONG_AFTER_NANOS = 60_000_000_000L;

  /// A process that dies of an exception calls no more collectives, except those that a thread had
  /// prepared. Later calls prove that it was caught.
  private static final long CAUGHT_NANOS = 30_000_000_000L;

  private static final long AT_ONCE_NANOS = 5_000_000_000L;

  /// Message of Paddle's trainer, whose threads then crash as it leaves
  /// (paddle/fluid/operators/reader/blocking_queue.h).
  private static final String READER_FAILED = "Blocking queue is killed";

  /// Start of the last message of a program that crashed by itself.
  private static final String CRASHED = "Fatal Python error: ";

  /// Starts of messages of vLLM, SGLang and others that announce an exception without its name.
  private static final List<String> ANNOUNCES =
      List.of(
          "Error executing method '",
          "EngineCore encountered a fatal error",
          "EngineCore failed to start",
          "vllm.v1.engine.exceptions.EngineDeadError",
          "Exception during training:",
          "WorkerProc failed to start",
          "Scheduler hit an exception",
          "ray.exceptions.RayTaskError(",
          "ResourceExhaustedError: Graph execution error");

  /// Starts of messages of launchers and experiment trackers that report only an end, without a
  /// reason.
  private static final List<String> MUTE =
      List.of(
          "Primary job  terminated normally",
          "Failed - Training job failed",
          "wandb: Program failed",
          "wandb: Waiting for W&B process to finish");

  /// What watchdogs and C++ print as they end their process, in place of an exception's type.
  private static final Set<String> NO_TYPES = Set.of("process taken down", "terminate called");

  /// Message of every rank of a machine that had kernels running when a GPU or a link broke.
  private static final String LAUNCH_FAILED = "CUDA error: unspecified launch failure";

  @Override
  public List<Finding> examine(Examination examination) {
    var run = examination.run();
    var signs = RecordedErrors.inTimeOf(run, StepTasks.ofLastJob(ordered(run.failures().signs())));
    var causes =
        signs.stream()
            .filter(sign -> !(sign.event() instanceof FailureEvent.Reported))
            .filter(sign -> !ofAStranger(sign, signs, examination))
            .filter(sign -> !AfterLastStep.leaves(sign, run))
            .map(FailureCause::of)
            .toList();
    var deaths =
        causes.stream()
            .filter(FailureCause::death)
            .filter(it -> ended(it.sign(), run) && !wentOn(it.sign(), run))
            .toList();
    var told =
        causes.stream()
            .filter(cause -> !ofTheKernel(cause.sign().event()))
            .filter(cause -> !(ofTheDriver(cause) && KernelKill.beside(cause.sign(), examination)))
            .filter(cause -> ended(cause.sign(), run))
            .filter(cause -> !wentOn(cause.sign(), run))
            .filter(cause -> counts(cause, !deaths.isEmpty()))
            .filter(cause -> !deaths.isEmpty() || !(run.failures().finished() && ofAThread(cause)))
            .filter(cause -> !(isLogged(cause) && RecordedErrors.before(cause.sign(), run)))
            .filter(cause -> !deaths.isEmpty() || !usual(cause, causes))
            .filter(cause -> !ofAStartBefore(cause, causes))
            .toList();
    boolean dead =
        !deaths.isEmpty()
            || told.stream()
                .filter(
                    cause -> !ofTheMachine(cause) && !(run.failures().finished() && aborts(cause)))
                .anyMatch(cause -> over(cause.sign(), examination));
    if (!dead || told.isEmpty()) {
      return Kubernetes.end(signs, examination).stream()
          .map(end -> finding(end, List.of(end), examination))
          .toList();
    }
    var earliest = announced(first(beforeLimit(told), new LogClocks(run)), told);
    var own = explained(inOwnWords(earliest, told), told);
    var killed = KernelKill.explained(own, told, signs, examination);
    var first = Kubernetes.explained(killed, signs, examination);
    var cause = Interfaces.named(NcclWords.enrich(first, told, examination), examination);
    return List.of(finding(cause, told, examination));
  }

  /// Sorted by file and offset, so that findings do not depend on the order in which partitions are
  /// read.
  private static List<Sign> ordered(List<Sign> signs) {
    return signs.stream()
        .sorted(Comparator.comparing(Sign::source).thenComparingLong(sign -> sign.line().offset()))
        .toList();
  }

  private static boolean ofAStranger(Sign sign, List<Sign> signs, Examination examination) {
    return KernelKill.of(sign).filter(kill -> !kill.ends(signs, examination)).isPresent();
  }

  private static boolean ofTheKernel(FailureEvent event) {
    return event instanceof FailureEvent.Xid
        || event instanceof FailureEvent.SwitchXid
        || event instanceof FailureEvent.DriverNotice
        || event instanceof FailureEvent.GpuFlag
        || event instanceof FailureEvent.LinkDown;
  }

  /// Whether the line comes from the driver or nvidia-smi, not from a process of a job.
  private static boolean ofTheMachine(FailureCause cause) {
    return cause.failureClass() == FailureClass.GPU_ERROR
        && cause.sign().event() instanceof FailureEvent.Said;
  }

  /// Whether the line comes from NVIDIA's driver, which may report a GPU of another job.
  private static boolean ofTheDriver(FailureCause cause) {
    return ofTheMachine(cause) && cause.sign().line().text().contains("NVRM: ");
  }

  /// Whether a library aborted because its memory or state was corrupt. This also happens when a
  /// program exits after its work is done.
  private static boolean aborts(FailureCause cause) {
    return cause.sign().event() instanceof FailureEvent.Raised raised
        && raised.type().equals("SIGABRT");
  }

  /// Whether at most a few lines of other ranks show training after it.
  private static boolean last(Sign sign) {
    return sign.progressAfter() <= STRAGGLING_LINES;
  }

  /// Like `last`, but allows more lines if Slurm ends the whole job at its time limit: each rank
  /// continues until it is killed half a minute later (`KillWait`).
  private static boolean ended(Sign sign, Run run) {
    return last(sign)
        || sign.event() instanceof FailureEvent.Cancelled(var failureClass, var words)
            && failureClass == FailureClass.TIME_LIMIT
            && words.startsWith("*** JOB ")
            && sign.progressAfter() <= STRAGGLING_LINES * run.processes().size()
            && !longAfter(sign, run);
  }

  private static boolean longAfter(Sign sign, Run run) {
    return sign.atNanos() != NO_TIME && run.progressNanos() > sign.atNanos() + LONG_AFTER_NANOS;
  }

  /// Whether the run made progress for long after a line in a file that none of its processes
  /// writes, or finished in spite of it. A kernel's log covers everything on its node, and may have
  /// no times.
  private static boolean wentOn(Sign sign, Run run) {
    boolean helper =
        sign.event() instanceof FailureEvent.Said said
            && said.ofAScript()
            && sign.progressAfter() > 0;
    if (helper || called(sign, run)) {
      return true;
    }
    boolean cameToItsEnd = run.failures().finished() && sign.event() instanceof FailureEvent.Said;
    return (longAfter(sign, run) || cameToItsEnd)
        && !run.processes().isEmpty()
        && run.processes().stream()
            .noneMatch(process -> process.source().id().equals(sign.source()));
  }

  /// Whether the process that raised the exception called collectives long after it, so the
  /// exception was caught. If the line names no rank, all processes that write the file must have
  /// done so.
  private static boolean called(Sign sign, Run run) {
    if (sign.atNanos() == NO_TIME || !(sign.event() instanceof FailureEvent.Raised raised)) {
      return false;
    }
    var writers =
        run.processes().stream()
            .filter(process -> process.source().id().equals(sign.source()))
            .filter(process -> raised.rank() < 0 || run.rank(process) == raised.rank())
            .toList();
    return !writers.isEmpty()
        && writers.stream()
            .mapToLong(TrainingProcess::lastCallNanos)
            .allMatch(last -> last != NO_TIME && last > sign.atNanos() + CAUGHT_NANOS);
  }

  /// Whether the cause ended a launcher that was then started again, with output to the same file.
  /// In that case a launcher is interrupted later in the file, together with ranks. The ranks'
  /// exceptions carry their rank as a prefix, as for all ranks whose process group has come up.
  private static boolean ofAStartBefore(FailureCause cause, List<FailureCause> causes) {
    return !cause.death()
        && ofALaunchersEnd(cause)
        && cause.failureClass() != FailureClass.STOPPED
        && later(cause, causes).anyMatch(it -> interrupted(it) && ofALaunchersEnd(it))
        && later(cause, causes).anyMatch(it -> interrupted(it) && it.death() && it.rank() >= 0);
  }

  private static boolean ofALaunchersEnd(FailureCause cause) {
    return cause.rank() < 0
        && cause.sign().event() instanceof FailureEvent.Raised raised
        && raised.chain() == FailureEvent.Chain.MAIN;
  }

  private static boolean interrupted(FailureCause cause) {
    return cause.sign().event() instanceof FailureEvent.Raised raised
        && raised.type().equals("KeyboardInterrupt");
  }

  private static Stream<FailureCause> later(FailureCause cause, List<FailureCause> causes) {
    return causes.stream()
        .filter(it -> it.sign().source().equals(cause.sign().source()))
        .filter(it -> before(cause.sign(), it.sign()));
  }

  /// Whether the program has caught the same exception before, more than once.
  private static boolean usual(FailureCause cause, List<FailureCause> causes) {
    return cause.sign().event() instanceof FailureEvent.Raised raised
        && causes.stream()
                .filter(earlier -> !last(earlier.sign()))
                .filter(earlier -> alike(earlier.sign(), raised))
                .limit(USUAL)
                .count()
            == USUAL;
  }

  /// Whether the type and the place, if known, are the same. Messages are not compared: they often
  /// contain values that differ.
  private static boolean alike(Sign earlier, FailureEvent.Raised raised) {
    return earlier.event() instanceof FailureEvent.Raised other
        && other.type().equals(raised.type())
        && Objects.equals(other.frame(), raised.frame());
  }

  /// Whether the line counts as a failure. An exception without its traceback may be a quotation:
  /// it counts only if its text is known, or if a process ended.
  private static boolean counts(FailureCause cause, boolean death) {
    if (isLogged(cause)) {
      return death;
    }
    return !(cause.sign().event() instanceof FailureEvent.Raised raised)
        || raised.chain() != FailureEvent.Chain.LOOSE
        || death
        || cause.advice() != null && cause.failureClass() != FailureClass.NETWORK
        || raised.type().startsWith("torch.distributed.");
  }

  /// Whether a thread other than the main thread raised it. Such threads often fail when a program
  /// exits after its work is done.
  private static boolean ofAThread(FailureCause cause) {
    return cause.sign().event() instanceof FailureEvent.Raised raised
        && raised.chain() == FailureEvent.Chain.THREAD;
  }

  private static boolean isLogged(FailureCause cause) {
    return cause.sign().event() instanceof FailureEvent.Raised raised
        && raised.chain() == FailureEvent.Chain.LOGGED;
  }

  private static boolean over(Sign sign, Examination examination) {
    var source = examination.job().sources().get(sign.source());
    return source == null || source.ended() || examination.run().silent();
  }

  /// The causes before the scheduler's time limit, if a task of the same step had ended by itself
  /// and the others waited until the limit; else all causes. The task belongs to the same step if
  /// the limit ended all other tasks.
  private static List<FailureCause> beforeLimit(List<FailureCause> told) {
    var limit =
        told.stream()
            .filter(cause -> cause.failureClass() == FailureClass.TIME_LIMIT)
            .filter(cause -> cause.sign().event() instanceof FailureEvent.Cancelled)
            .findFirst();
    if (limit.isEmpty()) {
      return told;
    }
    var left =
        told.stream()
            .filter(cause -> before(limit.get().sign(), cause.sign()))
            .map(cause -> cause.sign().line().text())
            .filter(StepTasks::named)
            .toList();
    boolean before =
        !left.isEmpty()
            && told.stream()
                .filter(JobFailed::failedItself)
                .filter(cause -> cause.rank() >= 0 && before(cause.sign(), limit.get().sign()))
                .anyMatch(
                    cause -> left.stream().noneMatch(text -> StepTasks.hold(cause.rank(), text)));
    return before
        ? told.stream().filter(cause -> before(cause.sign(), limit.get().sign())).toList()
        : told;
  }

  /// The earliest cause that gives a reason; if none does, the earliest cause.
  private static FailureCause first(List<FailureCause> told, LogClocks clocks) {
    boolean failed = told.stream().anyMatch(JobFailed::failedItself);
    var early =
        told.stream()
            .filter(it -> !failed || !late(it, told))
            .filter(it -> !afterADeath(it, told))
            .filter(
                it ->
                    !StepTasks.paddleEnded(it.sign())
                        || told.stream().noneMatch(FailureCause::isOwnReport))
            .filter(it -> !takenDown(it, told) && !outer(it, told) && !repeats(it, told))
            .toList();
    var telling = early.stream().filter(FailureCause::tells).toList();
    var among = telling.isEmpty() ? early.stream().filter(it -> !it.follows()).toList() : telling;
    var left = among.isEmpty() ? rootCauses(early, told) : among;
    var first = earliest(left, clocks);
    return chained(first, left).orElse(first);
  }

  /// The end of a process that gives no reason, with the last exception that its rank raised
  /// before, or that any process of the same file raised if no rank is known. That process may be a
  /// victim, but more is not known. If the lines name ranks but not the rank that ended: the first
  /// exception in the file that does not follow from another rank's failure.
  private static FailureCause inOwnWords(FailureCause end, List<FailureCause> told) {
    if (end.failureClass() != FailureClass.UNKNOWN || !mute(end)) {
      return end;
    }
    int rank = rankOf(end, told);
    boolean ofAll = end.sign().event() instanceof FailureEvent.Said;
    boolean ofNoRank = !ofAll && rank < 0 && told.stream().anyMatch(cause -> cause.rank() >= 0);
    boolean anybodys = ofAll || ofNoRank;
    var raised =
        told.stream()
            .filter(cause -> cause.sign().event() instanceof FailureEvent.Raised)
            .filter(cause -> !cause.isLauncherSummary())
            .filter(
                cause ->
                    cause.rank() >= 0 && !anybodys
                        ? cause.rank() == rank
                        : cause.sign().source().equals(end.sign().source()))
            .filter(cause -> before(cause.sign(), end.sign()))
            .filter(cause -> !anybodys || !FailureWords.ofAVictim(cause.words()))
            .toList();
    if (raised.isEmpty()) {
      return end;
    }
    var last = raised.getLast();
    return ofNoRank
        ? raised.getFirst()
        : end.reclassified(last.failureClass(), last.words(), last.advice());
  }

  /// Whether the line says that something ended, but gives no reason.
  private static boolean mute(FailureCause end) {
    return end.sign().event() instanceof FailureEvent.Exited
        || end.sign().event() instanceof FailureEvent.Said
            && MUTE.stream().anyMatch(end.words()::startsWith);
  }

  /// The rank of a process that ended, or -1. A launcher may print the process's pid first and its
  /// rank in a table below.
  private static int rankOf(FailureCause end, List<FailureCause> told) {
    return end.rank() >= 0 || !(end.sign().event() instanceof FailureEvent.Exited exited)
        ? end.rank()
        : told.stream()
            .filter(cause -> cause.rank() >= 0 && exited.pid() > 0)
            .filter(cause -> cause.sign().source().equals(end.sign().source()))
            .filter(
                cause ->
                    cause.sign().event() instanceof FailureEvent.Exited same
                        && same.pid() == exited.pid())
            .mapToInt(FailureCause::rank)
            .findFirst()
            .orElse(-1);
  }

  /// The next exception in the same file, if the first line only announces it: a server's engine
  /// logs that it failed, and prints its traceback after that.
  private static FailureCause announced(FailureCause first, List<FailureCause> told) {
    return ANNOUNCES.stream().noneMatch(first.words()::startsWith)
        ? first
        : told.stream()
            .filter(cause -> cause.sign().source().equals(first.sign().source()))
            .filter(cause -> before(first.sign(), cause.sign()))
            .filter(cause -> cause.rank() < 0 || first.rank() < 0 || cause.rank() == first.rank())
            .filter(cause -> cause.sign().event() instanceof FailureEvent.Raised)
            .findFirst()
            .filter(raised -> raised.failureClass() != FailureClass.UNKNOWN)
            .orElse(first);
  }

  /// The end with the reason that other lines of the log give. For a killed process or child: the
  /// kernel, Slurm or LSF report that memory had run out. For a process that was asked to stop: the
  /// scheduler reports its time limit. For a file that PyTorch could not write: another program or
  /// the same rank reports a full disk. For a failed kernel launch: another rank reports a hardware
  /// fault.
  private static FailureCause explained(FailureCause end, List<FailureCause> told) {
    if (end.words().contains(LAUNCH_FAILED)) {
      return told.stream().filter(JobFailed::hardware).findFirst().orElse(end);
    }
    if (end.failureClass() == FailureClass.STOPPED) {
      return told.stream()
          .filter(cause -> cause.sign().event() instanceof FailureEvent.Cancelled)
          .filter(cause -> cause.failureClass() == FailureClass.TIME_LIMIT)
          .findFirst()
          .orElse(end);
    }
    boolean killed = end.failureClass() == FailureClass.KILLED;
    boolean childKilled = end.isLostChild();
    boolean unwritten = end.words().contains("inline_container.cc");
    if (!killed && !childKilled && !unwritten) {
      return end;
    }
    var why = unwritten ? FailureClass.DISK_FULL : FailureClass.OUT_OF_MEMORY;
    return told.stream()
        .filter(cause -> cause.failureClass() == why)
        .filter(
            cause ->
                cause.sign().event() instanceof FailureEvent.Said
                    || unwritten && cause.rank() == end.rank())
        .filter(cause -> cause.sign().source().equals(end.sign().source()))
        .filter(cause -> before(end.sign(), cause.sign()))
        .findFirst()
        .map(
            said ->
                end.reclassified(said.failureClass(), said.words(), said.advice())
                    .provenBy(said.sign()))
        .orElse(end);
  }

  private static boolean hardware(FailureCause cause) {
    return cause.failureClass() == FailureClass.GPU_ERROR
        && cause.sign().event() instanceof FailureEvent.Raised;
  }

  /// If all causes follow from something that no line shows: the process that the launcher saw end
  /// first, if the launcher names one; else all causes.
  private static List<FailureCause> rootCauses(List<FailureCause> early, List<FailureCause> told) {
    var roots = early.stream().filter(JobFailed::root).toList();
    return roots.isEmpty() ? told : roots;
  }

  /// Whether a process ended by itself, not on request.
  private static boolean failedItself(FailureCause cause) {
    return cause.death()
        && !cause.failureClass().wanted()
        && !cause.follows()
        && cause.sign().event() instanceof FailureEvent.Exited;
  }

  /// Whether this is the end of a launcher's own process, and that launcher has reported in the
  /// same file which of its children ended first.
  private static boolean outer(FailureCause cause, List<FailureCause> told) {
    return cause.sign().event() instanceof FailureEvent.Exited exited
        && !exited.rootCause()
        && exited.pid() < 0
        && told.stream()
            .filter(other -> other.sign().source().equals(cause.sign().source()))
            .anyMatch(
                other ->
                    other.sign().event() instanceof FailureEvent.Exited child
                        && child.rootCause()
                        && child.pid() >= 0);
  }

  /// Whether a signal ended a process that was already dying: it had announced that it is taken
  /// down, or that its data reader failed, or others took it down. Such a crash is no cause.
  private static boolean takenDown(FailureCause cause, List<FailureCause> told) {
    return cause.failureClass() == FailureClass.KILLED
            && (byItsEngine(cause, told) || bySlurm(cause, told) || afterACrash(cause, told))
        || cause.failureClass() == FailureClass.SEGFAULT
            && told.stream()
                .filter(
                    other ->
                        other.sign().event() instanceof FailureEvent.Raised
                            && (other.death() || other.words().contains(READER_FAILED))
                            && other.sign().source().equals(cause.sign().source()))
                .filter(other -> other.rank() == cause.rank() || cause.rank() < 0)
                .anyMatch(other -> before(other.sign(), cause.sign()));
  }

  /// Whether a watchdog reports a failed kernel that a call of the same rank raised, too: the
  /// call's traceback says more.
  private static boolean repeats(FailureCause cause, List<FailureCause> told) {
    return taken(cause)
        && FailureWords.ofOwnKernel(cause.words())
        && told.stream()
            .filter(other -> !taken(other) && other.rank() == cause.rank())
            .filter(other -> other.sign().source().equals(cause.sign().source()))
            .filter(other -> other.sign().event() instanceof FailureEvent.Raised)
            .anyMatch(other -> FailureWords.ofOwnKernel(other.words()));
  }

  private static boolean taken(FailureCause cause) {
    return cause.sign().event() instanceof FailureEvent.Raised raised
        && NO_TYPES.contains(raised.type());
  }

  /// Whether SGLang killed it: SGLang kills its own processes once one has failed.
  private static boolean byItsEngine(FailureCause killed, List<FailureCause> told) {
    return told.stream()
        .filter(cause -> cause.words().contains("child failed"))
        .filter(cause -> cause.sign().source().equals(killed.sign().source()))
        .anyMatch(cause -> before(cause.sign(), killed.sign()));
  }

  /// Whether a shell reports that its launcher was killed, after a process of the same file had
  /// crashed. The launcher kills itself with the other processes.
  private static boolean afterACrash(FailureCause killed, List<FailureCause> told) {
    return killed.sign().event() instanceof FailureEvent.Said
        && told.stream()
            .filter(cause -> cause.words().startsWith(CRASHED))
            .filter(cause -> cause.sign().source().equals(killed.sign().source()))
            .anyMatch(cause -> before(cause.sign(), killed.sign()));
  }

  /// Whether Slurm killed it: Slurm kills the remaining tasks once one has failed.
  private static boolean bySlurm(FailureCause killed, List<FailureCause> told) {
    return StepTasks.named(killed.sign().line().text())
        && told.stream()
            .filter(cause -> cause.sign().source().equals(killed.sign().source()))
            .filter(cause -> before(cause.sign(), killed.sign()))
            .map(cause -> cause.sign().line().text())
            .anyMatch(StepTasks::failed);
  }

  /// Whether it is a request to end that is not known to have come before every failure.
  private static boolean late(FailureCause cause, List<FailureCause> told) {
    if (cause.failureClass() != FailureClass.STOPPED) {
      return false;
    }
    return told.stream()
        .filter(JobFailed::failedItself)
        .noneMatch(failure -> before(cause.sign(), failure.sign()));
  }

  /// Whether it is a request to end that follows a death in the same file. A server asks its other
  /// processes to end once one has failed, and srun ends its step once a task has.
  private static boolean afterADeath(FailureCause cause, List<FailureCause> told) {
    if (cause.failureClass() != FailureClass.STOPPED
        || !(cause.sign().event() instanceof FailureEvent.Cancelled cancelled)) {
      return false;
    }
    var before =
        told.stream()
            .filter(it -> it.sign().source().equals(cause.sign().source()))
            .filter(it -> before(it.sign(), cause.sign()))
            .toList();
    boolean ofTheStep =
        cancelled.words().startsWith("*** STEP ")
            && before.stream()
                .filter(it -> !it.failureClass().wanted())
                .anyMatch(it -> StepTasks.failed(it.sign().line().text()));
    return ofTheStep
        || before.stream()
            .filter(it -> it.sign().event() instanceof FailureEvent.Said)
            .anyMatch(it -> it.death() && !it.follows() && !it.failureClass().wanted());
  }

  private static boolean before(Sign one, Sign other) {
    if (one.source().equals(other.source())) {
      return one.line().offset() < other.line().offset();
    }
    return one.atNanos() != NO_TIME && one.atNanos() < other.atNanos();
  }

  private static FailureCause earliest(List<FailureCause> causes, LogClocks clocks) {
    if (causes.stream().allMatch(cause -> cause.sign().atNanos() != NO_TIME)) {
      return causes.stream()
          .min(Comparator.comparingLong(cause -> clocks.nanos(cause.sign())))
          .orElseThrow();
    }
    return causes.stream().noneMatch(cause -> toldAt(cause).isEmpty())
        ? causes.stream()
            .min(Comparator.comparing(JobFailed::toldAt).thenComparing(cause -> !root(cause)))
            .orElseThrow()
        : causes.getFirst();
  }

  /// Time of a process's end according to the launcher's table; empty if not given.
  private static String toldAt(FailureCause cause) {
    return cause.sign().event() instanceof FailureEvent.Exited exited ? exited.toldAt() : "";
  }

  private static boolean root(FailureCause cause) {
    return cause.sign().event() instanceof FailureEvent.Exited exited && exited.rootCause();
  }

  /// The last of several exceptions in one traceback that follow from each other: this is the one
  /// that the program reports.
  private static Optional<FailureCause> chained(FailureCause first, List<FailureCause> causes) {
    FailureCause last = null;
    boolean behind = false;
    for (var cause : causes) {
      behind |= cause.equals(first);
      if (behind
          && cause.rank() == first.rank()
          && cause.sign().source().equals(first.sign().source())
          && cause.sign().event() instanceof FailureEvent.Raised raised) {
        if (!cause.equals(first) && raised.chain() != FailureEvent.Chain.FOLLOWS) {
          break;
        }
        last = cause;
      }
    }
    return first.failureClass() == FailureClass.EXCEPTION || first.words().contains(": Caught ")
        ? Optional.ofNullable(last)
        : Optional.empty();
  }

  private static Finding finding(
      FailureCause first, List<FailureCause> told, Examination examination) {
    var run = examination.run();
    var vanished = first.follows() ? VanishedRanks.ranks(told, examination) : Set.<Integer>of();
    var ranks = vanished.isEmpty() ? ranks(first, told, run) : new TreeSet<>(vanished);
    var broken = BrokenGpu.under(first, ranks, examination);
    var processes = new LinkedHashSet<TrainingProcess>();
    ranks.forEach(rank -> run.ofRank(rank).ifPresent(processes::add));
    int others = told.size() - 1;
    boolean ofContainer = Kubernetes.before(first.sign());
    var failureClass =
        broken.isPresent()
            ? FailureClass.GPU_ERROR
            : vanished.isEmpty() ? first.failureClass() : FailureClass.KILLED;
    var draft =
        FindingDraft.about(
                FindingKind.JOB_FAILED,
                first.failureClass().wanted() || ofContainer ? Severity.INFO : Severity.CRITICAL,
                examination,
                List.copyOf(processes))
            .failureClass(failureClass)
            .summary(
                (vanished.isEmpty() ? summary(first, ranks) : vanished(ranks))
                    + (run.replaced() ? "; its workers were started again" : "")
                    + (ofContainer ? ", in a container before the present one" : ""))
            .expected("the job runs to its end")
            .observed(
                (others == 0
                        ? first.words()
                        : "%s; %d more %s from it"
                            .formatted(
                                first.words(),
                                others,
                                others == 1 ? "line follows" : "lines follow"))
                    + RecordedErrors.leftOut(run))
            .cause(
                broken
                    .map(BrokenGpu::words)
                    .orElse(
                        vanished.isEmpty()
                            ? first.advice()
                            : "its process was killed or crashed: look at its pod's last state and"
                                + " at the node's kernel log"));
    ranks.forEach(draft::rank);
    if (first.sign().atNanos() != NO_TIME) {
      var at = Nanos.instant(first.sign().atNanos());
      draft.between(at, at);
    }
    draft.proof(first.sign().line());
    broken.ifPresent(gpu -> draft.proof(gpu.xid().line()));
    proofs(first, told).forEach(cause -> draft.proof(cause.sign().line()));
    return draft.finding();
  }

  private static String summary(FailureCause first, TreeSet<Integer> ranks) {
    var who = ranks.isEmpty() ? "" : " on " + RankText.words(ranks);
    return switch (first.failureClass()) {
      case TIME_LIMIT -> "the job was ended by its time limit";
      case STOPPED -> "the job was stopped: " + first.words();
      default -> "the job died%s: %s".formatted(who, first.words());
    };
  }

  private static String vanished(TreeSet<Integer> ranks) {
    return "the job died on %s: %s, and others lost their connection to %s"
        .formatted(
            RankText.words(ranks),
            ranks.size() == 1 ? "its log just ends" : "their logs just end",
            ranks.size() == 1 ? "it" : "them");
  }

  /// Global ranks of the first failure: several if they raised the same exception at about the same
  /// time.
  private static TreeSet<Integer> ranks(FailureCause first, List<FailureCause> told, Run run) {
    var ranks = new TreeSet<Integer>();
    if (FailureWords.ofAnother(first.words())
        || first.refused()
        || first.follows() && !(first.sign().event() instanceof FailureEvent.Exited)) {
      return ranks; // the rank that reports this is a victim
    }
    if (first.sign().event() instanceof FailureEvent.Reported reported) {
      Kubernetes.processes(reported, run).forEach(process -> ranks.add(run.rank(process)));
      ranks.remove(-1);
      return ranks;
    }
    int rank = first.rank() >= 0 ? first.rank() : FailedRank.of(first, told, run);
    if (rank < 0
        && run.processes().stream().allMatch(process -> process.pid() < 0)
        && first.sign().event() instanceof FailureEvent.Exited exited) {
      rank = exited.localRank(); // only one launcher of the job is seen
    }
    if (rank >= 0) {
      ranks.add(rank);
    }
    for (var cause : told) {
      if (cause.rank() >= 0 && (alike(cause, first) || ranks.isEmpty() && ends(cause, first))) {
        ranks.add(cause.rank());
      }
    }
    return ranks;
  }

  /// Whether a launcher names the rank that ran out of memory, as the kernel's memory killer names
  /// none.
  private static boolean ends(FailureCause cause, FailureCause first) {
    return first.failureClass() == FailureClass.OUT_OF_MEMORY
        && first.sign().event() instanceof FailureEvent.Said
        && cause.failureClass() == FailureClass.OUT_OF_MEMORY
        && cause.sign().event() instanceof FailureEvent.Exited;
  }

  /// Whether both raised the same exception at about the same time, so that neither is the first.
  private static boolean alike(FailureCause one, FailureCause other) {
    return one.sign().event() instanceof FailureEvent.Raised a
        && other.sign().event() instanceof FailureEvent.Raised b
        && a.type().equals(b.type())
        && withoutHint(a.message()).equals(withoutHint(b.message()))
        && Math.abs(one.sign().atNanos() - other.sign().atNanos()) < AT_ONCE_NANOS;
  }

  /// The message without the hint that Python adds and that some loggers omit:
  /// `… has no attribute 'item'. Did you mean: 'items'?`.
  private static String withoutHint(String message) {
    int hint = message.indexOf(HINT);
    return hint < 0 ? message : message.substring(0, hint);
  }

  /// Up to four more causes as evidence; those that prove an end, such as a launcher's lines, come
  /// first.
  private static List<FailureCause> proofs(FailureCause first, List<FailureCause> told) {
    return told.stream()
        .filter(cause -> !cause.equals(first))
        .sorted(Comparator.comparing(FailureCause::death).reversed())
        .limit(4)
        .toList();
  }
}
