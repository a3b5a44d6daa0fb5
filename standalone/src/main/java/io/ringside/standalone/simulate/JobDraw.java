package io.ringside.standalone.simulate;

import io.ringside.standalone.simulate.Fault.EfaFallback;
import io.ringside.standalone.simulate.Fault.Straggler;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Draws plans of jobs: sizes, machines, programs, noise and faults by chance. A plan depends on the seed
/// and on its number alone.
public final class JobDraw {
  private final SplittableRandom random;
  private final int maxRanks;
  private final int number;
  private final int lines;
  private final long seed;

  private JobDraw(long seed, int number, int maxRanks, int lines) {
    this.lines = lines;
    this.seed = seed * 0x9E37_79B9_7F4A_7C15L + number;
    this.number = number;
    this.maxRanks = maxRanks;
    random = new SplittableRandom(this.seed);
    random.nextLong();
  }

  /// What shall go wrong.
  private enum Kind {
    HEALTHY(34),
    EFA_FALLBACK(9),
    P2P_READ(4),
    SHM(4),
    SPLIT(6),
    GDR(4),
    STRAGGLER(20),
    LATE(6),
    HANG(7),
    STAMPS(6);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /// The plan with this number.
  ///
  /// @param maxRanks at least 2
  /// @param lines of collectives that a job may have, about; large jobs have 60 steps at least
  public static JobPlan draw(long seed, int number, int maxRanks, int lines) {
    return new JobDraw(seed, number, maxRanks, lines).draw();
  }

  private JobPlan draw() {
    var kind = kind();
    int wished = (int) Math.round(Math.exp(between(Math.log(2), Math.log(maxRanks + 0.49))));
    var machine = machine(kind);
    int podsPerNode = kind == Kind.SPLIT ? (chance(0.5) ? 2 : 4) : 1;
    int gpusPerPod = Math.min(machine.gpus() / podsPerNode, Math.max(1, wished));
    if (kind == Kind.SPLIT && chance(0.4)) {
      gpusPerPod = 1;
    } else if (kind != Kind.P2P_READ && kind != Kind.SHM && chance(0.1)) {
      gpusPerPod = 1;
    } else if (chance(0.1)) {
      gpusPerPod = Math.max(1, gpusPerPod / 2);
    }
    if (kind == Kind.P2P_READ || kind == Kind.SHM) {
      gpusPerPod = Math.max(2, gpusPerPod);
    }
    int least = kind == Kind.EFA_FALLBACK || kind == Kind.GDR ? 2 : 1;
    int nodes = Math.max(least, wished / (podsPerNode * gpusPerPod));
    if (nodes * podsPerNode * gpusPerPod < 2) {
      nodes = 2;
    }
    int ranks = nodes * podsPerNode * gpusPerPod;
    var output = output(kind);
    boolean gpuFault = false;
    var cause = Straggler.Cause.HOST;
    if (kind == Kind.STRAGGLER && chance(0.45)) {
      gpuFault = true;
      cause = chance(0.5) ? Straggler.Cause.GPU_THROTTLED : Straggler.Cause.GPU_CONTENDED;
    }
    var schedule = schedule(ranks, gpusPerPod, gpuFault);
    int calls = schedule.calls().size();
    int steps = Math.clamp(lines / ((long) ranks * calls), 60, 1200);
    double longest = kind == Kind.HEALTHY ? 25 : 2.5;
    double stepSeconds = Math.exp(between(Math.log(0.05), Math.log(longest)));
    if (kind == Kind.STRAGGLER) {
      stepSeconds = Math.max(stepSeconds, 45.0 / steps);
    }
    boolean onePod = (kind == Kind.HEALTHY || kind == Kind.EFA_FALLBACK) && chance(0.1);
    double duration = steps * stepSeconds * 1.3 + 30;
    int nodesSeen = onePod ? 1 : nodes;
    int sampleSeconds =
        chance(0.1) && !gpuFault
            ? 0
            : Math.max(1, (int) (duration * nodesSeen * machine.gpus() / lines));
    var faults = faults(kind, ranks, steps, machine, cause, nodes * podsPerNode, gpusPerPod);
    boolean hidesType =
        faults.stream()
            .noneMatch(
                f -> f instanceof EfaFallback e && e.cause() == EfaFallback.Cause.PLUGIN_MISSING);
    return new JobPlan(
        seed,
        "job-" + number,
        machine,
        nodes,
        podsPerNode,
        gpusPerPod,
        version(output),
        schedule,
        kind != Kind.STAMPS && chance(0.12) ? 2 : 1,
        steps,
        stepSeconds,
        noise(stepSeconds),
        output,
        onePod ? 1 : nodes * podsPerNode,
        !(hidesType && chance(0.25)),
        sampleSeconds,
        chance(0.3),
        chance(0.4),
        faults);
  }

  private Kind kind() {
    int all = 0;
    for (var kind : Kind.values()) {
      all += kind.weight;
    }
    int at = random.nextInt(all);
    for (var kind : Kind.values()) {
      at -= kind.weight;
      if (at < 0) {
        return kind;
      }
    }
    return Kind.HEALTHY;
  }

