package io.ringside.streams.job.step;

/// Kinds of lines that give step times, the most exact first.
public enum StepSource {
  /// Megatron-LM's iteration lines: a mean over the interval, equal on all ranks since it follows a
  /// barrier.
  MEGATRON("megatron"),
  /// DeepSpeed's pipeline engine.
  DEEPSPEED_PIPELINE("deepspeed-pipeline"),
  /// DeepSpeed's `time (ms) | fwd: … | bwd: … | step: …`: without the time between steps.
  DEEPSPEED_TIMERS("deepspeed-timers"),
  /// DeepSpeed's `micro_step=…/global_step=…` lines, by their own times.
  DEEPSPEED_SAMPLES("deepspeed-samples"),
  /// DeepSpeed's `step=…` lines, by their own times.
  DEEPSPEED_STEPS("deepspeed-steps"),
  /// A tqdm bar's count and elapsed seconds.
  PROGRESS_BAR("progress-bar"),
  /// Step lines of a script's own that state how long a step took.
  LOOP_TIMES("loop-times"),
  /// The same without a time, by the lines' own times.
  LOOP_STEPS("loop-steps"),
  /// The Trainer's metric dicts: steps by epoch, or the summary at the end.
  TRAINER_METRICS("trainer-metrics");

  private final String label;

  StepSource(String label) {
    this.label = label;
  }

  /// Name of the kind in the contract.
  public String label() {
    return label;
  }
}
