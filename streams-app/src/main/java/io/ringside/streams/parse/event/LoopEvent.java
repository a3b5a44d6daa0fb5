package io.ringside.streams.parse.event;

import java.util.List;

/// What training loops print about their own steps: scripts, nanoGPT, torchtitan, NeMo, Composer,
/// fairseq and similar programs.
public sealed interface LoopEvent extends LineEvent {

  /// `iter 1632: loss 3.7441, time 563.15ms`, `step: 10  loss:  6.1  tps: 5,856`,
  /// `epoch 0 step 10/400 … step_time 0.073s`.
  ///
  /// @param step number of steps done so far, -1 if the line gives only a time
  /// @param secondsEach duration of a step in seconds, or NaN: then the timestamps of the lines
  ///   give it
  /// @param work how much a step computes, in a unit of the program's own; 0 or less where the
  ///   program does not say
  /// @param total total number of steps, -1 where the program does not say
  record Step(long step, double secondsEach, double work, long total) implements LoopEvent {
    public Step(long step, double secondsEach) {
      this(step, secondsEach, 0, -1);
    }
  }

  /// How many tokens a step works on: `perf/total_num_tokens` of verl, the mean length of the
  /// completions of TRL. With reinforcement learning answers grow, and steps with them.
  ///
  /// @param amount in a unit of the program's own, above 0; only its changes count
  record Tokens(double amount) implements LoopEvent {}

  /// `[rank 3] step 180 batch loaded`: how far a rank has come, without loss or time.
  ///
  /// @param beat whether a timer made the rank print the line, not its progress through the step
  record Position(int rank, long step, boolean beat) implements LoopEvent {}

  /// How far a rank has come according to its last [Position] lines.
  ///
  /// @param lines number of lines of this step
  /// @param usual number of lines of the step before
  /// @param steps number of steps that the rank reported
  /// @param longestNanos the longest time between two such lines
  /// @param beats number of heartbeats in this step, which `lines` does not count
  record RankProgress(
      int rank, long step, int lines, int usual, int steps, long longestNanos, int beats)
      implements LoopEvent {}

  /// `Recompiling function … triggered by the following guard failure(s): … tensor 'x' size
  /// mismatch at index 1. expected 197, actual 577` of torch.compile: the program passes inputs of
  /// another size. Torch 2.1 to 2.9, with `TORCH_LOGS=recompiles`. Also
  /// `step 600: unfreezing layers 24-31`, `[curriculum] max_seq_length 2048 -> 4096`,
  /// `Activating profiler`, Kineto's `Completed Stage: Warm Up` and `========= COMPUTE-SANITIZER`:
  /// steps before and after the line are not comparable.
  record Resized() implements LoopEvent {}

  /// A recorded file shows a kind of line that it had not shown before. Its fact has the time of
  /// the newest such line of a chunk, and none if that is unknown.
  record NewKind() implements LoopEvent {}

  /// A program has compared its ranks: NVRx's `GPU relative performance:`, Megatron-LM's timers of
  /// all ranks or its straggler detector.
  ///
  /// @param by the program that compares
  record RanksCompared(By by) implements LoopEvent {}

  /// Of the ranks in the last comparison, these are slower than the others.
  record RanksSlow(By by, List<Integer> ranks) implements LoopEvent {
    public RanksSlow {
      ranks = List.copyOf(ranks);
    }
  }

  /// Some ranks wait for other ranks in a collective.
  ///
  /// @param ranks ranks that have not arrived, empty where the line does not name them
  /// @param ready ranks that have arrived, where the line names those; empty otherwise
  /// @param seconds how long they have waited, 0 where the line does not say
  record RanksMissing(By by, List<Integer> ranks, List<Integer> ready, int seconds)
      implements LoopEvent {
    @SuppressWarnings("ConstantValue") // an earlier version stored no ready ranks
    public RanksMissing {
      ranks = List.copyOf(ranks);
      ready = ready == null ? List.of() : List.copyOf(ready);
    }

    public RanksMissing(By by, List<Integer> ranks) {
      this(by, ranks, List.of(), 0);
    }
  }

  /// The missing ranks arrived after all.
  record RanksCame(By by) implements LoopEvent {}

  /// The program that reports on other ranks.
  enum By {
    /// nvidia-resiliency-ext: times of kernels, without NCCL's own kernels.
    NVRX("NVRx"),
    /// Megatron-LM with `--timing-log-option all`: the forward and backward time of each rank, and
    /// how long it waits for the gradients of other ranks.
    MEGATRON("Megatron-LM's timers"),
    /// Megatron-LM with `--log-straggler`: times of the fastest and the slowest rank, with clocks
    /// and power.
    MEGATRON_DETECTOR("Megatron-LM's straggler detector"),
    /// The stall inspector of Horovod.
    HOROVOD("Horovod"),
    /// XLA's rendezvous of threads and hosts.
    XLA("XLA"),
    /// The watchdog of SGLang's scheduler: a batch has run for longer than `--watchdog-timeout`,
    /// and the engine ends itself.
    SGLANG("SGLang's watchdog");

    private final String label;

    By(String label) {
      this.label = label;
    }

    /// The name that users know.
    public String label() {
      return label;
    }
  }

  /// A line with a time follows a progress bar without one: the bar was drawn before that time.
  /// Only for saved logs.
  record AfterBar() implements LoopEvent {}

  /// Lines show that a job trains or serves, but give no step: losses, tokens per second, the first
  /// lines of a framework. Reported once per file, and only for a file that is not followed live.
  record Work() implements LoopEvent {}

  /// `Training completed.`, `Finished training in 3:02:11`: the program reports that it has done
  /// its work.
  record Finished() implements LoopEvent {}

  /// `===== 14 passed, 2 warnings in 162.38s (0:02:42) =====` of pytest, without a failed test: the
  /// tests provoked the errors before it on purpose.
  record TestsPassed() implements LoopEvent {}
}
