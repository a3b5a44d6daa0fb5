package io.ringside.lab.simulate;

import io.ringside.lab.simulate.NetworkFault.EfaFallback;
import io.ringside.lab.simulate.PaceFault.Straggler;
import java.util.Arrays;
import java.util.List;

/// Draws plans of jobs: sizes, machines, programs, noise and faults by chance. A plan depends on
/// the seed, on its number and on what is asked for alone.
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
    var cause = cause(kind, place.machine());
    var schedule = schedule(kind, place, cause.gpu());
    var restarts = restarts(kind);
    var setting = setting(kind, place, restarts, output);
    if (setting.gathering().oneFile() && output == Output.CONTAINER) {
      output = chance.of(0.6) ? Output.NCCL_MICROS : Output.READ;
    }
    int steps =
        Math.clamp(
            lines / ((long) place.ranks() * schedule.calls().size()),
            kind == JobKind.NOW_AND_THEN ? 90 : 60,
            1200);
    double stepSeconds = stepSeconds(kind, steps);
    var faults = new FaultDraw(place, steps, stepSeconds, chance).of(kind, cause);
    setting = ofScheduler(setting, place, faults);
    return new JobPlan(
        seed,
        name(),
        place.machine(),
        place.nodes(),
        place.podsPerNode(),
        place.gpusPerPod(),
        version(kind, place.machine(), output),
        schedule,
        setting.processAPod() ? Framework.NONE : framework(kind),
        restarts,
        steps,
        stepSeconds,
        NoiseDraw.of(stepSeconds, place.ranks(), chance),
        output,
        agents(kind, place, steps * stepSeconds * 1.3 + 30, cause.gpu(), faults, setting),
        chance.of(0.3) && !setting.processAPod(),
        chance.of(0.4),
        setting,
        faults);
  }

  /// Time limits are Slurm's, whose tasks run on hosts.
  private static Setting ofScheduler(Setting setting, PlaceDraw place, List<Fault> faults) {
    boolean limited =
        faults.stream()
            .anyMatch(
                fault ->
                    fault instanceof ProcessFault.Death death
                        && death.cause() == ProcessFault.Death.Cause.TIME_LIMIT);
    return limited && place.podsPerNode() == 1 && setting.gathering() != LogCollection.KUBECTL
        ? new Setting(Names.HOSTS, setting.gathering(), false)
        : setting;
  }

  /// Names as people give them.
  private String name() {
    return chance.oneOf(
            List.of("job", "llama-3-8b", "qwen2-moe-sft", "gpt", "dpo-run", "vit-l-16", "exp7"))
        + "-"
        + number;
  }

  private Setting setting(JobKind kind, PlaceDraw place, Restarts restarts, Output output) {
    boolean together =
        kind.plainText()
            && restarts.runs() == 1
            && place.podsPerNode() == 1
            && place.nodes() > 1
            && output != Output.BLOCKS
            && chance.of(0.25);
    var gathering =
        together
            ? chance.oneOf(
                List.of(
                    LogCollection.SRUN,
                    LogCollection.MPIRUN,
                    LogCollection.KUBECTL,
                    LogCollection.BARE))
            : LogCollection.A_FILE_A_POD;
    var pods = List.of(Names.NODES, Names.MASTER, Names.JOB_SET, Names.ORDINAL, Names.TASK);
    boolean threads =
        kind == JobKind.HEALTHY
            && !together
            && restarts.runs() == 1
            && place.gpusPerPod() > 1
            && chance.of(0.06);
    return new Setting(
        together && gathering != LogCollection.KUBECTL
            ? chance.oneOf(List.of(Names.HOSTS, Names.ADDRESSES))
            : chance.of(0.3) ? Names.NODES : chance.oneOf(pods),
        gathering,
        threads);
  }

  private Straggler.Cause cause(JobKind kind, Machine machine) {
    return kind != JobKind.STRAGGLER || machine.amd() || chance.of(0.55)
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
      JobKind kind,
      PlaceDraw place,
      double duration,
      boolean gpuFault,
      List<Fault> faults,
      Setting setting) {
    if (place.machine().amd() || setting.gathering() == LogCollection.KUBECTL) {
      // no nvidia-smi there; and pods of unknown nodes have no samples
      return new Agents(place.pods(), false, 0, 0);
    }
    boolean onePod =
        (kind == JobKind.HEALTHY || kind == JobKind.EFA_FALLBACK)
            && !setting.gathering().oneFile()
            && chance.of(0.1);
    int nodes = onePod ? 1 : place.nodes();
    int sampleSeconds =
        chance.of(0.1) && !gpuFault && !kind.seenByGpus()
            ? 0
            : Math.max(1, (int) (duration * nodes * place.machine().gpus() / lines));
    boolean typeTold =
        kind != JobKind.NICS
            && kind != JobKind.FABRIC_FALLBACK
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
    boolean once =
        kind == JobKind.STAMPS
            || kind == JobKind.BENCH
            || kind == JobKind.NO_INTERFACE
            || kind == JobKind.PARTIAL_FALLBACK
            || kind == JobKind.FAILED;
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
        (machine.equals(Machine.P4D) || machine.equals(Machine.ROCE_A100))
            && switch (kind) {
              case HEALTHY, P2P_READ, SHM, SPLIT, GDR_LOST, STRAGGLER, HANG -> true;
              default -> false;
            };
    boolean old = !stamps && chance.of(0.15);
    return chance.oneOf(
        Arrays.stream(NcclVersion.values())
            .filter(version -> version.since(26) || !stamps)
            .filter(version -> !machine.amd() || (version.since(18) && !version.since(27)))
            .filter(version -> old ? !version.since(19) : version.since(19))
            .filter(version -> version.since(16) || first)
            .toList());
  }

  private Schedule schedule(JobKind kind, PlaceDraw place, boolean gpuFault) {
    var drawn = program(kind, place, gpuFault);
    // programs that print their loss each step wait for it, those that print every tenth run ahead
    boolean ahead =
        (kind == JobKind.HEALTHY || kind == JobKind.STRAGGLER || kind == JobKind.FAILED)
            && !gpuFault
            && drawn.pipeline().stages() == 1
            && !drawn.comms().contains(Schedule.Span.PROGRAMS)
            && chance.of(0.2);
    return ahead ? drawn.ahead(5 + chance.below(16)) : drawn;
  }

  private Schedule program(JobKind kind, PlaceDraw place, boolean gpuFault) {
    boolean blocking = gpuFault ? chance.of(0.75) : chance.of(0.5);
    int depth = 2 + chance.below(10);
    if (place.ranks() > 256) {
      return chance.of(0.5) ? Schedule.recorded() : Schedule.ddp(2, blocking, depth);
    }
    boolean pods = place.gpusPerPod() > 1 && place.pods() > 1 && place.podsPerNode() == 1;
    boolean stages = kind == JobKind.HEALTHY || (kind == JobKind.STRAGGLER && !gpuFault);
    return switch (chance.below(pods ? stages ? 9 : 5 : 3)) {
      case 0 -> Schedule.recorded();
      case 1 -> Schedule.ddp(2 + chance.below(5), blocking, depth);
      case 2 -> Schedule.zero(2 + chance.below(4), blocking, depth);
      case 3 -> Schedule.tensorParallel(2 + chance.below(4), depth);
      case 4 -> Schedules.threeWays(2 + chance.below(3), blocking, depth);
      case 5 -> Schedule.pipeline(2 + chance.below(4), depth);
      case 6 ->
          Schedules.oneForwardOneBackward(
              2 + chance.below(3),
              place.pods() % 4 == 0 && chance.of(0.5)
                  ? 4
                  : place.pods() % 2 == 0 ? 2 : place.pods(),
              chance.between(0.02, 0.1),
              depth);
      case 7 -> Schedules.experts(2 + chance.below(2), chance.of(0.5), blocking, depth);
      default -> Schedules.programs(2 + chance.below(2), 4 + chance.below(12), depth);
    };
  }
}
