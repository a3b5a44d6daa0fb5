package io.ringside.streams.detect.latestart;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.parse.event.NcclEvent.BootstrapTimings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Finds ranks that had to wait at start-up for a rank that came late.
///
/// NCCL's bootstrap (2.23.4 and later, src/bootstrap.cc) makes all ranks wait for the last one, so
/// the last one waited least. A rank's line also tells about its neighbours: `recv` is the wait for
/// the next rank, the unaccounted rest of the total is the wait for the previous rank. Before that
/// release, the lines that begin and end init show the same if all ranks have them, and PyTorch's
/// ranks wait in the store for rank 0's unique id.
public final class LateStart implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    return fromBootstrap(examination)
        .or(() -> fromInit(examination))
        .or(() -> fromStore(examination))
        .map(
            late -> {
              var limit = examination.expectations().thresholds().lateStart();
              return seconds(limit.note()) <= late.seconds()
                  ? List.of(finding(late, examination))
                  : List.<Finding>of();
            })
        .orElseGet(() -> pending(examination));
  }

  private static List<Finding> pending(Examination examination) {
    var pending = StuckStart.examine(examination);
    return pending.isEmpty() ? UnreachedStore.examine(examination) : pending;
  }

  /// @param waiting number of ranks that are known to have waited
  private record Late(int rank, double seconds, int waiting, List<Evidence> proofs) {}

  /// How long one rank waited at start-up, in seconds, according to its own lines.
  private record Wait(int rank, double seconds, Evidence proof) {}

  private static Optional<Late> fromBootstrap(Examination examination) {
    var world = examination.run().world().orElse(null);
    if (world == null) {
      return Optional.empty();
    }
    var waits = new ArrayList<Wait>();
    var neighbours = new ArrayList<Wait>();
    for (var process : examination.run().byRank()) {
      var membership = process.memberships().get(world.id());
      if (membership == null) {
        continue;
      }
      var bootstrap = membership.bootstrap();
      var proof = membership.proof(Membership.Statement.BOOTSTRAP);
      if (bootstrap != null && proof != null) {
        waits.add(new Wait(membership.rank(), bootstrap.totalSeconds(), proof));
        neighbours.addAll(
            neighbours(
                membership.rank(),
                world.nranks(),
                bootstrap,
                proof,
                examination.expectations().thresholds().lateStart().rest()));
      }
    }
    if (waits.size() == world.nranks()) {
      var least = Collections.min(waits, Comparator.comparingDouble(Wait::seconds));
      var most = Collections.max(waits, Comparator.comparingDouble(Wait::seconds));
      return Optional.of(
          new Late(
              least.rank(),
              most.seconds() - least.seconds(),
              waits.size() - 1,
              List.of(least.proof(), most.proof())));
    }
    return neighbours.stream()
        .max(Comparator.comparingDouble(Wait::seconds))
        .map(late -> new Late(late.rank(), late.seconds(), waits.size(), List.of(late.proof())));
  }

  /// How late the ranks before and after this rank are, according to its line. `recv` is the wait
  /// for the next rank. The part of the total that no field accounts for is the wait for the
  /// previous rank, which came after it.
  private static List<Wait> neighbours(
      int rank, int nranks, BootstrapTimings t, Evidence proof, double leastRest) {
    double rest =
        t.totalSeconds()
            - t.createSeconds()
            - t.sendSeconds()
            - t.recvSeconds()
            - t.ringSeconds()
            - t.delaySeconds();
    var late = new ArrayList<Wait>();
    late.add(new Wait((rank + 1) % nranks, t.recvSeconds(), proof));
    if (rest > leastRest * t.totalSeconds()) {
      late.add(new Wait((rank + nranks - 1) % nranks, t.recvSeconds() + rest, proof));
    }
    return late;
  }

  /// Before 2.23: how long each rank's init took by its own clock. All end together, so the rank
  /// that came last took the least time. Empty if a rank's lines are missing, or if no rank waited
  /// for long.
  private static Optional<Late> fromInit(Examination examination) {
    var world = examination.run().world().orElse(null);
    if (world == null) {
      return Optional.empty();
    }
    var waits = new ArrayList<Wait>();
    for (var process : examination.run().byRank()) {
      var membership = process.memberships().get(world.id());
      if (membership == null) {
        return Optional.empty();
      }
      var start = membership.proof(Membership.Statement.START);
      var complete = membership.proof(Membership.Statement.COMPLETE);
      if (start == null || complete == null || start.time() == null || complete.time() == null) {
        return Optional.empty();
      }
      double seconds = seconds(Duration.between(start.time(), complete.time()));
      waits.add(new Wait(membership.rank(), seconds, start));
    }
    if (waits.size() < world.nranks()) {
      return Optional.empty();
    }
    var least = Collections.min(waits, Comparator.comparingDouble(Wait::seconds));
    var most = Collections.max(waits, Comparator.comparingDouble(Wait::seconds));
    double waited = most.seconds() - least.seconds();
    var limit = examination.expectations().thresholds().lateStart();
    return waited < seconds(limit.note())
        ? Optional.empty()
        : Optional.of(
            new Late(least.rank(), waited, waits.size() - 1, List.of(least.proof(), most.proof())));
  }

  /// From waits in the store. Rank 0 hands out the id, so its own wait says nothing. If all other
  /// ranks waited equally long, rank 0 was the late one.
  private static Optional<Late> fromStore(Examination examination) {
    var waits = new ArrayList<Wait>();
    var proofs = new ArrayList<Evidence>();
    examination
        .run()
        .storeWaits()
        .forEach(
            (rank, wait) -> {
              if (rank != 0) {
                waits.add(new Wait(rank, wait.seconds(), wait.proof()));
              }
            });
    if (waits.isEmpty()) {
      return Optional.empty();
    }
    var least = Collections.min(waits, Comparator.comparingDouble(Wait::seconds));
    var most = Collections.max(waits, Comparator.comparingDouble(Wait::seconds));
    double own = examination.expectations().thresholds().lateStart().ownWait() * most.seconds();
    proofs.add(most.proof());
    if (least.seconds() > own) {
      var ofRank0 = examination.run().storeWaits().get(0);
      if (ofRank0 != null) {
        proofs.add(ofRank0.proof());
      }
      return Optional.of(new Late(0, most.seconds(), waits.size(), proofs));
    }
    proofs.add(least.proof());
    int waited = (int) waits.stream().filter(wait -> wait.seconds() > own).count();
    return Optional.of(new Late(least.rank(), most.seconds() - least.seconds(), waited, proofs));
  }

  private static Finding finding(Late late, Examination examination) {
    var run = examination.run();
    var process = run.world().flatMap(world -> run.process(world, late.rank())).stream().toList();
    boolean warn =
        late.seconds() >= seconds(examination.expectations().thresholds().lateStart().warning());
    int nranks = run.world().map(Communicator::nranks).orElse(late.waiting() + 1);
    var draft =
        FindingDraft.about(
                FindingKind.LATE_START,
                warn ? Severity.WARNING : Severity.INFO,
                examination,
                process)
            .rank(late.rank())
            .summary(
                "rank %d came %s late at start-up and kept the others waiting"
                    .formatted(late.rank(), DurationWords.time(late.seconds())))
            .expected("all ranks start together")
            .observed(
                "rank %d came %s after the others"
                    .formatted(late.rank(), DurationWords.time(late.seconds())))
            .cost(new Cost(late.seconds() * (nranks - 1), null))
            .cause(null)
            .proofs(late.proofs());
    return (isNews(late, examination) ? draft : draft.ended()).finding();
  }

  /// Whether the finding is still new. A late start is over when it is detected, but users must be
  /// told: it counts as active for a while of the run's own time.
  private static boolean isNews(Late late, Examination examination) {
    long last = examination.run().lastNanos();
    var seen =
        late.proofs().stream()
            .map(Evidence::time)
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder());
    return seen.isPresent()
        && last != NO_TIME
        && !examination.job().ended()
        && Duration.between(seen.get(), Nanos.instant(last))
                .compareTo(examination.expectations().thresholds().lateStart().remember())
            < 0;
  }

  private static double seconds(Duration duration) {
    return Nanos.seconds(duration.toNanos());
  }
}
