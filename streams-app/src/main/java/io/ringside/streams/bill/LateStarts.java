package io.ringside.streams.bill;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.Run;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Computes the cost of a late start. All ranks leave NCCL's initialisation together with the last
/// one, so without the late ranks all would have trained from the arrival of the last of the
/// others.
final class LateStarts {
  /// Error in seconds: timestamps of lines and NCCL's own clock agree to within this.
  private static final double ERROR = 0.3;

  private LateStarts() {}

  /// Empty unless the waits of all ranks are known: the last arrival before the late ranks
  /// determines what is saved.
  static Optional<SavedTime> of(Collection<Integer> late, Run run) {
    return run.world().flatMap(world -> of(late, world, run));
  }

  private static Optional<SavedTime> of(Collection<Integer> late, Communicator world, Run run) {
    var bootstrap = new TreeMap<Integer, Double>();
    var init = new TreeMap<Integer, Double>();
    for (var process : run.byRank()) {
      var membership = process.memberships().get(world.id());
      if (membership != null) {
        if (membership.bootstrap() != null) {
          bootstrap.put(membership.rank(), membership.bootstrap().totalSeconds());
        }
        init(membership).ifPresent(seconds -> init.put(membership.rank(), seconds));
      }
    }
    // ranks wait only once, in one of these places
    return Stream.of(bootstrap, init, inStore(late, run))
        .flatMap(waited -> saved(late, waited, world.nranks()).stream())
        .max(Comparator.comparingDouble(SavedTime::seconds));
  }

  /// Seconds that PyTorch's ranks waited for the unique ID. Rank 0 distributes it, so its own wait
  /// says nothing; it arrived with the others unless it was late itself.
  private static TreeMap<Integer, Double> inStore(Collection<Integer> late, Run run) {
    var waited = new TreeMap<Integer, Double>();
    run.storeWaits().forEach((rank, wait) -> waited.put(rank, wait.seconds()));
    double longest = waited.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    waited.put(0, late.contains(0) ? 0 : longest);
    return waited;
  }

  private static Optional<Double> init(Membership membership) {
    var start = membership.proof(Membership.Statement.START);
    var complete = membership.proof(Membership.Statement.COMPLETE);
    return start == null || complete == null || start.time() == null || complete.time() == null
        ? Optional.empty()
        : Optional.of(Nanos.seconds(Duration.between(start.time(), complete.time()).toNanos()));
  }

  /// @param waited seconds that each rank spent waiting: the last to arrive has the least
  private static Optional<SavedTime> saved(
      Collection<Integer> late, TreeMap<Integer, Double> waited, int nranks) {
    var others = new TreeMap<>(waited);
    others.keySet().removeAll(late);
    var own = new TreeMap<>(waited);
    own.keySet().retainAll(late);
    if (waited.size() < nranks || own.isEmpty() || others.isEmpty()) {
      return Optional.empty();
    }
    double seconds =
        others.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow()
            - own.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    return Optional.of(SavedTime.about(Math.max(0, seconds), ERROR));
  }
}
