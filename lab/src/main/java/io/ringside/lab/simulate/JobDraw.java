package io.ringside.lab.simulate;

import io.ringside.lab.simulate.NetworkFault.EfaFallback;
import io.ringside.lab.simulate.PaceFault.Straggler;
import java.util.Arrays;
import java.util.List;

/// Draws plans of jobs: sizes, machines, programs, noise and faults by chance. A plan depends on the seed,
/// on its number and on what is asked for alone.
public final class JobDraw {
  private final Chance chance;
  private final int maxRanks;
  private final int number;
  private final int lines;
  private final long seed;

  private JobDraw(long seed, int number, int maxRanks, int lines) {
    this.lines = lines;
    this.seed = seed * 0x9E37_79B9_7F4A_7C15L + number;
    this.number = number;
    this.maxRanks = maxRanks;
    chance = new Chance(this.seed);
  }

  /// The plan with this number.
  ///
  /// @param maxRanks at least 2
  /// @param lines of collectives that a job may have, about; large jobs have 60 steps at least
  public static JobPlan draw(long seed, int number, int maxRanks, int lines) {
    var draw = new JobDraw(seed, number, maxRanks, lines);
    return draw.plan(JobKind.draw(draw.chance));
  }

  /// A plan of this kind.
  public static JobPlan draw(JobKind kind, long seed, int number, int maxRanks, int lines) {
    return new JobDraw(seed, number, maxRanks, lines).plan(kind);
  }

  private JobPlan plan(JobKind kind) {
    var place = PlaceDraw.of(kind, maxRanks, chance);
    var output = output(kind);
    var cause = cause(kind);
    var schedule = schedule(kind, place, cause.gpu());
    int steps =
        Math.clamp(
            lines / ((long) place.ranks() * schedule.calls().size()),
            kind == JobKind.NOW_AND_THEN ? 90 : 60,
            1200);
    double stepSeconds = stepSeconds(kind, steps);
    var faults = new FaultDraw(place, steps, stepSeconds, chance).of(kind, cause);
    return new JobPlan(
        seed,
        "job-" + number,
        place.machine(),
        place.nodes(),
        place.podsPerNode(),
        place.gpusPerPod(),
        version(kind, place.machine(), output),
        schedule,
        framework(kind),
        restarts(kind),
        steps,
        stepSeconds,
        NoiseDraw.of(stepSeconds, chance),
        output,
        agents(kind, place, steps * stepSeconds * 1.3 + 30, cause.gpu(), faults),
        chance.of(0.3),
        chance.of(0.4),
        faults);
  }

  private Straggler.Cause cause(JobKind kind) {
    return kind != JobKind.STRAGGLER || chance.of(0.55)
        ? Straggler.Cause.HOST
        : chance.of(0.5) ? Straggler.Cause.GPU_THROTTLED : Straggler.Cause.GPU_CONTENDED;
  }

  private double stepSeconds(JobKind kind, int steps) {
    if (kind == JobKind.HEALTHY && chance.of(0.7)) {
      return chance.between(5, 30); // as large models take; short steps are for the rest
    }
    double drawn = chance.evenly(0.05, kind == JobKind.HEALTHY ? 25 : 2.5);
    if (kind.takesAMinute()) {
      // long enough to happen, short enough for the GPUs' history
      return Math.clamp(drawn, 110.0 / steps, Math.max(110.0, 500) / steps);
    }
    return switch (kind) {
      case STRAGGLER, TWO_STRAGGLERS -> Math.max(drawn, 45.0 / steps);
      case NOW_AND_THEN, MOVING_LOAD -> Math.max(drawn, 90.0 / steps);
      // bars show whole seconds: it takes minutes until they tell a step's time
      case SLOWER_STEPS, SLOWER_RUN -> Math.max(drawn, 420.0 / steps);
      default -> drawn;
    };
  }

