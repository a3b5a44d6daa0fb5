package io.ringside.streams.detect.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Explains the end of a process that printed no reason, or NCCL's error only, from NCCL's WARN
/// lines in the same file.
final class NcclWords {
  /// Verbs' status 12 in NCCL's wordings (src/transport/net_ib/p2p.cc from 2.4 to 2.30).
  private static final List<String> UNANSWERED =
      List.of("IBV_WC_RETRY_EXC_ERR", " with status=12 ", " with error 12,");

  /// A port or an adapter that went down: `mlx5_4:1 Got async event : port error` up to 2.22,
  /// `Got async error event: …` to 2.28.3, `async fatal event: …` from 2.23
  /// (src/transport/net_ib.cc).
  private static final Pattern FELL =
      Pattern.compile(
          "async (?:error |fatal )?event[^:]*: ?(?:port error|local catastrophic error)");

  private NcclWords() {}

  /// The cause with NCCL's explanation added, or unchanged.
  static FailureCause enrich(FailureCause cause, List<FailureCause> told, Examination examination) {
    if (!vague(cause)) {
      return cause;
    }
    var run = examination.run();
    var processes = new ArrayList<>(run.byRank());
    processes.addAll(examination.job().strays());
    var adapter =
        oneRank(cause, processes, run, FELL.asPredicate())
            .or(() -> oneRank(cause, processes, run, NcclWords::unanswered));
    if (adapter.isPresent()) {
      return adapter.get();
    }
    for (var process : processes) {
      if (!process.source().id().equals(cause.sign().source())) {
        continue;
      }
      for (var warned : process.warnings()) {
        var rule = FailureWords.of(warned.message());
        if (rule.isPresent()
            && rule.get().failureClass() != FailureClass.NCCL
            && rule.get().failureClass() != FailureClass.DATA
            && !FailureWords.ofAVictim(warned.message())) {
          return new FailureCause(
              rule.get().failureClass(),
              cause.rank() >= 0 ? cause.rank() : rank(process, told, run),
              "NCCL: " + warned.message(),
              rule.get().advice(),
              cause.death(),
              cause.follows(),
              cause.sign());
        }
      }
    }
    return cause;
  }

  private static boolean unanswered(String warning) {
    return UNANSWERED.stream().anyMatch(warning::contains);
  }

  /// The only rank whose adapter went down or gave up sending; empty if there are several. Queue
  /// pairs of its peers are flushed only after that, even if clocks suggest another order.
  private static Optional<FailureCause> oneRank(
      FailureCause cause, List<TrainingProcess> processes, Run run, Predicate<String> says) {
    FailureCause found = null;
    for (var process : processes) {
      for (var warned : process.warnings()) {
        if (!says.test(warned.message())) {
          continue;
        }
        if (found != null && found.rank() != run.rank(process)) {
          return Optional.empty(); // several ranks: a peer is gone
        }
        found =
            cause
                .reclassified(FailureClass.NETWORK, "NCCL: " + warned.message(), cause.advice())
                .onRank(run.rank(process));
      }
    }
    return Optional.ofNullable(found);
  }

  /// The process's global rank, from NCCL or else from what its launcher reports for its pid; -1 if
  /// unknown.
  private static int rank(TrainingProcess process, List<FailureCause> told, Run run) {
    int rank = run.rank(process);
    if (rank >= 0) {
      return rank;
    }
    for (var cause : told) {
      if (cause.sign().event() instanceof FailureEvent.Exited exited
          && exited.rank() >= 0
          && exited.pid() == process.pid()
          && cause.sign().source().equals(process.source().id())) {
        return exited.rank();
      }
    }
    return -1;
  }

  private static boolean vague(FailureCause cause) {
    return switch (cause.failureClass()) {
      case UNKNOWN, NCCL -> true;
      case NETWORK -> cause.follows();
      case EXCEPTION -> cause.follows();
      case GPU_OUT_OF_MEMORY,
          OUT_OF_MEMORY,
          KILLED,
          SEGFAULT,
          GPU_ERROR,
          NODE_LOST,
          DISK_FULL,
          DATA,
          CONFIGURATION,
          TIME_LIMIT,
          STOPPED ->
          false;
    };
  }
}
