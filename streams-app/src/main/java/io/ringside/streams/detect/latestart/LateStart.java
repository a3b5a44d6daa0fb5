package io.ringside.streams.detect.latestart;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Claim;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.Examination;
import io.ringside.streams.join.job.Communicator;
import io.ringside.streams.join.job.StoreWait;
import io.ringside.streams.parse.event.NcclEvent.BootstrapTimings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Ranks that waited at start-up for one that came late.
///
/// NCCL's bootstrap (2.23.4 and later, src/bootstrap.cc) makes everybody wait for the last: who came last
/// waited least. One rank's line names its neighbours: `recv` is the wait for the next rank, what is left
/// of the total the wait for the one before. Before that, PyTorch's ranks wait in the store for rank 0's
/// unique id.
public final class LateStart implements Detector {
  /// Wait up to which a rank counts as the late one itself, as share of the longest wait.
  private static final double OWN_WAIT = 0.25;

  @Override
  public List<Claim> examine(Examination examination) {
    return fromBootstrap(examination)
        .or(() -> fromStore(examination))
        .map(
            late -> {
              var limit = examination.expectations().thresholds();
              return seconds(limit.lateStart()) <= late.seconds()
                  ? List.of(claim(late, examination))
                  : List.<Claim>of();
            })
        .orElse(List.of());
  }

  /// @param waiting how many ranks are known to have waited
  private record Late(int rank, double seconds, int waiting, List<Evidence> proofs) {}

  private static Optional<Late> fromBootstrap(Examination examination) {
    var world = examination.run().world().orElse(null);
    if (world == null) {
      return Optional.empty();
    }
    var timings = new TreeMap<Integer, BootstrapTimings>();
    var proofs = new TreeMap<Integer, Evidence>();
    for (var process : examination.run().byRank()) {
      var membership = process.memberships().get(world.id());
      if (membership == null) {
        continue;
      }
      var bootstrap = membership.bootstrap();
      var proof = membership.proof("bootstrap");
      if (bootstrap != null && proof != null) {
        timings.put(membership.rank(), bootstrap);
        proofs.put(membership.rank(), proof);
      }
    }
    if (timings.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        timings.size() < world.nranks()
            ? byNeighbours(world, timings, proofs)
            : byTotals(timings, proofs));
  }

  private static Late byTotals(
      Map<Integer, BootstrapTimings> timings, Map<Integer, Evidence> proofs) {
    int late = -1;
    int longest = -1;
    for (var entry : timings.entrySet()) {
      double total = entry.getValue().totalSeconds();
      if (late < 0 || total < timings.get(late).totalSeconds()) {
        late = entry.getKey();
      }
      if (longest < 0 || total > timings.get(longest).totalSeconds()) {
        longest = entry.getKey();
      }
    }
    return new Late(
        late,
        timings.get(longest).totalSeconds() - timings.get(late).totalSeconds(),
        timings.size() - 1,
        List.of(proofs.get(late), proofs.get(longest)));
  }

  private static Late byNeighbours(
      Communicator world, Map<Integer, BootstrapTimings> timings, Map<Integer, Evidence> proofs) {
    int nranks = world.nranks();
    int late = -1;
    double seconds = -1;
    Evidence proof = proofs.values().iterator().next();
    for (var entry : timings.entrySet()) {
      var t = entry.getValue();
      double rest =
          t.totalSeconds()
              - t.createSeconds()
              - t.sendSeconds()
              - t.recvSeconds()
              - t.ringSeconds()
              - t.delaySeconds();
      double before = t.recvSeconds() + rest;
      int next = (entry.getKey() + 1) % nranks;
      int previous = (entry.getKey() + nranks - 1) % nranks;
      if (t.recvSeconds() > seconds) {
        seconds = t.recvSeconds();
        late = next;
        proof = proofs.get(entry.getKey());
      }
      if (rest > 0.05 * t.totalSeconds() && before > seconds) {
        seconds = before;
        late = previous;
        proof = proofs.get(entry.getKey());
      }
    }
    return new Late(late, seconds, timings.size(), List.of(proof));
  }

  private static Optional<Late> fromStore(Examination examination) {
    var waits = new TreeMap<>(examination.run().storeWaits());
    var ofRank0 = waits.remove(0);
    if (waits.isEmpty()) {
      return Optional.empty();
    }
    int late = -1;
    int longest = -1;
    for (var entry : waits.entrySet()) {
      if (late < 0 || entry.getValue().seconds() < waits.get(late).seconds()) {
        late = entry.getKey();
      }
      if (longest < 0 || entry.getValue().seconds() > waits.get(longest).seconds()) {
        longest = entry.getKey();
      }
    }
    StoreWait most = waits.get(longest);
    boolean allWaited = waits.get(late).seconds() > OWN_WAIT * most.seconds();
    var proofs = new ArrayList<>(List.of(most.proof()));
    if (allWaited) {
      if (ofRank0 != null) {
        proofs.add(ofRank0.proof());
      }
      return Optional.of(new Late(0, most.seconds(), waits.size(), proofs));
    }
    proofs.add(waits.get(late).proof());
    int waited =
        (int) waits.values().stream().filter(w -> w.seconds() > OWN_WAIT * most.seconds()).count();
    return Optional.of(new Late(late, most.seconds() - waits.get(late).seconds(), waited, proofs));
  }

  private static Claim claim(Late late, Examination examination) {
    var run = examination.run();
    var process = run.world().flatMap(world -> run.process(world, late.rank())).stream().toList();
    boolean warn =
        late.seconds() >= seconds(examination.expectations().thresholds().lateStartWarning());
    int nranks = run.world().map(Communicator::nranks).orElse(late.waiting() + 1);
    return Claim.about(
            FindingKind.LATE_START, warn ? Severity.WARNING : Severity.INFO, run, process)
        .rank(late.rank())
        .ended()
        .summary(
            "rank %d came %.1f s late at start-up and kept the others waiting"
                .formatted(late.rank(), late.seconds()))
        .expected("all ranks start together")
        .observed("%.1f s".formatted(late.seconds()))
        .cost(new Cost(late.seconds() * (nranks - 1), null))
        .cause(null)
        .proofs(late.proofs())
        .claim();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
