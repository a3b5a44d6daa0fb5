package io.ringside.streams.detect.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.KernelStamp;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A process that the kernel killed for memory, `Killed process 2568 (python3) total-vm:…`. A
/// kernel's log covers everything that runs on its machine: killing a notebook or an editor in its
/// own control group ends no job.
///
/// @param pid pid on the machine, which differs from the pid inside a container
/// @param name the kernel's name for the process, at most 15 characters
record KernelKill(Sign sign, int pid, String name) {
  private static final Pattern KILLED =
      Pattern.compile("Kill(?:ed)? process (\\d{1,9}) \\(([^)]{1,32})\\)");

  /// Names of programs that train or serve, and of their workers. PyTorch's threads name the
  /// process (`pt_main_thread`, `pt_data_worker`), Ray and vLLM set its title.
  private static final Pattern OF_JOBS =
      Pattern.compile(
          "(?i)python.*|pt_.*|torchrun.*|deepspeed.*|accelerate.*|ray(?:::.*|let)?|mpirun|mpiexec.*|orted|prted"
              + "|vllm.*|sglang.*|llama.*|train.*|megatron.*|.*_perf(?:_mpi)?|dataloader.*|tritonserver");

  static Optional<KernelKill> of(Sign sign) {
    if (!(sign.event() instanceof FailureEvent.Said said)
        || said.failureClass() != FailureClass.OUT_OF_MEMORY) {
      return Optional.empty();
    }
    var killed = KILLED.matcher(said.words());
    return killed.find()
        ? Optional.of(new KernelKill(sign, Integer.parseInt(killed.group(1)), killed.group(2)))
        : Optional.empty();
  }

  /// Whether this kill may have ended the run. The pid of one of the run's processes is enough.
  /// Otherwise the name must be that of a training program. In a file beside the job's logs it also
  /// counts only if the run did not end well and no other line reports a death.
  ///
  /// @param signs all lines about failures
  boolean ends(List<Sign> signs, Examination examination) {
    var run = examination.run();
    if (isOf(run, signs)) {
      return true;
    }
    if (!OF_JOBS.matcher(name).matches()) {
      return false;
    }
    return !beside(examination)
        || !Kubernetes.endedWell(run)
            && signs.stream()
                .filter(other -> !other.source().equals(sign.source()))
                .filter(other -> !(other.event() instanceof FailureEvent.Reported))
                .filter(other -> of(other).isEmpty())
                .map(FailureCause::of)
                .noneMatch(FailureCause::death);
  }

  /// Explains the end of a process that was killed and does not know why, from the kernel's log
  /// beside the job's logs. Returns the end unchanged if that does not help.
  ///
  /// @param told all causes that the lines report
  static FailureCause explained(
      FailureCause end, List<FailureCause> told, List<Sign> signs, Examination examination) {
    if (end.failureClass() != FailureClass.KILLED) {
      return end;
    }
    return signs.stream()
        .flatMap(sign -> of(sign).stream())
        .filter(kill -> kill.beside(examination) && OF_JOBS.matcher(kill.name()).matches())
        .filter(kill -> !KernelStamp.longBefore(examination.run().firstNanos(), kill.sign()))
        .findFirst()
        .map(
            kill ->
                shown(
                    end.rank() < 0 ? end.onRank(FailedRank.of(end, told, examination.run())) : end,
                    FailureCause.of(kill.sign())))
        .orElse(end);
  }

  private static FailureCause shown(FailureCause end, FailureCause kill) {
    return end.reclassified(kill.failureClass(), kill.words(), kill.advice()).provenBy(kill.sign());
  }

  private boolean beside(Examination examination) {
    return beside(sign, examination);
  }

  /// Whether the line is in one of several files, and none of the run's processes writes that file.
  static boolean beside(Sign sign, Examination examination) {
    return examination.job().sources().size() > 1
        && examination.run().processes().stream()
            .noneMatch(process -> process.source().id().equals(sign.source()));
  }

  private boolean isOf(Run run, List<Sign> signs) {
    return process(run).isPresent()
        || signs.stream()
            .anyMatch(other -> other.event() instanceof FailureEvent.Exited it && it.pid() == pid);
  }

  /// The run's process with this pid; empty if there is none or several.
  Optional<TrainingProcess> process(Run run) {
    var all = run.byRank().stream().filter(process -> process.pid() == pid).toList();
    return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
  }
}
