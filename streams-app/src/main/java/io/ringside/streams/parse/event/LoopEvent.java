package io.ringside.streams.parse.event;

import java.util.List;

/// What training loops print of their own steps: scripts, nanoGPT, torchtitan, NeMo, Composer,
/// fairseq and their like.
public sealed interface LoopEvent extends LineEvent {

  /// `iter 1632: loss 3.7441, time 563.15ms`, `step: 10  loss:  6.1  tps: 5,856`,
  /// `epoch 0 step 10/400 … step_time 0.073s`.
  ///
  /// @param step done so far, -1 if the line tells the time alone
  /// @param secondsEach what a step took, or NaN: then the lines' own times tell
  /// @param work how much a step computes, in a unit of the program's own; not above 0 where it
  ///   does not tell
  /// @param total how many steps there will be, -1 where it does not tell
  record Step(long step, double secondsEach, double work, long total) implements LoopEvent {
    public Step(long step, double secondsEach) {
      this(step, secondsEach, 0, -1);
    }
  }

  /// `[rank 3] step 180 batch loaded`: how far a rank has come, and nothing of loss or time.
  ///
  /// @param beat whether a clock made the rank say so, and not its way through the step
  record At(int rank, long step, boolean beat) implements LoopEvent {}

  /// How far a rank has come by the last of such lines.
  ///
  /// @param lines of this step
  /// @param usual lines of the step before
  /// @param steps of which it told
  /// @param longestNanos the longest time between two such lines
  /// @param beats heartbeats of this step, which are none of the lines
  record Stride(int rank, long step, int lines, int usual, int steps, long longestNanos, int beats)
      implements LoopEvent {}

  /// `Recompiling function … triggered by the following guard failure(s): … tensor 'x' size
  /// mismatch at index 1. expected 197, actual 577` of torch.compile: the program gives it inputs
  /// of another size. Torch 2.1 to 2.9, with `TORCH_LOGS=recompiles`. Likewise `step 600:
  /// unfreezing layers 24-31`, `[curriculum] max_seq_length 2048 -> 4096`, `Activating
  /// profiler` and `========= COMPUTE-SANITIZER`: steps before and after are not alike.
  record Resized() implements LoopEvent {}

  /// A program has compared its ranks: NVRx's `GPU relative performance:`, Megatron-LM's timers of
  /// all ranks or its straggler detector.
  ///
  /// @param by who compares
  record RanksCompared(By by) implements LoopEvent {}

  /// Of the ranks that were compared last these are slower than the others.
  record RanksSlow(By by, List<Integer> ranks) implements LoopEvent {
    public RanksSlow {
      ranks = List.copyOf(ranks);
    }
  }

  /// Some ranks wait in a collective for others.
  ///
  /// @param ranks that have not come, empty where the line does not say
  /// @param ready that have come, where the line names those; empty otherwise
  /// @param seconds for how long already, 0 where the line does not say
  record RanksMissing(By by, List<Integer> ranks, List<Integer> ready, int seconds)
      implements LoopEvent {
    @SuppressWarnings("ConstantValue") // a version before this one told none that are ready
    public RanksMissing {
      ranks = List.copyOf(ranks);
      ready = ready == null ? List.of() : List.copyOf(ready);
    }

    public RanksMissing(By by, List<Integer> ranks) {
      this(by, ranks, List.of(), 0);
    }
  }

  /// They came after all.
  record RanksCame(By by) implements LoopEvent {}

  /// Who speaks of other ranks.
  enum By {
    /// nvidia-resiliency-ext: times of kernels, without those of NCCL.
    NVRX("NVRx"),
    /// Megatron-LM with `--timing-log-option all`: forward and backward of a rank, and how long it
    /// waits for others' gradients.
    MEGATRON("Megatron-LM's timers"),
    /// Its `--log-straggler`: the fastest and the slowest rank's times, with clocks and power.
    MEGATRON_DETECTOR("Megatron-LM's straggler detector"),
    /// Its stall inspector.
    HOROVOD("Horovod"),
    /// Its rendezvous of threads and hosts.
    XLA("XLA"),
    /// Its scheduler's: a batch has not ended for longer than `--watchdog-timeout`, and the engine
    /// ends itself.
    SGLANG("SGLang's watchdog");

    private final String label;

    By(String label) {
      this.label = label;
    }

    /// As people call it.
    public String label() {
      return label;
    }
  }

  /// A line with a time behind a bar without one: the bar was drawn before. Told of saved logs.
  record AfterBar() implements LoopEvent {}

  /// Lines show that a job trains or serves here, and tell no step: losses, tokens a second, the
  /// first words of a framework. Said once of a file that nobody follows.
  record Work() implements LoopEvent {}

  /// `Training completed.`, `Finished training in 3:02:11`: the program says that it has done its
  /// work.
  record Finished() implements LoopEvent {}

  /// `===== 14 passed, 2 warnings in 162.38s (0:02:42) =====` of pytest, with none that failed:
  /// what went wrong before was provoked.
  record TestsPassed() implements LoopEvent {}
}