  private Machine machine(Kind kind) {
    return switch (kind) {
      case EFA_FALLBACK -> oneOf(List.of(Machine.P4D, Machine.P5, Machine.G6E));
      case P2P_READ -> oneOf(List.of(Machine.H200, Machine.P5));
      case SHM -> oneOf(List.of(Machine.H200, Machine.P4D, Machine.P5));
      case GDR -> oneOf(List.of(Machine.P4D, Machine.P5));
      case HEALTHY, SPLIT, STRAGGLER, LATE, HANG, STAMPS -> oneOf(Machine.ALL);
    };
  }

  private Output output(Kind kind) {
    if (kind == Kind.STAMPS) {
      return chance(0.5) ? Output.NCCL_SECONDS : Output.BLOCKS;
    }
    return chance(0.15) ? Output.NCCL_MICROS : Output.CONTAINER;
  }

  private NcclVersion version(Output output) {
    var versions = NcclVersion.values();
    boolean stamps = output == Output.NCCL_MICROS || output == Output.NCCL_SECONDS;
    return versions[
        stamps ? 2 + random.nextInt(versions.length - 2) : random.nextInt(versions.length)];
  }

  private Schedule schedule(int ranks, int gpusPerPod, boolean gpuFault) {
    boolean blocking = gpuFault ? chance(0.75) : chance(0.5);
    int depth = 2 + random.nextInt(10);
    if (ranks > 256) {
      return chance(0.5) ? Schedule.recorded() : Schedule.ddp(2, blocking, depth);
    }
    return switch (random.nextInt(gpusPerPod > 1 && ranks > gpusPerPod ? 4 : 3)) {
      case 0 -> Schedule.recorded();
      case 1 -> Schedule.ddp(2 + random.nextInt(5), blocking, depth);
      case 2 -> Schedule.zero(2 + random.nextInt(4), blocking, depth);
      default -> Schedule.tensorParallel(2 + random.nextInt(4), depth);
    };
  }

  private Noise noise(double stepSeconds) {
    boolean checkpoints = chance(0.6);
    boolean evaluates = chance(0.3);
    return new Noise(
        chance(0.4) ? 0.02 : between(0.02, 0.35),
        between(0, 0.02),
        chance(0.7) ? 0 : between(0.02, 0.4),
        chance(0.6) ? 0 : 10 + random.nextInt(90),
        between(0.01, 0.15),
        chance(0.5) ? 0 : between(0, 0.004),
        chance(0.7) ? 0 : 0.002,
        checkpoints ? 20 + random.nextInt(100) : 0,
        between(0.2, 4) * Math.max(1, stepSeconds),
        between(0, 1.5) * Math.max(1, stepSeconds),
        evaluates ? 40 + random.nextInt(100) : 0,
        between(1, 10) * Math.max(0.5, stepSeconds),
        chance(0.5) ? 0 : between(0.001, 0.03),
        chance(0.2) ? 0.002 : 0.05,
        chance(0.5) ? 0 : chance(0.7) ? 5e-6 : 2e-5,
        between(0, 1));
  }

  private List<Fault> faults(
      Kind kind,
      int ranks,
      int steps,
      Machine machine,
      Straggler.Cause cause,
      int pods,
      int gpusPerPod) {
    int rank = random.nextInt(ranks);
    var faults = new ArrayList<Fault>();
    switch (kind) {
      case HEALTHY, SPLIT, STAMPS -> {}
      case EFA_FALLBACK -> {
        var causes = new ArrayList<>(List.of(EfaFallback.Cause.values()));
        if (!machine.gdr()) {
          causes.remove(EfaFallback.Cause.GDR_REFUSED);
        }
        faults.add(new EfaFallback(oneOf(causes)));
      }
      case P2P_READ -> faults.add(new Fault.P2pReadForced());
      case SHM -> faults.add(new Fault.P2pDisabled());
      case GDR -> {
        // the first rank of a pod has the network edges of channel 0
        faults.add(new Fault.GdrLost(random.nextInt(pods) * gpusPerPod));
      }
      case STRAGGLER -> {
        int from = 5 + random.nextInt(Math.max(1, steps / 3));
        int length = Math.max(steps / 3, 20 + random.nextInt(Math.max(1, steps / 3)));
        double share =
            chance(0.1) ? between(0.05, 0.1) : Math.exp(between(Math.log(0.1), Math.log(1.5)));
        faults.add(new Straggler(rank, from, Math.min(steps, from + length), share, cause));
      }
      case LATE ->
          faults.add(new Fault.LateStart(rank, Math.exp(between(Math.log(12), Math.log(400)))));
      case HANG ->
          faults.add(
              new Fault.Hang(
                  rank,
                  Math.max(5, random.nextInt(steps)),
                  chance(0.3) ? 600 : between(20, 120),
                  chance(0.85),
                  chance(0.6)));
    }
    return faults;
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  private double between(double from, double to) {
    return from + (to - from) * random.nextDouble();
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
