package io.ringside.streams.detect.timing;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.TimingTrust;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.waits.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Finds arrival times that cannot be trusted, and advises which settings make them reliable.
///
/// A program whose stdout is a pipe writes NCCL's lines in blocks of 4 KiB and more (C stdio, NCCL
/// src/debug.cc since 2.13 does not flush). Lines arrive late, in bursts, cut and merged, and some
/// never arrive. Calls with the same ordinal are then no longer the same call on all ranks, and
/// this can be detected.
///
/// Single timestamps that cannot be true, and clocks that were set during the run, are told as
/// well. Waits are judged in spite of them.
public final class TimingUnreliable implements Detector {
  private static final String UNBUFFERED =
      "block-buffered stdout: set PYTHONUNBUFFERED=1 and"
          + " NCCL_DEBUG_FILE=/dev/stdout, or write NCCL's lines to a file of their own";

  /// A clock that was set by less is told to nobody.
  private static final long TOLD_NANOS = 100_000_000L;

  @Override
  public List<Finding> examine(Examination examination) {
    for (var comm : examination.run().communicators()) {
      var why = why(comm, examination);
      var proofs = proofs(comm, examination);
      if (why.isPresent() && !proofs.isEmpty()) {
        var draft =
            FindingDraft.about(
                    FindingKind.TIMING_UNRELIABLE,
                    Severity.INFO,
                    examination,
                    why.get().processes().isEmpty()
                        ? examination.run().processes()
                        : why.get().processes())
                .summary(
                    "arrival times cannot be trusted, waits are not judged: " + why.get().words())
                .expected("stamps of milliseconds or better on lines that are not held back")
                .observed(why.get().words())
                .cause(why.get().remedy());
        proofs.forEach(draft::proof);
        return List.of(draft.finding());
      }
    }
    return examination.run().communicators().stream()
        .flatMap(comm -> wrong(comm, examination).stream())
        .filter(FindingDraft::proved)
        .map(FindingDraft::finding)
        .limit(1)
        .toList();
  }

  /// Stamps and clocks of the communicator that were not believed.
  private static Optional<FindingDraft> wrong(Communicator comm, Examination examination) {
    var wrong = comm.waits().wrongStamps();
    boolean set = Math.abs(wrong.setNanos()) >= TOLD_NANOS;
    if (wrong.calls() == 0 && !set) {
      return Optional.empty();
    }
    var run = examination.run();
    var of = run.members(comm).get(wrong.calls() > 0 ? wrong.rank() : wrong.setRank());
    if (of == null) {
      return Optional.empty();
    }
    var who = RankText.words(List.of(run.rank(of)));
    var words =
        wrong.calls() > 0
            ? "%d %s not made when %s stamp says, up to %s on %s"
                .formatted(
                    wrong.calls(),
                    wrong.calls() == 1 ? "call was" : "calls were",
                    wrong.calls() == 1 ? "its" : "their",
                    off(wrong.nanos()),
                    who)
            : "the clock of %s was set %s"
                .formatted(
                    who,
                    wrong.setNanos() > 0
                        ? "forward by " + length(wrong.setNanos())
                        : "back by " + length(wrong.setNanos()));
    var draft =
        FindingDraft.about(FindingKind.TIMING_UNRELIABLE, Severity.INFO, examination, List.of(of))
            .ended()
            .summary("some timestamps are wrong, and waits are judged without them: " + words)
            .expected("clocks that are kept by NTP, and lines stamped when they are printed")
            .observed(words)
            .cause("the host's clock, or whatever stamps the lines");
    if (wrong.line() != null) {
      draft.proof(wrong.line());
    }
    proofs(comm, examination).forEach(draft::proof);
    return Optional.of(draft);
  }

  private static String off(long nanos) {
    return length(nanos) + (nanos > 0 ? " late" : " early");
  }

  private static String length(long nanos) {
    return DurationWords.time(Nanos.seconds(Math.abs(nanos)));
  }

  /// @param processes processes whose times cannot be trusted, empty for all
  private record Why(String words, String remedy, List<TrainingProcess> processes) {
    Why(String words, String remedy) {
      this(words, remedy, List.of());
    }
  }

  /// Why waits of these rounds are not judged; empty if they are.
  private static Optional<Why> why(Communicator comm, Examination examination) {
    var rounds = comm.rounds();
    if (rounds.completed() == 0) {
      return Optional.empty();
    }
    if (TimingTrust.blockBuffered(rounds, examination)) {
      return Optional.of(
          new Why(
              "%d of %d rounds disagree in operation, size or NCCL's own count, so lines were lost or held back"
                  .formatted(rounds.mismatched(), rounds.completed()),
              UNBUFFERED));
    }
    if (TimingTrust.spliced(examination)) {
      return Optional.of(
          new Why(
              "%d of %d lines were cut or merged, so they were held back in blocks"
                  .formatted(examination.job().spliced(), examination.job().ncclLines()),
              UNBUFFERED));
    }
    if (!rounds.inBursts().isEmpty()) {
      return Optional.of(inBursts(comm, rounds, examination.run()));
    }
    if (rounds.cutOff()) {
      return Optional.of(
          new Why(
              "lines of a rank were lost, and its later calls are of no known round",
              "what telemetry-gap tells; the next run is judged again"));
    }
    return switch (rounds.basis()) {
      case CONTAINER, NCCL -> Optional.empty();
      case NCCL_SECONDS ->
          Optional.of(
              new Why(
                  "NCCL's stamps carry whole seconds only, too coarse for waits",
                  "set NCCL_DEBUG_TIMESTAMP_FORMAT=\"[%F %T.%6f] \" (NCCL 2.26.3 and later)"));
      case READ ->
          Optional.of(
              new Why(
                  "times are those of reading the file",
                  "set NCCL_DEBUG_TIMESTAMP_LEVELS=ALL and"
                      + " NCCL_DEBUG_TIMESTAMP_FORMAT=\"[%F %T.%6f] \""));
      case NONE ->
          Optional.of(
              new Why(
                  "the lines carry no times",
                  "read container logs of the kubelet, or set NCCL_DEBUG_TIMESTAMP_LEVELS=ALL and"
                      + " NCCL_DEBUG_TIMESTAMP_FORMAT=\"[%F %T.%6f] \""));
    };
  }

  private static Why inBursts(Communicator comm, Rounds rounds, Run run) {
    var members = run.members(comm);
    var held = rounds.inBursts().stream().map(members::get).filter(Objects::nonNull).toList();
    return new Why(
        "calls of %s come in bursts within a millisecond, those of the other ranks one by one"
            .formatted(RankText.words(held.stream().map(run::rank).toList())),
        UNBUFFERED,
        held);
  }

  private static List<Evidence> proofs(Communicator comm, Examination examination) {
    var lines = new ArrayList<Evidence>(comm.rounds().samples());
    if (lines.isEmpty()) {
      examination.run().processes().stream()
          .map(process -> process.proof(TrainingProcess.Statement.NETWORK))
          .filter(line -> line != null)
          .limit(2)
          .forEach(lines::add);
    }
    return lines;
  }
}
