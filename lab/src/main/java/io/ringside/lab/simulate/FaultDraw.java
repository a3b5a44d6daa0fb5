package io.ringside.lab.simulate;

import io.ringside.lab.simulate.NetworkFault.EfaFallback;
import io.ringside.lab.simulate.NetworkFault.NewInLastRun;
import io.ringside.lab.simulate.PaceFault.Straggler;
import io.ringside.lab.simulate.ProcessFault.Crash;
import io.ringside.lab.simulate.ProcessFault.Death;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Draws what exactly goes wrong in a job of a kind.
final class FaultDraw {
  private final PlaceDraw place;
  private final int steps;
  private final double stepSeconds;
  private final Chance chance;

  /// @param stepSeconds of a healthy step
  FaultDraw(PlaceDraw place, int steps, double stepSeconds, Chance chance) {
    this.place = place;
    this.steps = steps;
    this.stepSeconds = stepSeconds;
    this.chance = chance;
  }

  List<Fault> of(JobKind kind, Straggler.Cause cause) {
    int rank = chance.below(place.ranks());
    int pod = chance.below(place.pods());
    return switch (kind) {
      case HEALTHY, SPLIT, STAMPS -> List.of();
      case EFA_FALLBACK -> List.of(efaFallback());
      case FABRIC_FALLBACK -> List.of(new NetworkFault.FabricFallback());
      case PARTIAL_FALLBACK ->
          List.of(new NetworkFault.PartialFallback(chance.below(place.nodes())));
      case FAILED -> List.of(death(rank));
      case P2P_READ -> List.of(new NetworkFault.P2pReadForced());
      case SHM -> List.of(new NetworkFault.P2pDisabled());
      // the first rank of a pod has the network edges of channel 0
      case GDR_LOST -> List.of(new NetworkFault.GdrLost(pod * place.gpusPerPod()));
      case GDR_OFF -> List.of(new NetworkFault.GdrOff());
      case NICS -> List.of(new NetworkFault.NicShortfall(pod, nics()));
      case LOST_EFA -> List.of(efaFallback(), new NewInLastRun());
      case LOST_P2P -> List.of(new NetworkFault.P2pDisabled(), new NewInLastRun());
      case LOST_WRITES -> List.of(new NetworkFault.P2pReadForced(), new NewInLastRun());
      case LOST_GDR -> List.of(new NetworkFault.GdrOff(), new NewInLastRun());
      case LOST_CHANNELS -> List.of(new NetworkFault.FewerChannels(), new NewInLastRun());
      case LOST_POD -> List.of(new NewInLastRun());
      case VERSIONS ->
          List.of(
              new ProcessFault.VersionMismatch(
                  chance.below(place.nodes()),
                  oneOf(ProcessFault.VersionMismatch.Library.values())));
      case ENVIRONMENT ->
          List.of(
              new ProcessFault.EnvironmentDrift(
                  pod, oneOf(ProcessFault.EnvironmentDrift.Variable.values())));
      case CRASH -> List.of(crash(rank));
      case NO_INTERFACE -> List.of(new ProcessFault.NoInterface());
      case STRAGGLER -> List.of(straggler(rank, cause));
      case TWO_STRAGGLERS -> two(rank);
      case NOW_AND_THEN -> {
        int every = 3 + chance.below(Math.min(10, (steps - 20) / 14));
        yield List.of(
            new Straggler(rank, 12, steps, every, chance.evenly(0.25, 0.8) * every, cause));
      }
      case MOVING_LOAD -> List.of(new PaceFault.MovingLoad(10, steps, chance.evenly(1, 3.3)));
      case LATE -> List.of(new PaceFault.LateStart(rank, chance.evenly(12, 400)));
      case HANG ->
          List.of(
              new PaceFault.Hang(
                  rank,
                  Math.max(5, chance.below(steps)),
                  chance.of(0.3) ? 600 : chance.between(20, 120),
                  chance.of(0.85),
                  chance.of(0.6)));
      case SLOWER_STEPS ->
          List.of(
              new PaceFault.SlowerSteps(
                  steps * 2 / 5 + chance.below(steps / 5), chance.evenly(1.3, 2.5)));
      case SLOWER_RUN -> List.of(new PaceFault.SlowerRun(chance.evenly(1.25, 2.5)));
      case THROTTLED ->
          List.of(
              new GpuFault.Throttled(
                  rank, steps / 4, steps, chance.oneOf(List.of(0x8L, 0x20L, 0x40L, 0x80L))));
      case BROKEN_GPU ->
          List.of(
              new GpuFault.Broken(
                  rank, steps / 3 + chance.below(steps / 3), oneOf(GpuFault.Broken.Sign.values())));
      case BENCH -> bench();
      case SENSOR ->
          List.of(
              new TelemetryFault.SensorStall(
                  chance.below(place.nodes()), chance.between(30, 45), chance.between(25, 40)));
      case LOST_LINES ->
          List.of(
              new TelemetryFault.LostLines(
                  pod, chance.between(15, 30), Math.max(3, 4 * stepSeconds) + chance.below(10)));
      case UNKNOWN_LINES -> List.of(new TelemetryFault.UnknownLines(chance.between(0.02, 0.05)));
    };
  }