  private Agents agents(
      JobKind kind, PlaceDraw place, double duration, boolean gpuFault, List<Fault> faults) {
    boolean onePod = (kind == JobKind.HEALTHY || kind == JobKind.EFA_FALLBACK) && chance.of(0.1);
    int nodes = onePod ? 1 : place.nodes();
    int sampleSeconds =
        chance.of(0.1) && !gpuFault && !kind.seenByGpus()
            ? 0
            : Math.max(1, (int) (duration * nodes * place.machine().gpus() / lines));
    boolean typeTold =
        kind != JobKind.NICS
            && kind != JobKind.BENCH
            && faults.stream()
                .noneMatch(
                    fault ->
                        fault instanceof EfaFallback fallback
                            && fallback.cause() == EfaFallback.Cause.PLUGIN_MISSING);
    return new Agents(
        onePod ? 1 : place.pods(),
        !(typeTold && chance.of(0.25)),
        kind.seenByGpus() ? Math.min(sampleSeconds, 3) : sampleSeconds,
        chance.of(0.4) ? 5 : 0);
  }

  private Framework framework(JobKind kind) {
    if (kind == JobKind.BENCH) {
      return Framework.NCCL_TESTS;
    }
    boolean steps = kind == JobKind.SLOWER_RUN || kind == JobKind.SLOWER_STEPS;
    return steps || chance.of(0.55)
        ? chance.oneOf(List.of(Framework.TRAINER, Framework.DEEPSPEED, Framework.MEGATRON))
        : Framework.NONE;
  }

  private Restarts restarts(JobKind kind) {
    var how = chance.oneOf(Arrays.asList(Restarts.Kind.values()));
    if (kind == JobKind.LOST_POD) {
      return new Restarts(2, Restarts.Kind.NEW_POD);
    }
    boolean once = kind == JobKind.STAMPS || kind == JobKind.BENCH || kind == JobKind.NO_INTERFACE;
    return kind.regression() || (!once && chance.of(0.14)) ? new Restarts(2, how) : Restarts.NONE;
  }

  private Output output(JobKind kind) {
    if (kind == JobKind.STAMPS) {
      return chance.of(0.5) ? Output.NCCL_SECONDS : Output.BLOCKS;
    }
    return kind != JobKind.BENCH && chance.of(0.15) ? Output.NCCL_MICROS : Output.CONTAINER;
  }

  /// Stamps came with 2.26; GPUs newer than the A100 need 2.16; old releases are few by now.
  private NcclVersion version(JobKind kind, Machine machine, Output output) {
    boolean stamps = output == Output.NCCL_MICROS || output == Output.NCCL_SECONDS;
    boolean first =
        machine.equals(Machine.P4D)
            && switch (kind) {
              case HEALTHY, P2P_READ, SHM, SPLIT, GDR_LOST, STRAGGLER, HANG -> true;
              default -> false;
            };
    boolean old = !stamps && chance.of(0.15);
    return chance.oneOf(
        Arrays.stream(NcclVersion.values())
            .filter(version -> version.since(27) || !stamps)
            .filter(version -> old ? !version.since(19) : version.since(19))
            .filter(version -> version.since(16) || first)
            .toList());
  }

  private Schedule schedule(JobKind kind, PlaceDraw place, boolean gpuFault) {
    boolean blocking = gpuFault ? chance.of(0.75) : chance.of(0.5);
    int depth = 2 + chance.below(10);
    if (place.ranks() > 256) {
      return chance.of(0.5) ? Schedule.recorded() : Schedule.ddp(2, blocking, depth);
    }
    boolean pods = place.gpusPerPod() > 1 && place.pods() > 1;
    boolean stages = kind == JobKind.HEALTHY || (kind == JobKind.STRAGGLER && !gpuFault);
    return switch (chance.below(pods ? stages ? 5 : 4 : 3)) {
      case 0 -> Schedule.recorded();
      case 1 -> Schedule.ddp(2 + chance.below(5), blocking, depth);
      case 2 -> Schedule.zero(2 + chance.below(4), blocking, depth);
      case 3 -> Schedule.tensorParallel(2 + chance.below(4), depth);
      default -> Schedule.pipeline(2 + chance.below(4), depth);
    };
  }
}
