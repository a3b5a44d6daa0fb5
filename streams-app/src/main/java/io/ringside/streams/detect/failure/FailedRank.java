package io.ringside.streams.detect.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.NcclHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the rank that failed where no line names it: by the pid that the launcher or the kernel
/// names, by the GPU that the failure names on its host, by the only process that its launcher saw
/// end in this way, by the launcher's statement of the root cause, or by the only process of the
/// file.
final class FailedRank {
  /// `GPU 7 has a total capacity of 79.11 GiB` (PyTorch 2.1, c10/cuda/CUDACachingAllocator.cpp;
  /// `capacty` up to 2.1), `(GPU 7; 79.15 GiB total capacity;` before.
  private static final Pattern DEVICE =
      Pattern.compile("\\bGPU (\\d{1,2})(?: has a total capac|; [\\d.]+ [GM]iB total capac)");

  /// Lines that name the CUDA device. NCCL before 2.18.3 prints no START line.
  private static final List<Membership.Statement> STARTED =
      List.of(Membership.Statement.START, Membership.Statement.COMPLETE);

  private FailedRank() {}

  /// The global rank, or -1 if no line shows it.
  ///
  /// @param told all causes that the lines report, in the order of the log
  static int of(FailureCause first, List<FailureCause> told, Run run) {
    if (first.sign().event() instanceof FailureEvent.Exited exited) {
      int named = byPid(exited, first.sign(), told, run);
      if (named >= 0) {
        return named;
      }
    }
    var kill = KernelKill.of(first.sign());
    var killed = kill.flatMap(its -> its.process(run));
    if (killed.isPresent()) {
      return run.rank(killed.get());
    }
    var named = kill.map(its -> byLauncher(its, told)).orElse(-1);
    if (named >= 0) {
      return named;
    }
    var onDevice = byDevice(first, run);
    if (onDevice >= 0) {
      return onDevice;
    }
    int crashed = byEnd(first, told, run);
    return crashed >= 0 ? crashed : byFile(first, told, run);
  }

  /// The rank of the process that ended, or -1. Containers number their processes alike, so a file
  /// of several pods may have several with this pid: then the host or the launcher's table tells.
  private static int byPid(
      FailureEvent.Exited exited, Sign sign, List<FailureCause> told, Run run) {
    if (exited.pid() <= 0) {
      return -1;
    }
    var there =
        run.byRank().stream()
            .filter(process -> process.pid() == exited.pid())
            .filter(process -> process.source().id().equals(sign.source()) || on(exited, process))
            .toList();
    if (there.size() > 1) {
      var onHost = there.stream().filter(process -> on(exited, process)).toList();
      return onHost.size() == 1
          ? run.rank(onHost.getFirst())
          : byTable(exited, sign.source(), told);
    }
    return there.isEmpty() ? -1 : run.rank(there.getFirst());
  }

  private static boolean on(FailureEvent.Exited exited, TrainingProcess process) {
    return !process.host().isEmpty() && exited.host().startsWith(process.host());
  }

  /// The only rank that the launcher's table in this file has beside this pid and exit code, or -1.
  private static int byTable(FailureEvent.Exited exited, String source, List<FailureCause> told) {
    var ranks =
        told.stream()
            .filter(cause -> cause.sign().source().equals(source))
            .flatMap(cause -> exits(cause.sign().event()))
            .filter(it -> it.pid() == exited.pid() && it.code() == exited.code() && it.rank() >= 0)
            .map(FailureEvent.Exited::rank)
            .distinct()
            .toList();
    return ranks.size() == 1 ? ranks.getFirst() : -1;
  }

  private static Stream<FailureEvent.Exited> exits(FailureEvent event) {
    return event instanceof FailureEvent.Exited exited ? Stream.of(exited) : Stream.empty();
  }

  /// The rank that a launcher names beside the pid that the kernel killed, or -1.
  private static int byLauncher(KernelKill kill, List<FailureCause> told) {
    return told.stream()
        .filter(
            cause ->
                cause.sign().event() instanceof FailureEvent.Exited exited
                    && exited.pid() == kill.pid())
        .mapToInt(FailureCause::rank)
        .filter(rank -> rank >= 0)
        .findFirst()
        .orElse(-1);
  }

  /// The only process that ended in this way according to its launcher: a program that crashes
  /// does not say which rank it is. -1 if there is none, or several.
  private static int byEnd(FailureCause first, List<FailureCause> told, Run run) {
    if (first.failureClass() == FailureClass.UNKNOWN) {
      return -1;
    }
    var ranks =
        told.stream()
            .filter(cause -> cause.failureClass() == first.failureClass())
            .filter(cause -> cause.sign().source().equals(first.sign().source()))
            .flatMap(
                cause ->
                    exits(cause.sign().event())
                        .map(exited -> byPid(exited, cause.sign(), told, run)))
            .distinct()
            .toList();
    return ranks.size() == 1 ? ranks.getFirst() : -1;
  }

  /// The rank on the GPU that the line names, or -1. The command in DeepSpeed's
  /// `… '--local_rank=7', … exits with return code = 1` is not used: it belongs to the last process
  /// that was started, whichever process failed (launcher/launch.py).
  private static int byDevice(FailureCause first, Run run) {
    var text = first.sign().line().text();
    var named = DEVICE.matcher(text);
    if (!named.find()) {
      return -1;
    }
    int device = Integer.parseInt(named.group(1));
    var ofFile =
        run.byRank().stream()
            .filter(process -> process.source().id().equals(first.sign().source()))
            .toList();
    var hosts = ofFile.stream().map(TrainingProcess::host).distinct().toList();
    var host =
        hosts.size() == 1
            ? hosts
            : hosts.stream().filter(it -> !it.isEmpty() && text.startsWith(it + ": ")).toList();
    if (host.size() != 1) {
      return -1;
    }
    var there =
        ofFile.stream()
            .filter(process -> process.host().equals(host.getFirst()))
            .filter(process -> device(process).orElse(-1) == device)
            .toList();
    return there.size() == 1 ? run.rank(there.getFirst()) : -1;
  }

  /// The CUDA device that NCCL's header names on the line that starts a communicator.
  private static OptionalInt device(TrainingProcess process) {
    return process.memberships().values().stream()
        .flatMap(membership -> STARTED.stream().map(membership::proof))
        .filter(Objects::nonNull)
        .map(line -> NcclHead.device(line.text()))
        .filter(OptionalInt::isPresent)
        .findFirst()
        .orElse(OptionalInt.empty());
  }

  private static int byFile(FailureCause first, List<FailureCause> told, Run run) {
    var writers = new ArrayList<Integer>();
    for (var process : run.byRank()) {
      if (process.source().id().equals(first.sign().source())) {
        writers.add(run.rank(process));
      }
    }
    var roots =
        told.stream()
            .filter(cause -> cause.sign().source().equals(first.sign().source()))
            .map(cause -> cause.sign().event())
            .filter(event -> event instanceof FailureEvent.Exited exited && exited.rootCause())
            .map(event -> ((FailureEvent.Exited) event).rank())
            .toList();
    // the file of mpirun may hold the lines of one rank only, and that rank may not be the one that
    // failed
    boolean oneRoot = roots.stream().distinct().count() == 1 && roots.getFirst() >= 0;
    return writers.size() == 1 && !oneRoot
        ? writers.getFirst()
        : roots.isEmpty() ? -1 : roots.getFirst();
  }
}