  private EfaFallback efaFallback() {
    var causes = new ArrayList<>(List.of(EfaFallback.Cause.values()));
    if (!place.machine().gdr()) {
      causes.remove(EfaFallback.Cause.GDR_REFUSED);
    }
    return new EfaFallback(chance.oneOf(causes));
  }

  /// Half of what the pod deserves, or less.
  private int nics() {
    int fair = place.machine().efa() * place.gpusPerPod() / place.machine().gpus();
    return Math.max(1, chance.of(0.5) ? fair / 2 : fair / 4);
  }

  private Crash crash(int rank) {
    var causes = new ArrayList<>(List.of(Crash.Cause.CUDA));
    if (place.pods() > 1) {
      causes.add(Crash.Cause.KILLED);
      if (place.machine().efa() > 0) {
        causes.add(Crash.Cause.NETWORK);
      }
    }
    return new Crash(rank, 5 + chance.below(steps - 6), chance.oneOf(causes));
  }

  /// Causes about as often as in the study of Llama 3's interruptions (2024, table 5) and MegaScale
  /// (2024), programs' own errors more often: most jobs are small and young.
  private Death death(int rank) {
    var causes =
        new ArrayList<>(
            List.of(
                Death.Cause.GPU_OUT_OF_MEMORY,
                Death.Cause.GPU_OUT_OF_MEMORY,
                Death.Cause.KILLED,
                Death.Cause.EXCEPTION,
                Death.Cause.EXCEPTION,
                Death.Cause.SEGFAULT,
                Death.Cause.ECC,
                Death.Cause.DATA,
                Death.Cause.DISK_FULL,
                Death.Cause.STOPPED,
                Death.Cause.TIME_LIMIT));
    if (place.machine().efa() > 0 && place.pods() > 1) {
      causes.add(Death.Cause.HANDSHAKE);
    }
    var cause = chance.oneOf(causes);
    return new Death(
        cause == Death.Cause.DISK_FULL ? 0 : rank,
        cause == Death.Cause.HANDSHAKE ? 0 : 3 + chance.below(steps - 4),
        cause);
  }

  private Straggler straggler(int rank, Straggler.Cause cause) {
    int from = 5 + chance.below(steps / 3);
    int length = Math.max(steps / 3, 20 + chance.below(steps / 3));
    double share = chance.of(0.1) ? chance.between(0.05, 0.1) : chance.evenly(0.1, 1.5);
    return new Straggler(rank, from, Math.min(steps, from + length), 1, share, cause);
  }

  private List<Fault> two(int rank) {
    var one = straggler(rank, Straggler.Cause.HOST);
    int other = (rank + 1 + chance.below(place.ranks() - 1)) % place.ranks();
    double share = chance.evenly(0.3, 1.5);
    return List.of(
        new Straggler(rank, one.fromStep(), one.toStep(), 1, share, one.cause()),
        new Straggler(other, one.fromStep(), one.toStep(), 1, share, one.cause()));
  }

  private List<Fault> bench() {
    return chance.of(0.35)
        ? List.of()
        : chance.of(0.6)
            ? List.of(new BenchFault.LowBandwidth(chance.between(0.15, 0.6)))
            : List.of(new BenchFault.WrongResults(1 + chance.below(5000)));
  }

  private <T> T oneOf(T[] values) {
    return chance.oneOf(Arrays.asList(values));
  }
}
